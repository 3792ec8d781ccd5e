/**
 * The text of a file: gzip is unpacked once and within limits, archives are refused, and the bytes must be UTF-8. A
 * byte order mark and leading white space are passed over.
 */
import { gunzipSync } from "node:zlib"
import * as Either from "effect/Either"
import { EvidenceProblem } from "../EvidenceProblem.js"
import * as Problem from "./Problem.js"

/** The most bytes that one byte of a gzip file unpacks to. */
export const UNPACK_RATIO_MAX = 100

const startsWith = (bytes: Uint8Array, signature: ReadonlyArray<number>, at = 0): boolean =>
  signature.every((byte, index) => bytes[at + index] === byte)

const isGzip = (bytes: Uint8Array): boolean => startsWith(bytes, [0x1f, 0x8b])

/** The signature of zip, of an empty zip and of a split one. */
const ZIP = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
  [0x50, 0x4b, 0x07, 0x08]
]
/** `ustar` in the header of the first file of a tar. */
const TAR = [0x75, 0x73, 0x74, 0x61, 0x72]
const TAR_AT = 257

const isArchive = (bytes: Uint8Array): boolean =>
  ZIP.some((signature) => startsWith(bytes, signature)) || startsWith(bytes, TAR, TAR_AT)

const isTooLarge = (error: unknown): boolean =>
  error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE"

const unpack = (
  bytes: Uint8Array,
  bytesMax: number
): Either.Either<Uint8Array, EvidenceProblem> => {
  const maxOutputLength = Math.min(bytesMax, bytes.length * UNPACK_RATIO_MAX)
  return Either.try({
    try: () => gunzipSync(bytes, { maxOutputLength }),
    catch: (error) =>
      isTooLarge(error)
        ? Problem.tooLarge(`The file unpacks to more than ${maxOutputLength} bytes`)
        : Problem.unreadable("the file begins like gzip and does not unpack")
  })
}

/** The text of bytes in UTF-8, without a byte order mark and leading white space. */
export const decode = (bytes: Uint8Array): Either.Either<string, EvidenceProblem> =>
  bytes.includes(0)
    ? Either.left(Problem.unreadable("there are NUL bytes; only texts in UTF-8 are read"))
    : Either.try({
        try: () =>
          new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/^[ \t\r\n]+/, ""),
        catch: () => Problem.unreadable("this is not UTF-8")
      })

/** The text of a file of at most so many bytes, packed and unpacked. */
export const read = (
  bytes: Uint8Array,
  bytesMax: number
): Either.Either<string, EvidenceProblem> => {
  if (bytes.length > bytesMax)
    return Either.left(Problem.tooLarge(`The file is larger than ${bytesMax} bytes`))
  const unpacked = isGzip(bytes) ? unpack(bytes, bytesMax) : Either.right(bytes)
  return Either.flatMap(unpacked, (content) => {
    if (isArchive(content))
      return Either.left(
        new EvidenceProblem({
          kind: "archive",
          message: "Archives are not read; send the files one by one",
          line: null
        })
      )
    if (content !== bytes && isGzip(content))
      return Either.left(
        Problem.unreadable("the file is gzip in gzip; only the outer one is unpacked")
      )
    return decode(content)
  })
}
