/** Recognises JSON by its content. The first rule that fits decides, so a file always has one format. */
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../EvidenceProblem.js"
import * as AttestationsAnswer from "./envelope/AttestationsAnswer.js"
import * as DsseEnvelope from "./envelope/DsseEnvelope.js"
import * as Payload from "./envelope/Payload.js"
import * as SigstoreBundle from "./envelope/SigstoreBundle.js"
import type { JsonObject } from "./Format.js"
import type { Formats } from "./Formats.js"
import * as JsonSource from "./JsonSource.js"
import * as Members from "./Members.js"
import * as Problem from "./Problem.js"
import * as ReadDocument from "./ReadDocument.js"
import * as Statement from "./statement/Statement.js"

type Documents = Either.Either<ReadonlyArray<ReadDocument.ReadDocument>, EvidenceProblem>

/** A format whose documents are, or may be, signed. */
interface SignedFormat {
  readonly rule: number
  readonly name: string
  readonly isFormat: (value: JsonObject) => boolean
  readonly read: (formats: Formats, value: JsonObject) => Documents
}

/** A value whose format is known. */
export interface Recognised {
  readonly rule: number
  readonly documents: () => Documents
}

const readEnvelope = (
  formats: Formats,
  value: JsonObject
): Either.Either<ReadDocument.ReadDocument, EvidenceProblem> =>
  Either.flatMap(DsseEnvelope.parse(value), (envelope) =>
    Either.map(Payload.read(formats, envelope), (document) => ({
      ...ReadDocument.inFormat(document, { name: DsseEnvelope.NAME, version: null }),
      signed: { kind: "dsse", envelope }
    }))
  )

/** Formats of rules 1 to 4, in this order. */
const SIGNED: ReadonlyArray<SignedFormat> = [
  {
    rule: 1,
    name: SigstoreBundle.NAME,
    isFormat: SigstoreBundle.isBundle,
    read: (formats, value) => Either.map(SigstoreBundle.read(formats, value), Array.of)
  },
  {
    rule: 2,
    name: DsseEnvelope.NAME,
    isFormat: DsseEnvelope.isEnvelope,
    read: (formats, value) => Either.map(readEnvelope(formats, value), Array.of)
  },
  {
    rule: 3,
    name: AttestationsAnswer.NAME,
    isFormat: AttestationsAnswer.isAnswer,
    read: AttestationsAnswer.read
  },
  {
    rule: 4,
    name: Statement.NAME,
    isFormat: Statement.isStatement,
    read: ({ predicates }, value) => Either.map(Statement.read(predicates, value), Array.of)
  }
]

/** The last rule of formats whose documents are texts in them. */
const WRAPPER_MAX = 3

/** The format of a JSON text; null for an unknown one. */
export const recognise = (formats: Formats, source: JsonSource.JsonSource): Recognised | null => {
  const { value } = source
  const signed = Members.isObject(value)
    ? SIGNED.find(({ isFormat }) => isFormat(value))
    : undefined
  if (signed !== undefined && Members.isObject(value))
    return {
      rule: signed.rule,
      documents: () =>
        Either.flatMap(
          signed.rule <= WRAPPER_MAX ? JsonSource.around(source) : Either.right(source),
          () => Either.flatMap(JsonSource.once(source), () => signed.read(formats, value))
        )
    }
  if (!Members.isObject(value) && !Array.isArray(value)) return null
  const format = formats.json.find(({ isFormat }) => isFormat(value))
  return format === undefined
    ? null
    : {
        rule: format.rule,
        documents: () =>
          Either.map(format.read(value), (content) => [ReadDocument.unsigned(content)])
      }
}

/** The names of all formats in the order of their rules, each once. */
const namesOf = ({ json, xml, text }: Formats): ReadonlyArray<string> => {
  const all = [...SIGNED, ...json, ...xml, ...text].sort((a, b) => a.rule - b.rule)
  return [...new Set(all.map(({ name }) => name))]
}

/** The problem of a file of an unknown format. */
export const unknown = (formats: Formats): EvidenceProblem =>
  Problem.unreadable(
    `This is none of the evidence formats that are read: ${namesOf(formats).join(", ")}`
  )
