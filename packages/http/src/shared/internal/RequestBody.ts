/**
 * Reads bodies within their limits.
 *
 * The limit holds while the body arrives, whatever `Content-Length` says. JSON and forms become a value with the same
 * fields.
 */
import { BadRequest, invalid, PayloadTooLarge, UnsupportedMediaType } from "@attestry/api/HttpError"
import {
  type BodyRule,
  type FileBody,
  JSON_BYTES_MAX,
  JSON_PART_BYTES_MAX,
  PARTS_MAX,
  type UploadBody
} from "@attestry/api/Operation"
import * as JsonPrecheck from "@attestry/core/JsonPrecheck"
import * as JsonText from "@attestry/core/JsonText"
import type * as TextProblems from "@attestry/core/TextProblems"
import * as Bytes from "@attestry/transparency-log/Bytes"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import type { BodyPieces, IncomingRequest } from "../HttpMessage.js"
import * as MediaType from "./MediaType.js"
import { MultipartForm } from "./MultipartForm.js"

/** Why a body is refused. */
export type Refusal = BadRequest | PayloadTooLarge | UnsupportedMediaType

/** The error of a body, or of a part of it, with too many bytes. */
export const tooLarge = (what: string, bytesMax: number) =>
  new PayloadTooLarge({ message: `${what} has more than ${bytesMax} bytes` })

const single = (request: IncomingRequest, name: string): string =>
  (request.headers(name)[0] ?? "").trim().toLowerCase()

/** The limits of files. */
export interface FileLimits {
  /** Of a file of a form. */
  readonly fileBytesMax: number
  /** Of a file that is the whole body, or a part of such a form. */
  readonly evidenceBytesMax: number
}

/** The error of a file with too many bytes. */
export const fileTooLarge = (bytesMax: number) =>
  new PayloadTooLarge({ message: `The file is larger than ${bytesMax} bytes` })

/** Why a body is refused before it is read; undefined when it is not. */
export const headerRefusal = (
  request: IncomingRequest,
  rule: BodyRule,
  { evidenceBytesMax, fileBytesMax }: FileLimits
): Refusal | undefined => {
  const encoding = single(request, "content-encoding")
  if (encoding !== "" && encoding !== "identity") {
    return new UnsupportedMediaType({
      message: `Content-Encoding \`${encoding}\` is not read: send the body as it is`
    })
  }
  const refused = typeRefusal(mediaTypeOf(request), rule)
  if (refused !== undefined) return refused
  if (rule._tag === "FileBody") {
    const size = Number(single(request, "content-length") || 0)
    return size > evidenceBytesMax + formBytesMax(request)
      ? fileTooLarge(evidenceBytesMax)
      : undefined
  }
  const bytesMax = isUpload(request, rule)
    ? JSON_BYTES_MAX + PARTS_MAX * fileBytesMax
    : limitOf(rule)
  const declared = Number(single(request, "content-length") || 0)
  return declared > bytesMax ? tooLarge("the body", bytesMax) : undefined
}

/** How much longer a body may be than its file. */
const formBytesMax = (request: IncomingRequest): number =>
  MediaType.isForm(mediaTypeOf(request)) ? JSON_BYTES_MAX : 0

const mediaTypeOf = (request: IncomingRequest): MediaType.MediaType =>
  MediaType.parse(request.headers("content-type")[0] ?? "")

/** Why a body of this type is refused; undefined when it is not. */
const typeRefusal = (
  type: MediaType.MediaType,
  rule: BodyRule
): UnsupportedMediaType | undefined => {
  if (rule._tag === "NoBody") return undefined
  if (rule._tag === "FileBody") {
    return type.name.startsWith("multipart/") && !MediaType.isForm(type)
      ? new UnsupportedMediaType({
          message: `Content-Type \`${type.name}\` is not read here: send the file as the body`
        })
      : undefined
  }
  if (!MediaType.isUtf8(type)) {
    return new UnsupportedMediaType({
      message: `charset \`${type.charset}\` is not read: send the body in UTF-8`
    })
  }
  const takesForms = rule._tag === "FormBody" || rule._tag === "UploadBody"
  const isOther = rule._tag === "JsonBody" && rule.mediaType === type.name
  return MediaType.isJson(type) || isOther || (takesForms && MediaType.isForm(type))
    ? undefined
    : new UnsupportedMediaType({
        message: `Content-Type \`${type.name}\` is not read here: send application/json`
      })
}

const limitOf = (rule: BodyRule): number =>
  rule._tag === "JsonBody" || rule._tag === "RawBody" ? rule.bytesMax : JSON_BYTES_MAX

/** Whether a body is a form that is read as a stream. */
export const isUpload = (request: IncomingRequest, rule: BodyRule): rule is UploadBody =>
  rule._tag === "UploadBody" && isForm(request)

/** Whether the body is a form. */
export const isForm = (request: IncomingRequest): boolean => MediaType.isForm(mediaTypeOf(request))

const collect = async (
  { body }: IncomingRequest,
  bytesMax: number
): Promise<BodyPieces | undefined> => {
  const pieces: Array<Uint8Array> = []
  let size = 0
  for await (const piece of body) {
    size += piece.byteLength
    if (size > bytesMax) return undefined
    pieces.push(piece)
  }
  return pieces
}

/** The bytes of a body, in the pieces in which they arrived. */
export const readPieces = (
  request: IncomingRequest,
  bytesMax: number
): Effect.Effect<BodyPieces, Refusal> =>
  Effect.async((resume) => {
    const collecting = request.collect?.(bytesMax) ?? collect(request, bytesMax)
    collecting.then(
      (pieces) =>
        resume(pieces === undefined ? tooLarge("the body", bytesMax) : Effect.succeed(pieces)),
      () => resume(new BadRequest({ message: "the body ended before it was complete" }))
    )
  })

const joined = (pieces: BodyPieces): Uint8Array<ArrayBuffer> => {
  const [first, ...others] = pieces
  return first?.buffer instanceof ArrayBuffer && others.length === 0
    ? new Uint8Array(first.buffer, first.byteOffset, first.byteLength)
    : Bytes.concat(pieces)
}

/** The bytes of a body, copied at most once. */
export const readBytes = (
  request: IncomingRequest,
  bytesMax: number
): Effect.Effect<Uint8Array<ArrayBuffer>, Refusal> =>
  Effect.map(readPieces(request, bytesMax), joined)

/** A request whose body was read and can be read again. */
export const withBytes = (
  request: IncomingRequest,
  bytes: Uint8Array<ArrayBuffer>
): IncomingRequest => ({
  method: request.method,
  url: request.url,
  headers: request.headers,
  remoteAddress: request.remoteAddress,
  body: { [Symbol.asyncIterator]: () => once(bytes) },
  collect: async (bytesMax) => (bytes.byteLength > bytesMax ? undefined : [bytes])
})

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const decodeText = (bytes: Uint8Array): Either.Either<string, BadRequest> => decodePieces([bytes])

const FIRST = new TextDecoder("utf-8", { fatal: true })
/** WHY another: a byte order mark is removed at the beginning of a text alone. */
const FURTHER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Whether the last byte of a piece is a whole character. */
const endsWhole = (piece: Uint8Array): boolean => (piece[piece.byteLength - 1] ?? 0xff) < 0x80

/** The text of pieces of UTF-8. WHY piece by piece: joined bytes would be another copy of a large body. */
export const decodePieces = (pieces: BodyPieces): Either.Either<string, BadRequest> =>
  Either.try({
    try: () => {
      const apart = pieces.slice(0, -1).every(endsWhole) ? pieces : [joined(pieces)]
      return apart.map((piece, at) => (at === 0 ? FIRST : FURTHER).decode(piece)).join("")
    },
    catch: () => invalid({ body: "Input should be valid UTF-8 [input: …]" })
  })

/** Finds problems in a text before it is parsed. */
export type FindProblems = TextProblems.Find

/** Fails with the problems of a text; the search runs in slices. */
const findProblems = (text: string, find: FindProblems): Effect.Effect<void, BadRequest> =>
  Effect.mapError(JsonText.check(text, find), invalid)

/** Fails with the problems of the value of a large form before it is decoded. */
export const checkLarge = (
  value: unknown,
  bytes: number,
  find: FindProblems | undefined
): Effect.Effect<unknown, BadRequest> =>
  find === undefined || bytes <= JsonText.LARGE
    ? Effect.succeed(value)
    : Effect.as(findProblems(JSON.stringify(value), find), value)

/** The value of a JSON text. */
export const parseText = (text: string): Effect.Effect<unknown, BadRequest> =>
  Effect.mapError(JsonText.read(text), invalid)

/** The JSON value of a text; a large text is checked before it is parsed. */
const parseChecked = (
  text: string,
  find: FindProblems | undefined
): Effect.Effect<unknown, BadRequest> =>
  find === undefined || text.length <= JsonText.LARGE
    ? parseText(text)
    : Effect.zipRight(findProblems(text, find), parseText(text))

/** The message for a form that is malformed, incomplete, or continues after its end. */
export const MALFORMED_FORM = "Input should be valid multipart/form-data [input: …]"

/** The message for a repeated field. */
export const REPEATED = JsonPrecheck.REPEATED

/** The name of a part as error messages show it. */
export const printable = (name: string): string => JSON.stringify(name.slice(0, 100)).slice(1, -1)

type FormRule = Extract<BodyRule, { readonly _tag: "FormBody" }>

/** The number of parts is checked after each piece of this many bytes. */
const PIECE_BYTES = 65_536

interface Part {
  readonly name: string
  readonly pieces: Array<Uint8Array>
}

/** The parts of a complete form. */
const readParts = (
  bytes: Uint8Array,
  contentType: string
): Either.Either<ReadonlyArray<Part>, Refusal> => {
  const form = new MultipartForm(contentType)
  const parts: Array<Part> = []
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
    for (const step of form.write(bytes.subarray(at, at + PIECE_BYTES)) ?? []) {
      if (step._tag === "Begin") parts.push({ name: step.info.name, pieces: [] })
      if (step._tag === "Bytes") parts.at(-1)?.pieces.push(step.bytes)
    }
    if (parts.length > PARTS_MAX)
      return Either.left(
        new PayloadTooLarge({ message: `the form has more than ${PARTS_MAX} parts` })
      )
  }
  return form.isWhole ? Either.right(parts) : Either.left(invalid({ body: MALFORMED_FORM }))
}

/** The parts by name; unknown and repeated names are refused. */
const byName = (
  parts: ReadonlyArray<Part>,
  known: ReadonlyArray<string>
): Either.Either<ReadonlyMap<string, Uint8Array>, Refusal> => {
  const named = new Map<string, Uint8Array>()
  const errors = new Map<string, string>()
  for (const { name, pieces } of parts) {
    if (!known.includes(name))
      errors.set(printable(name), "Extra inputs are not permitted [input: …]")
    else if (named.has(name)) errors.set(name, REPEATED)
    else named.set(name, Bytes.concat(pieces))
  }
  return errors.size > 0 ? Either.left(invalid(Object.fromEntries(errors))) : Either.right(named)
}

/** Reports a problem with the JSON of a part as a whole under the name of the part. */
const inPart = <A>(name: string, parsed: Effect.Effect<A, BadRequest>) =>
  Effect.mapError(parsed, (error) =>
    error.errors !== undefined && "body" in error.errors
      ? invalid({ [name]: error.errors.body ?? "" })
      : error
  )

/** The JSON value of the bytes of a part. */
export const parsePart = (name: string, bytes: Uint8Array): Effect.Effect<unknown, BadRequest> =>
  inPart(name, Effect.flatMap(decodeText(bytes), parseText))

const jsonPart = (
  parts: ReadonlyMap<string, Uint8Array>,
  { jsonPart: name }: FormRule
): Effect.Effect<unknown, Refusal> => {
  const part = parts.get(name)
  if (part === undefined) return invalid({ [name]: "Field required [input: None]" })
  return part.byteLength > JSON_PART_BYTES_MAX
    ? tooLarge(`part \`${name}\``, JSON_PART_BYTES_MAX)
    : parsePart(name, part)
}

/** The fields of the JSON part of a form, with each text file as a field under the name of its part. */
const formValue = (
  bytes: Uint8Array,
  contentType: string,
  rule: FormRule
): Effect.Effect<unknown, Refusal> =>
  Effect.gen(function* () {
    const parts = yield* Either.flatMap(readParts(bytes, contentType), (all) =>
      byName(all, [rule.jsonPart, ...rule.fileParts])
    )
    const value = yield* jsonPart(parts, rule)
    const files: Array<readonly [string, string]> = []
    for (const name of rule.fileParts) {
      const part = parts.get(name)
      if (part !== undefined) files.push([name, yield* inPart(name, decodeText(part))])
    }
    if (!Predicate.isRecord(value)) return value
    const twice = files.filter(([name]) => Object.hasOwn(value, name))
    return twice.length > 0
      ? yield* invalid(Object.fromEntries(twice.map(([name]) => [name, REPEATED])))
      : { ...value, ...Object.fromEntries(files) }
  })

/** Whether a body is empty or `null`. */
const isEmpty = (bytes: Uint8Array): boolean =>
  bytes.byteLength <= 8 && ["", "null"].includes(new TextDecoder().decode(bytes).trim())

/**
 * The value of a body, by the rule of the operation; the payload schema decodes it later.
 *
 * INVARIANT: `headerRefusal` has accepted the type of the body.
 */
export const readValue = (
  request: IncomingRequest,
  rule: Exclude<BodyRule, { readonly _tag: "RawBody" } | FileBody>,
  find?: FindProblems
): Effect.Effect<unknown, Refusal> => {
  if (rule._tag === "NoBody") return Effect.succeed(undefined)
  if (rule._tag === "FormBody" && MediaType.isForm(mediaTypeOf(request))) {
    const original = request.headers("content-type")[0] ?? ""
    return Effect.flatMap(readBytes(request, JSON_BYTES_MAX), (bytes) =>
      Effect.flatMap(formValue(bytes, original, rule), (value) =>
        checkLarge(value, bytes.byteLength, find)
      )
    )
  }
  return Effect.flatMap(readBytes(request, limitOf(rule)), (bytes) =>
    rule._tag === "JsonBody" && rule.optional && isEmpty(bytes)
      ? Effect.succeed({})
      : Effect.flatMap(decodeText(bytes), (text) => parseChecked(text, find))
  )
}
