/**
 * Reads a form with one part of JSON and any number of files as a stream.
 *
 * Limits are checked as bytes arrive, so a form beyond a limit is refused before it is complete. Memory holds the JSON
 * and one piece of a file at most.
 */
import { BadRequest, invalid, PayloadTooLarge } from "@attestry/api/HttpError"
import { JSON_PART_BYTES_MAX, PARTS_MAX, type UploadBody } from "@attestry/api/Operation"
import { ARTIFACT_NAME_LENGTH_MAX } from "@attestry/core/Identifier"
import * as StorableText from "@attestry/core/StorableText"
import type { StoreError } from "@attestry/core/StoreError"
import * as Bytes from "@attestry/transparency-log/Bytes"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { IncomingRequest } from "../HttpMessage.js"
import type { SpooledContent, SpoolWriter, UploadSpool } from "../UploadSpool.js"
import { MultipartForm, type Step } from "./MultipartForm.js"
import type { PartInfo } from "./PartHeader.js"
import {
  checkLarge,
  type FindProblems,
  MALFORMED_FORM,
  parsePart,
  printable,
  REPEATED,
  type Refusal,
  tooLarge
} from "./RequestBody.js"

/** A file of a form. */
export interface UploadedFile extends SpooledContent {
  readonly filename: string
}

/** The content of a form. */
export interface UploadedForm {
  readonly value: unknown
  readonly files: ReadonlyArray<UploadedFile>
}

/** Where files are written, and their limits. */
export interface UploadOptions {
  readonly spool: Context.Tag.Service<typeof UploadSpool>
  readonly fileBytesMax: number
  /** Finds problems in the JSON of a form before it is decoded. */
  readonly find?: FindProblems | undefined
}

const malformed = invalid({ body: MALFORMED_FORM })

interface Part {
  readonly take: (bytes: Uint8Array) => Effect.Effect<void, Refusal | StoreError>
  readonly end: Effect.Effect<void, Refusal | StoreError>
}

/** Counts the bytes of a part and refuses it beyond a limit. */
const limited = (name: string, bytesMax: number, { take, end }: Part): Part => {
  let size = 0
  return {
    end,
    take: (bytes) => {
      size += bytes.byteLength
      return size > bytesMax ? tooLarge(`part \`${name}\``, bytesMax) : take(bytes)
    }
  }
}

const baseName = (path: string): string =>
  path.slice(Math.max(...[..."/\\"].map((mark) => path.lastIndexOf(mark))) + 1)

const filenameOf = ({ name, filename }: PartInfo): string => baseName(filename ?? name) || name

/** Reads the parts of one form. */
const makeReader = (rule: UploadBody, { spool, fileBytesMax, find }: UploadOptions) => {
  const json: Array<Uint8Array> = []
  const files: Array<UploadedFile> = []
  let parts = 0
  let hasJson = false
  let part: Part | undefined

  const jsonPart = (): Part => {
    hasJson = true
    return limited(rule.jsonPart, JSON_PART_BYTES_MAX, {
      take: (bytes) => Effect.sync(() => void json.push(bytes.slice())),
      end: Effect.void
    })
  }

  const filePart = (filename: string, writer: SpoolWriter): Part =>
    limited(rule.filePart, fileBytesMax, {
      take: writer.write,
      end: Effect.map(writer.finish, (content) => void files.push({ ...content, filename }))
    })

  const begin = (info: PartInfo): Effect.Effect<Part, Refusal | StoreError, Scope.Scope> => {
    if (++parts > PARTS_MAX)
      return new PayloadTooLarge({ message: `the form has more than ${PARTS_MAX} parts` })
    if (info.name === rule.jsonPart)
      return hasJson ? invalid({ [rule.jsonPart]: REPEATED }) : Effect.sync(jsonPart)
    if (info.name !== rule.filePart)
      return invalid({ [printable(info.name)]: "Extra inputs are not permitted [input: …]" })
    const filename = filenameOf(info)
    if (filename.length > ARTIFACT_NAME_LENGTH_MAX || StorableText.isUnstorable(filename))
      return invalid({
        [rule.filePart]: "File name should be text of at most 1024 characters [input: …]"
      })
    return Effect.map(spool.open, (writer) => filePart(filename, writer))
  }

  const step = (next: Step): Effect.Effect<void, Refusal | StoreError, Scope.Scope> => {
    if (next._tag === "Begin")
      return Effect.map(begin(next.info), (begun) => {
        part = begun
      })
    if (part === undefined) return Effect.void
    return next._tag === "Bytes" ? part.take(next.bytes) : part.end
  }

  const finish: Effect.Effect<UploadedForm, Refusal> = Effect.suspend(() => {
    if (!hasJson) return invalid({ [rule.jsonPart]: "Field required [input: None]" })
    const bytes = Bytes.concat(json)
    return parsePart(rule.jsonPart, bytes).pipe(
      Effect.flatMap((value) => checkLarge(value, bytes.byteLength, find)),
      Effect.map((value) => ({ value, files }))
    )
  })
  return { step, finish }
}

/** Reads a form; its files are readable until the scope closes. */
export const read = (
  request: IncomingRequest,
  rule: UploadBody,
  options: UploadOptions
): Effect.Effect<UploadedForm, Refusal | StoreError, Scope.Scope> =>
  Effect.suspend(() => {
    const form = new MultipartForm(request.headers("content-type")[0] ?? "")
    const reader = makeReader(rule, options)
    const run = (steps: ReadonlyArray<Step> | undefined) =>
      steps === undefined ? malformed : Effect.forEach(steps, reader.step, { discard: true })
    const incomplete = () => new BadRequest({ message: "the body ended before it was complete" })
    return Stream.fromAsyncIterable(request.body, incomplete).pipe(
      Stream.runForEach((bytes) => run(form.write(bytes))),
      Effect.zipRight(Effect.suspend(() => (form.isWhole ? reader.finish : malformed)))
    )
  })
