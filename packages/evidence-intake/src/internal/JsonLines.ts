/**
 * JSON lines: each line is a file of its own of rules 1 to 12. Lines of an unknown kind are passed over and named; a
 * line that is no JSON is a problem.
 */
import * as Either from "effect/Either"
import type { IgnoredLine } from "../EvidenceDocument.js"
import type { EvidenceProblem } from "../EvidenceProblem.js"
import type { Formats } from "./Formats.js"
import * as JsonSource from "./JsonSource.js"
import * as Problem from "./Problem.js"
import type { ReadDocument } from "./ReadDocument.js"
import * as Recognition from "./Recognition.js"

/** The last rule of formats that lines may have. */
const RULE_MAX = 12

/** The limits of lines. */
export interface LineLimits {
  readonly lines: number
  readonly lineBytes: number
}

/** A line that is not blank. */
interface Line {
  /** From 1, blank lines counted. */
  readonly number: number
  readonly text: string
}

/** What lines were read into. */
export interface ReadLines {
  readonly documents: ReadonlyArray<{ readonly line: number; readonly document: ReadDocument }>
  readonly ignored: ReadonlyArray<IgnoredLine>
}

function* linesOf(text: string): Generator<Line> {
  let number = 0
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start)
    const stop = end === -1 ? text.length : end
    number += 1
    const line = text.slice(start, stop).trim()
    if (line !== "") yield { number, text: line }
    start = stop + 1
  }
}

/** Whether a text that is not JSON as a whole is lines of JSON: its first line is JSON, and another one follows. */
export const isLines = (text: string): boolean => {
  const [first, second] = [...firstTwo(text)]
  return first !== undefined && second !== undefined && Either.isRight(JsonSource.parse(first.text))
}

function* firstTwo(text: string): Generator<Line> {
  let count = 0
  for (const line of linesOf(text)) {
    yield line
    count += 1
    if (count === 2) return
  }
}

const checkLine = (
  { number, text }: Line,
  limits: LineLimits
): Either.Either<void, EvidenceProblem> =>
  Buffer.byteLength(text) > limits.lineBytes
    ? Either.left(
        Problem.onLine(number)(
          Problem.tooLarge(`The line is larger than ${limits.lineBytes} bytes`)
        )
      )
    : Either.void

/** Reads lines. Fails if no line is of a known kind. */
export const read = (
  formats: Formats,
  text: string,
  limits: LineLimits
): Either.Either<ReadLines, EvidenceProblem> =>
  Either.gen(function* () {
    const documents: Array<ReadLines["documents"][number]> = []
    const ignored: Array<IgnoredLine> = []
    let count = 0
    for (const line of linesOf(text)) {
      count += 1
      if (count > limits.lines)
        return yield* Either.left(
          Problem.unreadable(`the file has more than ${limits.lines} lines`)
        )
      yield* checkLine(line, limits)
      const onLine = Problem.onLine(line.number)
      const source = yield* Either.mapLeft(JsonSource.parse(line.text), onLine)
      const recognised = Recognition.recognise(formats, source)
      if (recognised === null || recognised.rule > RULE_MAX)
        ignored.push({ line: line.number, reason: "the kind of the line is not known" })
      else
        for (const document of yield* Either.mapLeft(recognised.documents(), onLine))
          documents.push({ line: line.number, document })
    }
    return documents.length === 0
      ? yield* Either.left(Recognition.unknown(formats))
      : { documents, ignored }
  })
