/**
 * Files of a call. The call is checked against the contract as without files; the transport then sends its JSON as the
 * first part of a form and each file as another part. The only file of a write without JSON, such as an evidence file,
 * is the body as it is.
 *
 * Contents can be read repeatedly, because a call may be repeated. `node/FileAttachment` reads files from a disk.
 */
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { globalValue } from "effect/GlobalValue"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Attachment, Progress } from "./Attachment.js"
import * as FormParts from "./internal/FormParts.js"

/** Files, whose module is free of Effect. */
export { type Attachment, fromBlob, fromBytes, type Progress } from "./Attachment.js"

/** The files of a call. */
export interface Attached {
  readonly files: ReadonlyArray<Attachment>
  /** Called after each piece that was sent; a repeated attempt starts at zero. */
  readonly onProgress?: (progress: Progress) => void
}

const attached: FiberRef.FiberRef<Attached | undefined> = globalValue(
  "@attestry/client/Attachments",
  () => FiberRef.unsafeMake<Attached | undefined>(undefined)
)

/** Sends files with a call: `client.attestation.generic(…).pipe(Attachments.attach({ files }))`. */
export const attach =
  (along: Attached) =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.locally(call, attached, along)

const blobPieces = (blob: Blob): Stream.Stream<Uint8Array, Error> =>
  Stream.unfoldEffect(0, (from) =>
    from >= blob.size
      ? Effect.succeedNone
      : Effect.tryPromise({
          try: () => blob.slice(from, from + FormParts.PIECE_BYTES).arrayBuffer(),
          catch: (cause) => new Error("an attachment could not be read", { cause })
        }).pipe(
          Effect.map((buffer) =>
            Option.some([new Uint8Array(buffer), from + buffer.byteLength] as const)
          )
        )
  )

const unreadable = (cause: unknown): Error =>
  cause instanceof Error ? cause : new Error("an attachment could not be read", { cause })

const piecesOf = ({ content }: FormParts.Part): Stream.Stream<Uint8Array, Error> => {
  if (content instanceof Uint8Array) return Stream.succeed(content)
  if (content instanceof Blob) return blobPieces(content)
  return FormParts.isIterable(content) ? Stream.fromAsyncIterable(content, unreadable) : content
}

const streamed = (
  { parts, total }: FormParts.Form,
  onProgress: Attached["onProgress"]
): Stream.Stream<Uint8Array, Error> =>
  Stream.suspend(() => {
    let sent = 0
    return Stream.tap(Stream.flatMap(Stream.fromIterable(parts), piecesOf), (bytes) =>
      Effect.sync(() => {
        sent += bytes.byteLength
        onProgress?.({ sent, total })
      })
    )
  })

const jsonOf = (body: HttpBody.HttpBody): Uint8Array | undefined =>
  body._tag === "Uint8Array" ? body.body : undefined

/** WHY two ways: few browsers send streams, all send a `Blob`, and only a stream can report progress. */
const withBody = (
  request: HttpClientRequest.HttpClientRequest,
  form: FormParts.Form,
  onProgress: Attached["onProgress"]
): HttpClientRequest.HttpClientRequest => {
  const { contentType, total } = form
  const whole = onProgress === undefined ? FormParts.inMemory(form) : undefined
  return whole === undefined
    ? HttpClientRequest.bodyStream(request, streamed(form, onProgress), { contentType })
    : HttpClientRequest.setBody(request, HttpBody.raw(whole, { contentType, contentLength: total }))
}

/** The body with the files; undefined where the request has no place for them. */
const formOf = (
  { body, method }: HttpClientRequest.HttpClientRequest,
  files: Attached["files"]
): FormParts.Form | undefined => {
  const [file, ...others] = files
  if (file === undefined) return undefined
  const json = jsonOf(body)
  if (json !== undefined) return FormParts.make(json, files)
  return body._tag === "Empty" && method !== "GET" && others.length === 0
    ? FormParts.ofFile(file)
    : undefined
}

/** The request with the files of the call; unchanged where there are none. */
export const intoForm = (
  request: HttpClientRequest.HttpClientRequest
): Effect.Effect<HttpClientRequest.HttpClientRequest> =>
  Effect.map(FiberRef.get(attached), (along) => {
    const form = along === undefined ? undefined : formOf(request, along.files)
    return form === undefined ? request : withBody(request, form, along?.onProgress)
  })
