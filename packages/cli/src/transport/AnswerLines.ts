/** Reads an answer that streams lines of JSON. */
import * as Json from "../shared/Json.js"
import * as AnswerStream from "./AnswerStream.js"

/** The media type of streamed lines. */
export const MEDIA_TYPE = "application/x-ndjson"

/** The maximum length of a line. */
export const LINE_LENGTH_MAX = 16_777_216

/** The request for a stream of lines. */
export interface LineRequest extends Omit<AnswerStream.StreamRequest, "init"> {
  readonly headers: { readonly [name: string]: string }
  readonly payload: unknown
}

const { broken } = AnswerStream

const parsed = (request: LineRequest, line: string): Json.Fields => {
  try {
    const value: unknown = JSON.parse(line)
    if (Json.isObject(value)) return value
  } catch (cause) {
    throw broken(request, "a line is no JSON", cause)
  }
  throw broken(request, "a line is no object")
}

/** The complete lines of a text, and the incomplete rest. */
const split = (request: LineRequest, text: string): readonly [ReadonlyArray<string>, string] => {
  const lines = text.split("\n")
  const rest = lines.pop() ?? ""
  if (rest.length > LINE_LENGTH_MAX) throw broken(request, "a line is too long")
  return [lines.filter((line) => line !== ""), rest]
}

/** Yields the lines; drops an incomplete last line. */
export async function* read(request: LineRequest): AsyncGenerator<Json.Fields> {
  const init = {
    method: "POST",
    headers: { ...request.headers, accept: MEDIA_TYPE, "content-type": "application/json" },
    body: JSON.stringify(request.payload)
  }
  const decoder = new TextDecoder()
  let rest = ""
  for await (const piece of AnswerStream.read({ ...request, init })) {
    const [lines, left] = split(request, rest + decoder.decode(piece, { stream: true }))
    rest = left
    for (const line of lines) yield parsed(request, line)
  }
  if (rest !== "") throw broken(request, "its last line has no end")
}
