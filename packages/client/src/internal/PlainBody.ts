/** The body of a request: JSON, a form with files, or one file as it is. */
import type { CallOptions } from "../Calls.js"
import * as FormParts from "./FormParts.js"

/** A body with the headers that describe it; a streamed body needs `duplex`. */
export interface PlainBody {
  readonly body?: BodyInit
  readonly headers: { readonly [name: string]: string }
  readonly duplex?: "half"
}

async function* blobPieces(blob: Blob): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < blob.size; from += FormParts.PIECE_BYTES) {
    yield new Uint8Array(await blob.slice(from, from + FormParts.PIECE_BYTES).arrayBuffer())
  }
}

async function* piecesOf({ content }: FormParts.Part): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content
  else if (content instanceof Blob) yield* blobPieces(content)
  else if (FormParts.isIterable(content)) yield* content
  else yield* (await import("./StreamPieces.js")).piecesOf(content)
}

async function* allPieces(
  { parts, total }: FormParts.Form,
  onProgress: CallOptions["onProgress"]
): AsyncGenerator<Uint8Array> {
  let sent = 0
  for (const part of parts) {
    for await (const piece of piecesOf(part)) {
      yield piece
      sent += piece.byteLength
      onProgress?.({ sent, total })
    }
  }
}

const streamOf = (pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: async (controller) => {
      const next = await pieces.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
    cancel: async () => {
      await pieces.return(undefined)
    }
  })

/** WHY two ways: few browsers send streams, all send a `Blob`, and only a stream can report progress. */
const bodyOf = (form: FormParts.Form, { onProgress }: CallOptions): PlainBody => {
  const headers = { "content-type": form.contentType }
  const whole = onProgress === undefined ? FormParts.inMemory(form) : undefined
  return whole === undefined
    ? { body: streamOf(allPieces(form, onProgress)), headers, duplex: "half" }
    : { body: whole, headers }
}

/** The body of a call, made anew for every attempt. Without a payload it is the only file, as it is. */
export const make = (payload: unknown, options: CallOptions): PlainBody => {
  const { attachments = [] } = options
  if (payload === undefined) {
    const [file, ...others] = attachments
    return file === undefined || others.length > 0
      ? { headers: {} }
      : bodyOf(FormParts.ofFile(file), options)
  }
  const json = JSON.stringify(payload)
  return attachments.length === 0
    ? { body: json, headers: { "content-type": "application/json" } }
    : bodyOf(FormParts.make(new TextEncoder().encode(json), attachments), options)
}
