/**
 * Reads evidence files: recognises a file by its content alone, reads it into facts, and keeps the signed bytes for
 * verification. Reading is total: every file gives documents or one problem, in bounded time and memory.
 *
 * Signatures are not checked here.
 */
import { SUBJECTS_LISTED_MAX } from "@attestry/core/EvidenceFacts"
import * as Either from "effect/Either"
import type { EvidenceDocument, EvidenceFile, IgnoredLine } from "./EvidenceDocument.js"
import type { EvidenceProblem } from "./EvidenceProblem.js"
import * as FactsLimit from "./internal/FactsLimit.js"
import * as FileText from "./internal/FileText.js"
import * as Formats from "./internal/Formats.js"
import * as JsonLines from "./internal/JsonLines.js"
import * as JsonSource from "./internal/JsonSource.js"
import * as Problem from "./internal/Problem.js"
import * as ReadDocument from "./internal/ReadDocument.js"
import * as Recognition from "./internal/Recognition.js"
import * as Sha256 from "./internal/Sha256.js"
import * as Subjects from "./internal/statement/Subjects.js"

/** The version of the reader; facts of an earlier version may differ for the same bytes. */
export const READER_VERSION = 1

/** The most bytes of a file, packed and unpacked, unless the caller sets a limit. */
export const FILE_BYTES_MAX = 33_554_432
/** The highest limit of the bytes of a file that a caller can set. */
export const FILE_BYTES_CEILING = 268_435_456
/** The most lines of a file of JSON lines. */
export const LINES_MAX = 1_000
/** The most bytes of a line. */
export const LINE_BYTES_MAX = 8_388_608
/** The most documents of a file, in lines and lists together. */
export const DOCUMENTS_MAX = 1_000

/** The limits of one file. */
export interface ReadLimits {
  /** At most `FILE_BYTES_CEILING` counts. */
  readonly fileBytes: number
  readonly lines: number
  readonly lineBytes: number
}

/** The limits unless the caller gives others. */
export const LIMITS: ReadLimits = {
  fileBytes: FILE_BYTES_MAX,
  lines: LINES_MAX,
  lineBytes: LINE_BYTES_MAX
}

/** A document and its line. */
interface Placed {
  readonly line: number | null
  readonly document: ReadDocument.ReadDocument
}

/** The documents of a text. */
interface Content {
  readonly documents: ReadonlyArray<Placed>
  readonly ignored: ReadonlyArray<IgnoredLine>
}

type Read<A> = Either.Either<A, EvidenceProblem>

const whole = (documents: ReadonlyArray<ReadDocument.ReadDocument>): Content => ({
  documents: documents.map((document) => ({ line: null, document })),
  ignored: []
})

const UNKNOWN = Recognition.unknown(Formats.ALL)

const readJson = (text: string, limits: ReadLimits): Read<Content> => {
  const source = JsonSource.parse(text)
  if (Either.isRight(source)) {
    const recognised = Recognition.recognise(Formats.ALL, source.right)
    return recognised === null ? Either.left(UNKNOWN) : Either.map(recognised.documents(), whole)
  }
  return JsonLines.isLines(text)
    ? JsonLines.read(Formats.ALL, text, limits)
    : Either.left(source.left)
}

const readXml = (text: string): Read<Content> =>
  Either.flatMap(Formats.ALL.parseXml(text), (root) => {
    const format = Formats.ALL.xml.find(({ isFormat }) => isFormat(root))
    return format === undefined
      ? Either.left(UNKNOWN)
      : Either.map(format.read(root), (content) => whole([ReadDocument.unsigned(content)]))
  })

const readLines = (text: string): Read<Content> => {
  const format = Formats.ALL.text.find(({ isFormat }) => isFormat(text))
  return format === undefined
    ? Either.left(UNKNOWN)
    : Either.map(format.read(text), (content) => whole([ReadDocument.unsigned(content)]))
}

const readText = (text: string, limits: ReadLimits): Read<Content> => {
  if (text.startsWith("{") || text.startsWith("[")) return readJson(text, limits)
  return text.startsWith("<") ? readXml(text) : readLines(text)
}

/** The document with the members that the file decides. */
const inFile =
  (file: Pick<EvidenceFile, "digest" | "size">) =>
  ({ line, document: { content, signed, predicateType } }: Placed): Read<EvidenceDocument> =>
    Either.gen(function* () {
      const subjects = yield* Subjects.distinct(content.subjects.map(Either.right))
      const isCut = subjects.length > SUBJECTS_LISTED_MAX
      const facts = yield* FactsLimit.bound({
        ...content.facts,
        ...file,
        subjects: subjects.slice(0, SUBJECTS_LISTED_MAX),
        subject_count: subjects.length,
        truncated: isCut ? [...content.facts.truncated, "subjects"] : content.facts.truncated
      })
      return {
        line,
        facts,
        subjects,
        signed,
        predicateType,
        parameters: content.parameters ?? {},
        components: content.components ?? [],
        findings: content.findings ?? [],
        statements: content.statements ?? []
      }
    }).pipe(Either.mapLeft(line === null ? (problem) => problem : Problem.onLine(line)))

/**
 * Reads a file into its documents. Fails with the first problem; a file is read as a whole or not at all, except for
 * lines of an unknown kind.
 */
export const read = (
  bytes: Uint8Array,
  limits: Partial<ReadLimits> = {}
): Either.Either<EvidenceFile, EvidenceProblem> =>
  Either.gen(function* () {
    const all = { ...LIMITS, ...limits }
    const text = yield* FileText.read(bytes, Math.min(all.fileBytes, FILE_BYTES_CEILING))
    const { documents, ignored } = yield* readText(text, all)
    if (documents.length > DOCUMENTS_MAX)
      return yield* Either.left(
        Problem.unreadable(`the file has more than ${DOCUMENTS_MAX} documents`)
      )
    const file = { digest: Sha256.ofBytes(bytes), size: bytes.length }
    return { ...file, documents: yield* Either.all(documents.map(inFile(file))), ignored }
  })
