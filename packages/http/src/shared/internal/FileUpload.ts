/**
 * Reads a body that is a file, or a form with one file whose other parts are parameters of the operation.
 *
 * Limits are checked as bytes arrive. Memory holds the parameters and one piece of the file.
 */
import { BadRequest, invalid, PayloadTooLarge } from "@attestry/api/HttpError"
import { type FileBody, PARTS_MAX } from "@attestry/api/Operation"
import type { StoreError } from "@attestry/core/StoreError"
import * as Bytes from "@attestry/transparency-log/Bytes"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { IncomingRequest } from "../HttpMessage.js"
import type { UploadSpool } from "../UploadSpool.js"
import * as DryRunRequest from "./DryRunRequest.js"
import { MultipartForm, type Step } from "./MultipartForm.js"
import type { PartInfo } from "./PartHeader.js"
import {
  fileTooLarge,
  isForm,
  MALFORMED_FORM,
  printable,
  REPEATED,
  type Refusal,
  tooLarge
} from "./RequestBody.js"
import type { UploadedFile, UploadedForm } from "./Upload.js"

/** A parameter in a form has at most this many bytes. */
export const FIELD_BYTES_MAX = 65_536

/** Where files are written, and their limit. */
export interface FileOptions {
  readonly spool: Context.Tag.Service<typeof UploadSpool>
  readonly bytesMax: number
}

type Read<A> = Effect.Effect<A, Refusal | StoreError, Scope.Scope>

/** A part that is arriving. */
interface Part {
  readonly take: (bytes: Uint8Array) => Effect.Effect<void, Refusal | StoreError>
  readonly end: Effect.Effect<void, Refusal | StoreError>
}

/** Writes a file to the spool and refuses it beyond its limit. */
const filePart = (
  filename: string,
  { bytesMax, spool }: FileOptions,
  keep: (file: UploadedFile) => void
): Read<Part> =>
  Effect.map(spool.open, (writer) => {
    let size = 0
    return {
      take: (bytes) => {
        size += bytes.byteLength
        return size > bytesMax ? fileTooLarge(bytesMax) : writer.write(bytes)
      },
      end: Effect.map(writer.finish, (content) => keep({ ...content, filename }))
    }
  })

const decodeText = (name: string, bytes: Uint8Array): Effect.Effect<string, Refusal> =>
  Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => invalid({ [printable(name)]: "Input should be valid UTF-8 [input: …]" })
  })

const fieldPart = (name: string, keep: (text: string) => void): Part => {
  const pieces: Array<Uint8Array> = []
  let size = 0
  return {
    take: (bytes) => {
      size += bytes.byteLength
      if (size > FIELD_BYTES_MAX) return tooLarge(`part \`${printable(name)}\``, FIELD_BYTES_MAX)
      return Effect.sync(() => void pieces.push(bytes.slice()))
    },
    end: Effect.map(
      Effect.suspend(() => decodeText(name, Bytes.concat(pieces))),
      keep
    )
  }
}

/** Reads the parts of one form. */
const makeReader = (rule: FileBody, options: FileOptions) => {
  const fields = new Map<string, string>()
  const files: Array<UploadedFile> = []
  const seen = new Set<string>()
  let part: Part | undefined

  const begin = ({ filename, name }: PartInfo): Read<Part> => {
    if (seen.has(name)) return invalid({ [printable(name)]: REPEATED })
    seen.add(name)
    if (seen.size > PARTS_MAX)
      return new PayloadTooLarge({ message: `the form has more than ${PARTS_MAX} parts` })
    if (name === rule.filePart)
      return filePart(filename ?? "", options, (file) => void files.push(file))
    // WHY: whether a request is a dry run is decided before its body is read.
    if (name === DryRunRequest.PARAMETER)
      return invalid({ [name]: "Send this parameter in the query [input: …]" })
    return Effect.succeed(fieldPart(name, (text) => void fields.set(name, text)))
  }

  const step = (next: Step): Read<void> => {
    if (next._tag === "Begin")
      return Effect.map(begin(next.info), (begun) => {
        part = begun
      })
    if (part === undefined) return Effect.void
    return next._tag === "Bytes" ? part.take(next.bytes) : part.end
  }

  const finish: Effect.Effect<UploadedForm, Refusal> = Effect.suspend(() =>
    files.length === 0
      ? invalid({ [rule.filePart]: "Field required [input: None]" })
      : Effect.succeed({ value: Object.fromEntries(fields), files })
  )
  return { step, finish }
}

const incomplete = () => new BadRequest({ message: "the body ended before it was complete" })

const malformed = invalid({ body: MALFORMED_FORM })

const readForm = (
  request: IncomingRequest,
  rule: FileBody,
  options: FileOptions
): Read<UploadedForm> =>
  Effect.suspend(() => {
    const form = new MultipartForm(request.headers("content-type")[0] ?? "")
    const reader = makeReader(rule, options)
    const run = (steps: ReadonlyArray<Step> | undefined) =>
      steps === undefined ? malformed : Effect.forEach(steps, reader.step, { discard: true })
    return Stream.fromAsyncIterable(request.body, incomplete).pipe(
      Stream.runForEach((bytes) => run(form.write(bytes))),
      Effect.zipRight(Effect.suspend(() => (form.isWhole ? reader.finish : malformed)))
    )
  })

const readWhole = (request: IncomingRequest, options: FileOptions): Read<UploadedForm> =>
  Effect.gen(function* () {
    const files: Array<UploadedFile> = []
    const { end, take } = yield* filePart("", options, (file) => void files.push(file))
    yield* Stream.runForEach(Stream.fromAsyncIterable(request.body, incomplete), take)
    yield* end
    return { value: {}, files }
  })

/** Reads a file and the parameters of its form; the file is readable until the scope closes. */
export const read = (
  request: IncomingRequest,
  rule: FileBody,
  options: FileOptions
): Read<UploadedForm> =>
  isForm(request) ? readForm(request, rule, options) : readWhole(request, options)

/** The parameters of a form as a query. */
export const queryOf = (fields: unknown): string =>
  Predicate.isRecord(fields)
    ? new URLSearchParams(
        Object.entries(fields).map(([name, value]) => [name, String(value)])
      ).toString()
    : ""
