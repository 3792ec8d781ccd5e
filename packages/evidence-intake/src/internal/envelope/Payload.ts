/**
 * The payload of an envelope: a statement for the payload types of in-toto, and for other types one of the formats
 * that may be signed bare. An envelope in an envelope is not read.
 */
import * as Either from "effect/Either"
import type { Envelope } from "../../EvidenceDocument.js"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import * as FileText from "../FileText.js"
import type { Formats } from "../Formats.js"
import * as JsonSource from "../JsonSource.js"
import * as Members from "../Members.js"
import * as Problem from "../Problem.js"
import * as ReadDocument from "../ReadDocument.js"
import * as Statement from "../statement/Statement.js"

/** The first and last rule of the formats that may be signed bare. */
const BARE = { first: 5, last: 13 }

const IN_TOTO = /^application\/vnd\.in-toto(?:\.[^\s;,]{1,100})?\+json$/

const UNKNOWN = Problem.unreadable(
  "payloadType is not one of in-toto, and the content is none that may be signed bare"
)

const readStatement = (
  formats: Formats,
  value: unknown
): Either.Either<ReadDocument.ReadDocument, EvidenceProblem> =>
  Members.isObject(value) && Statement.isStatement(value)
    ? Statement.read(formats.predicates, value)
    : Either.left(
        Problem.unreadable("payloadType says in-toto, and this is no statement of in-toto")
      )

const readBare = (
  formats: Formats,
  value: unknown
): Either.Either<ReadDocument.ReadDocument, EvidenceProblem> => {
  if (!Members.isObject(value) && !Array.isArray(value)) return Either.left(UNKNOWN)
  const format = formats.json.find(
    ({ rule, isFormat }) => rule >= BARE.first && rule <= BARE.last && isFormat(value)
  )
  return format === undefined
    ? Either.left(UNKNOWN)
    : Either.map(format.read(value), ReadDocument.unsigned)
}

/** Reads the payload of an envelope. */
export const read = (
  formats: Formats,
  { payload, payloadType }: Envelope
): Either.Either<ReadDocument.ReadDocument, EvidenceProblem> =>
  FileText.decode(payload).pipe(
    Either.flatMap(JsonSource.parse),
    Either.flatMap(JsonSource.once),
    Either.flatMap((value) =>
      IN_TOTO.test(payloadType) ? readStatement(formats, value) : readBare(formats, value)
    ),
    Either.mapLeft(Problem.within("payload"))
  )
