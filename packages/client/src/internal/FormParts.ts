/** The parts of a body: of a form the JSON of a call first, then its files; of a file its content alone. */
import type { Attachment } from "../Attachment.js"

const JSON_PART = "data_json"
const FILE_PART = "attachment_file"

/** The largest piece of a file in bytes. */
export const PIECE_BYTES = 65_536

/** A part with its length. */
export interface Part {
  readonly size: number
  readonly content: Uint8Array | Attachment["content"]
}

/** A form, or a file as it is: its content type, its length and its parts. */
export interface Form {
  readonly contentType: string
  readonly total: number
  readonly parts: ReadonlyArray<Part>
}

const bytesPart = (value: string): Part => {
  const content = new TextEncoder().encode(value)
  return { size: content.byteLength, content }
}

/** Escapes a quoted name as browsers do. */
const quoted = (name: string): string =>
  name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22")

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

/** The form of a call. */
export const make = (json: Uint8Array, files: ReadonlyArray<Attachment>): Form => {
  const boundary = `attestry-${crypto.randomUUID()}`
  const parts = partsOf(boundary, json, files)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    total: parts.reduce((sum, { size }) => sum + size, 0),
    parts
  }
}

/** A file as it is, without a form. */
export const ofFile = ({ size, content }: Attachment): Form => ({
  contentType: "application/octet-stream",
  total: size,
  parts: [{ size, content }]
})

const isInMemory = (part: Part): part is Part & { readonly content: Uint8Array | Blob } =>
  part.content instanceof Uint8Array || part.content instanceof Blob

/** The whole form as one blob; undefined where a part is not in memory. */
export const inMemory = ({ parts }: Form): Blob | undefined => {
  const whole = parts.filter(isInMemory)
  return whole.length === parts.length
    ? new Blob(
        whole.map(({ content }) => (content instanceof Blob ? content : new Uint8Array(content)))
      )
    : undefined
}

/** Whether a content is an iterable of pieces. */
export const isIterable = (content: Part["content"]): content is AsyncIterable<Uint8Array> =>
  Symbol.asyncIterator in content
