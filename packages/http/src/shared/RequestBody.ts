/**
 * Bodies, read within their limits.
 *
 * The limit holds while the body streams in, whatever `Content-Length` says; JSON and forms come out as
 * one plain value with the same fields. DECISION
 */
import * as Bytes from "@attestry/core/Bytes"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { BodyPieces, IncomingRequest } from "./Exchange.js"
import { BadRequest, invalid, PayloadTooLarge, UnsupportedMediaType } from "./HttpError.js"
import * as MediaType from "./internal/MediaType.js"
import * as JsonText from "./JsonText.js"
import {
  type BodyRule,
  JSON_BYTES_MAX,
  JSON_PART_BYTES_MAX,
  PARTS_MAX,
  type UploadBody
} from "./Operation.js"

/** Why a body is not taken. */
export type Refusal = BadRequest | PayloadTooLarge | UnsupportedMediaType

/** Refuses what has more bytes than allowed. */
export const tooLarge = (what: string, bytesMax: number) =>
  new PayloadTooLarge({ message: `${what} has more than ${bytesMax} bytes` })

const single = (request: IncomingRequest, name: string): string =>
  (request.headers(name)[0] ?? "").trim().toLowerCase()

/** Why a body is refused before a byte of it is read; nothing when it is not. */
export const headerRefusal = (
  request: IncomingRequest,
  rule: BodyRule,
  fileBytesMax: number
): Refusal | undefined => {
  const encoding = single(request, "content-encoding")
  if (encoding !== "" && encoding !== "identity") {
    return new UnsupportedMediaType({
      message: `Content-Encoding \`${encoding}\` is not read: send the body as it is`
    })
  }
  const refused = typeRefusal(mediaTypeOf(request), rule)
  if (refused !== undefined) return refused
  const bytesMax = isUpload(request, rule)
    ? JSON_BYTES_MAX + PARTS_MAX * fileBytesMax
    : limitOf(rule)
  const declared = Number(single(request, "content-length") || 0)
  return declared > bytesMax ? tooLarge("the body", bytesMax) : undefined
}

const mediaTypeOf = (request: IncomingRequest): MediaType.MediaType =>
  MediaType.parse(request.headers("content-type")[0] ?? "")

/** Why a body of this type is not read; nothing when it is. */
const typeRefusal = (
  type: MediaType.MediaType,
  rule: BodyRule
): UnsupportedMediaType | undefined => {
  if (rule._tag === "NoBody") return undefined
  if (!MediaType.isUtf8(type)) {
    return new UnsupportedMediaType({
      message: `charset \`${type.charset}\` is not read: send the body in UTF-8`
    })
  }
  const takesForms = rule._tag === "FormBody" || rule._tag === "UploadBody"
  return MediaType.isJson(type) || (takesForms && MediaType.isForm(type))
    ? undefined
    : new UnsupportedMediaType({
        message: `Content-Type \`${type.name}\` is not read here: send application/json`
      })
}

const limitOf = (rule: BodyRule): number =>
  rule._tag === "JsonBody" || rule._tag === "RawBody" ? rule.bytesMax : JSON_BYTES_MAX

/** Whether a body is a form that is to be read as it streams in. */
export const isUpload = (request: IncomingRequest, rule: BodyRule): rule is UploadBody =>
  rule._tag === "UploadBody" && MediaType.isForm(mediaTypeOf(request))

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

/** The bytes of a body, in the pieces in which they came. */
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

/** A request whose body has been read already, and can be read again. */
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
/** WHY another: the mark that may begin a text is a character like any other further on. */
const FURTHER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Whether a piece ends, for certain, after a character and not within one. */
const endsWhole = (piece: Uint8Array): boolean => (piece[piece.byteLength - 1] ?? 0xff) < 0x80

/**
 * The text of some pieces of UTF-8.
 *
 * WHY piece by piece: bytes in one place would be one more copy of a large body, and each such copy brings
 * the next full collection of garbage nearer.
 */
export const decodePieces = (pieces: BodyPieces): Either.Either<string, BadRequest> =>
  Either.try({
    try: () => {
      const apart = pieces.slice(0, -1).every(endsWhole) ? pieces : [joined(pieces)]
      return apart.map((piece, at) => (at === 0 ? FIRST : FURTHER).decode(piece)).join("")
    },
    catch: () => invalid({ body: "Input should be valid UTF-8 [input: …]" })
  })

/** The value of a JSON text. */
export const parseText = (text: string): Either.Either<unknown, BadRequest> =>
  Either.mapLeft(JsonText.parse(text), invalid)

/** The JSON value of some bytes. */
export const parseBytes = (bytes: Uint8Array): Either.Either<unknown, BadRequest> =>
  Either.flatMap(decodeText(bytes), parseText)

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const readForm = (bytes: Uint8Array<ArrayBuffer>, contentType: string) =>
  Effect.tryPromise({
    try: () => new Response(bytes, { headers: { "content-type": contentType } }).formData(),
    catch: () => invalid({ body: "Input should be valid multipart/form-data [input: …]" })
  })

type FormRule = Extract<BodyRule, { readonly _tag: "FormBody" }>

const textOf = (part: File | string): Effect.Effect<string, Refusal> =>
  typeof part === "string"
    ? Effect.succeed(part)
    : Effect.flatMap(
        Effect.promise(() => part.arrayBuffer()),
        (bytes) => decodeText(new Uint8Array(bytes))
      )

const jsonPart = (form: FormData, rule: FormRule): Effect.Effect<unknown, Refusal> => {
  const part = form.get(rule.jsonPart)
  if (part === null) return invalid({ [rule.jsonPart]: "Field required [input: None]" })
  return Effect.flatMap(textOf(part), (text): Effect.Effect<unknown, Refusal> => {
    if (new TextEncoder().encode(text).byteLength > JSON_PART_BYTES_MAX) {
      return tooLarge(`part \`${rule.jsonPart}\``, JSON_PART_BYTES_MAX)
    }
    return inPart(rule.jsonPart, parseText(text))
  })
}

/** What is wrong with the JSON of a part as a whole is told under the part's name. */
const inPart = <A>(name: string, parsed: Either.Either<A, BadRequest>) =>
  Either.mapLeft(parsed, (error) =>
    error.errors !== undefined && "body" in error.errors
      ? invalid({ [name]: error.errors.body ?? "" })
      : error
  )

/** The JSON value of the bytes of a part. */
export const parsePart = (name: string, bytes: Uint8Array): Either.Either<unknown, BadRequest> =>
  inPart(name, parseBytes(bytes))

/** The fields of a form's JSON part, with each text file as one more field under its part's name. */
const formValue = (form: FormData, rule: FormRule): Effect.Effect<unknown, Refusal> =>
  Effect.gen(function* () {
    const names = Array.from(form.keys())
    if (names.length > PARTS_MAX) {
      return yield* new PayloadTooLarge({ message: `the form has more than ${PARTS_MAX} parts` })
    }
    const known = [rule.jsonPart, ...rule.fileParts]
    const unknown = names.filter((name) => !known.includes(name))
    if (unknown.length > 0) {
      return yield* invalid(
        Object.fromEntries(
          unknown.map((name) => [name, "Extra inputs are not permitted [input: …]"])
        )
      )
    }
    const value = yield* jsonPart(form, rule)
    const files: Array<readonly [string, string]> = []
    for (const name of rule.fileParts) {
      const part = form.get(name)
      if (part !== null) files.push([name, yield* textOf(part)])
    }
    return isObject(value) ? { ...value, ...Object.fromEntries(files) } : value
  })

/** No byte, or `null`: what clients send that have nothing to say. */
const isNothing = (bytes: Uint8Array): boolean =>
  bytes.byteLength <= 8 && ["", "null"].includes(new TextDecoder().decode(bytes).trim())

/**
 * The value of a body, as the operation's rule says; the payload schema has the last word on it.
 *
 * INVARIANT: `headerRefusal` has seen the type of the body.
 */
export const readValue = (
  request: IncomingRequest,
  rule: Exclude<BodyRule, { readonly _tag: "RawBody" }>
): Effect.Effect<unknown, Refusal> => {
  if (rule._tag === "NoBody") return Effect.succeed(undefined)
  if (rule._tag === "FormBody" && MediaType.isForm(mediaTypeOf(request))) {
    const original = request.headers("content-type")[0] ?? ""
    return readBytes(request, JSON_BYTES_MAX).pipe(
      Effect.flatMap((bytes) => readForm(bytes, original)),
      Effect.flatMap((form) => formValue(form, rule))
    )
  }
  return Effect.flatMap(readBytes(request, limitOf(rule)), (bytes) =>
    rule._tag === "JsonBody" && rule.optional && isNothing(bytes)
      ? Either.right({})
      : parseBytes(bytes)
  )
}
