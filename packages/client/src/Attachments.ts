/**
 * Files of an attestation. The call is checked against the contract as without files; the transport then sends its
 * JSON as the first part of a form and each file as another part.
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

/** A file: its name, its length, and its bytes, which can be read more than once. */
export interface Attachment {
  readonly filename: string
  readonly size: number
  readonly content: Blob | Stream.Stream<Uint8Array, Error>
}

/** The progress of one attempt, in bytes of the whole form. */
export interface Progress {
  readonly sent: number
  readonly total: number
}

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

/** A file of bytes in memory. */
export const fromBytes = (filename: string, bytes: Uint8Array): Attachment => ({
  filename,
  size: bytes.byteLength,
  // WHY the copy: the caller may change its bytes before they are sent.
  content: new Blob([new Uint8Array(bytes)])
})

/** A file of a browser or a runtime, such as one from a file input. */
export const fromBlob = (filename: string, content: Blob): Attachment => ({
  filename,
  size: content.size,
  content
})

/** Sends files with a call: `client.attestation.generic(…).pipe(Attachments.attach({ files }))`. */
export const attach =
  (along: Attached) =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.locally(call, attached, along)

const JSON_PART = "data_json"
const FILE_PART = "attachment_file"

const text = (value: string): Uint8Array => new TextEncoder().encode(value)

/** Escapes a quoted name as browsers do. */
const quoted = (name: string): string =>
  name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22")

interface Part {
  readonly size: number
  readonly content: Uint8Array | Attachment["content"]
}

const bytesPart = (value: string): Part => {
  const content = text(value)
  return { size: content.byteLength, content }
}

const head = (boundary: string, disposition: string, contentType: string): string =>
  `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\ncontent-type: ${contentType}\r\n\r\n`

const partsOf = (
  boundary: string,
  json: Uint8Array,
  files: ReadonlyArray<Attachment>
): ReadonlyArray<Part> => [
  bytesPart(head(boundary, `name="${JSON_PART}"`, "application/json")),
  { size: json.byteLength, content: json },
  ...files.flatMap(({ filename, size, content }): ReadonlyArray<Part> => {
    const disposition = `name="${FILE_PART}"; filename="${quoted(filename)}"`
    return [
      bytesPart(`\r\n${head(boundary, disposition, "application/octet-stream")}`),
      { size, content }
    ]
  }),
  bytesPart(`\r\n--${boundary}--\r\n`)
]

/** The largest piece of a file in bytes. */
const PIECE_BYTES = 65_536

const blobPieces = (blob: Blob): Stream.Stream<Uint8Array, Error> =>
  Stream.unfoldEffect(0, (from) =>
    from >= blob.size
      ? Effect.succeedNone
      : Effect.tryPromise({
          try: () => blob.slice(from, from + PIECE_BYTES).arrayBuffer(),
          catch: (cause) => new Error("an attachment could not be read", { cause })
        }).pipe(
          Effect.map((buffer) =>
            Option.some([new Uint8Array(buffer), from + buffer.byteLength] as const)
          )
        )
  )

const piecesOf = ({ content }: Part): Stream.Stream<Uint8Array, Error> => {
  if (content instanceof Uint8Array) return Stream.succeed(content)
  return content instanceof Blob ? blobPieces(content) : content
}

const streamed = (
  parts: ReadonlyArray<Part>,
  total: number,
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

const isInMemory = (part: Part): part is Part & { readonly content: Uint8Array | Blob } =>
  part.content instanceof Uint8Array || part.content instanceof Blob

const jsonOf = (body: HttpBody.HttpBody): Uint8Array | undefined =>
  body._tag === "Uint8Array" ? body.body : undefined

/** WHY two ways: few browsers send streams, all send a `Blob`, and only a stream can report progress. */
const formOf = (
  request: HttpClientRequest.HttpClientRequest,
  json: Uint8Array,
  { files, onProgress }: Attached
): HttpClientRequest.HttpClientRequest => {
  const boundary = `attestry-${crypto.randomUUID()}`
  const contentType = `multipart/form-data; boundary=${boundary}`
  const parts = partsOf(boundary, json, files)
  const total = parts.reduce((sum, { size }) => sum + size, 0)
  const whole = parts.filter(isInMemory)
  if (onProgress === undefined && whole.length === parts.length) {
    const pieces = whole.map(({ content }) =>
      content instanceof Blob ? content : new Uint8Array(content)
    )
    const body = HttpBody.raw(new Blob(pieces), { contentType, contentLength: total })
    return HttpClientRequest.setBody(request, body)
  }
  const stream = streamed(parts, total, onProgress)
  return HttpClientRequest.bodyStream(request, stream, { contentType })
}

/** The request as a form with the files of the call; unchanged where there are none. */
export const intoForm = (
  request: HttpClientRequest.HttpClientRequest
): Effect.Effect<HttpClientRequest.HttpClientRequest> =>
  Effect.map(FiberRef.get(attached), (along) => {
    const json = jsonOf(request.body)
    return along === undefined || along.files.length === 0 || json === undefined
      ? request
      : formOf(request, json, along)
  })
