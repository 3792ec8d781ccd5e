/**
 * Bodies, read within their limits.
 *
 * The limit holds while the body streams in, whatever `Content-Length` says; JSON and forms come out as
 * one plain value with the same fields. DECISION
 */
import * as Bytes from "@attestry/core/Bytes"
import type * as TextProblems from "@attestry/core/TextProblems"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { BadRequest, invalid, PayloadTooLarge, UnsupportedMediaType } from "../HttpError.js"
import type { BodyPieces, IncomingRequest } from "../HttpMessage.js"
import { inTurns } from "./InTurns.js"
import * as JsonText from "./JsonText.js"
import * as MediaType from "./MediaType.js"
import { MultipartForm } from "./MultipartForm.js"
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

/** Looks for what is wrong with a text before it is parsed. */
export type FindProblems = TextProblems.Find

/** What a check finds in a text; a large one is looked through in turns with other work. */
export const findProblems = (text: string, find: FindProblems): Effect.Effect<void, BadRequest> =>
  Effect.flatMap(
    inTurns(() => find(text)),
    (problems) => (problems.size === 0 ? Effect.void : invalid(problems.toFieldErrors()))
  )

/** Looks for what is wrong with the value of a large form before it is decoded. */
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

/** The JSON value of a text that is checked before it is parsed, if it is large. */
const parseChecked = (
  text: string,
  find: FindProblems | undefined
): Effect.Effect<unknown, BadRequest> =>
  find === undefined || text.length <= JsonText.LARGE
    ? parseText(text)
    : Effect.zipRight(findProblems(text, find), parseText(text))

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What a form is told that is none, is not whole, or goes on after its end. */
export const MALFORMED_FORM = "Input should be valid multipart/form-data [input: …]"

/** What a field is told that came more than once. */
export const REPEATED = JsonText.REPEATED

/** The name of a part as refusals show it. */
export const printable = (name: string): string => JSON.stringify(name.slice(0, 100)).slice(1, -1)

type FormRule = Extract<BodyRule, { readonly _tag: "FormBody" }>

/** So many bytes of a form are looked at before its parts are counted. */
const LOOK_BYTES = 65_536

interface Part {
  readonly name: string
  readonly pieces: Array<Uint8Array>
}

/** The parts of a form that has come whole. */
const readParts = (
  bytes: Uint8Array,
  contentType: string
): Either.Either<ReadonlyArray<Part>, Refusal> => {
  const form = new MultipartForm(contentType)
  const parts: Array<Part> = []
  for (let at = 0; at < bytes.byteLength; at += LOOK_BYTES) {
    for (const step of form.write(bytes.subarray(at, at + LOOK_BYTES)) ?? []) {
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

/** The parts by name; names that the rule does not have, or that came twice, are refused. */
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

/** What is wrong with the JSON of a part as a whole is told under the part's name. */
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

/** The fields of a form's JSON part, with each text file as one more field under its part's name. */
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
    if (!isObject(value)) return value
    const twice = files.filter(([name]) => Object.hasOwn(value, name))
    return twice.length > 0
      ? yield* invalid(Object.fromEntries(twice.map(([name]) => [name, REPEATED])))
      : { ...value, ...Object.fromEntries(files) }
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
  rule: Exclude<BodyRule, { readonly _tag: "RawBody" }>,
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
    rule._tag === "JsonBody" && rule.optional && isNothing(bytes)
      ? Effect.succeed({})
      : Effect.flatMap(decodeText(bytes), (text) => parseChecked(text, find))
  )
}
