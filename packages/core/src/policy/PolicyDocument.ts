/**
 * A policy file: parses YAML text into typed rules, and prints them. SPEC §2.7.1
 *
 * Parsing reports every problem at once, each with its path, its position and the correction. The use case
 * checks that named controls exist.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as DocumentProblem from "../shared/DocumentProblem.js"
import type { FieldErrors } from "../shared/FieldErrors.js"
import * as YamlText from "../shared/YamlText.js"
import { DocumentReader, type Path } from "./internal/PolicyDocumentReader.js"
import { type SchemaVersion, versionOf } from "./internal/PolicySyntax.js"
import * as MaxAge from "./MaxAge.js"
import * as PolicyExpression from "./PolicyExpression.js"
import { PURLS } from "./PolicyExpressionTree.js"

/** The document in the form of snapshots, `policy_dump` on the wire. */
export { dump } from "./AppliedPolicy.js"
/** The words and limits of a policy file: paths of problems, types and names in rules, the number of rules. */
export { type Path, RULES_MAX } from "./internal/PolicyDocumentReader.js"
/** The patterns of types and names in rules, and the versions of files. */
export { CUSTOM_TYPE_PATTERN, isName, type SchemaVersion } from "./internal/PolicySyntax.js"

/** The most problems of one document that are reported. */
export const PROBLEMS_MAX = YamlText.PROBLEMS_MAX

/** A condition: its text as written, and its expression. */
export interface Condition {
  readonly text: string
  readonly expression: PolicyExpression.PolicyExpression
}

/** A requirement of every artifact, unless one of the exceptions is True. */
export interface Requirement {
  readonly required: boolean
  readonly exceptions: ReadonlyArray<Condition>
}

/** The requirement that some flow knows the artifact. */
export interface ProvenanceRequirement extends Requirement {
  /** The age in seconds at which the newest record of a flow no longer counts; absent without a limit. Schema 2 */
  readonly maxAge?: number
}

/** An attestation that every artifact needs, unless the condition is False. */
export interface AttestationRule {
  /** A type word, `custom:NAME`, or `*` for any type. */
  readonly type: string
  /** A name, or `*` for any name. */
  readonly name: string
  readonly condition: Condition | null
  readonly mustBeCompliant: boolean
  /** The control that a decision must be about; only with type `decision`. */
  readonly forControl: string | null
  /** The age in seconds at which an attestation no longer counts in favour; absent without a limit. Schema 2 */
  readonly maxAge?: number
  /** Whether only verified evidence counts in favour; absent where it need not be. Schema 2 */
  readonly mustBeVerified?: true
  /** The condition on the facts of an attestation that counts in favour; absent without one. Schema 2 */
  readonly where?: Condition
}

/** A policy with its defaults filled in. */
export interface PolicyDocument {
  /** The address in `_schema`, as given. */
  readonly schema: string
  readonly provenance: ProvenanceRequirement
  readonly trailCompliance: Requirement
  readonly attestations: ReadonlyArray<AttestationRule>
}

/** A text that is no policy. The path of a problem is dotted: `artifacts.attestations.0.type`. */
export class InvalidPolicyDocument extends Schema.TaggedError<InvalidPolicyDocument>()(
  "InvalidPolicyDocument",
  {
    problems: Schema.NonEmptyArray(DocumentProblem.DocumentProblem)
  }
) {
  override get message(): string {
    const [{ column, line, message, path }, ...others] = this.problems
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`
    return `invalid policy: \`${path}\` at line ${line}, column ${column}: ${message}${more}`
  }
}

/** One problem of a policy: its path, its position and its message. */
export type PolicyProblem = InvalidPolicyDocument["problems"][number]

/** The path of a problem of the whole document, such as a syntax error. */
export const ROOT_PATH = "policy_yaml"

/** The problems keyed by path; those of one path become one text. */
export const fieldErrors = ({ problems }: InvalidPolicyDocument): FieldErrors =>
  DocumentProblem.fieldErrors(problems)

const read = ({
  positionOf,
  value
}: YamlText.YamlDocument): Either.Either<PolicyDocument, InvalidPolicyDocument> => {
  const problems: Array<PolicyProblem> = []
  const reader = new DocumentReader((path: Path, message) => {
    // WHY one more than the limit: it shows that there are more.
    if (problems.length <= PROBLEMS_MAX)
      problems.push({ path: path.join(".") || ROOT_PATH, ...positionOf(path), message })
  })
  const document = reader.read(value)
  const [first, ...others] = problems.sort(
    (left, right) => left.line - right.line || left.column - right.column
  )
  return first === undefined
    ? Either.right(document)
    : Either.left(new InvalidPolicyDocument({ problems: [first, ...others] }))
}

/** Parses a policy file, or reports all its problems. */
export const parse = (text: string): Either.Either<PolicyDocument, InvalidPolicyDocument> =>
  Either.flatMap(
    Either.mapLeft(YamlText.parse(text), ({ problems: [first, ...others] }) => {
      const unplaced = (problem: YamlText.YamlProblem): PolicyProblem => ({
        path: ROOT_PATH,
        ...problem
      })
      return new InvalidPolicyDocument({ problems: [unplaced(first), ...others.map(unplaced)] })
    }),
    read
  )

// WHY: the YAML grammar does not count these as printable, and JSON does not escape them.
const UNPRINTABLE = /[\x7f-\x9f\ufeff\ufffe\uffff]/g

const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

const printWrapped = ({ text }: Condition): string => quoted(PolicyExpression.wrap(text))

const printCondition = (condition: Condition): string => `if: ${printWrapped(condition)}`

const printRequirement = (
  key: string,
  { exceptions, maxAge, required }: ProvenanceRequirement
): string => {
  const items = exceptions.map((exception) => `\n      - ${printCondition(exception)}`)
  const age = maxAge === undefined ? "" : `    max_age: ${MaxAge.print(maxAge)}\n`
  return `  ${key}:\n    required: ${required}\n${age}    exceptions:${items.join("") || " []"}\n`
}

const printRule = (rule: AttestationRule): string => {
  const lines = [
    `type: ${quoted(rule.type)}`,
    `name: ${quoted(rule.name)}`,
    ...(rule.condition === null ? [] : [printCondition(rule.condition)]),
    `must_be_compliant: ${rule.mustBeCompliant}`,
    ...(rule.forControl === null ? [] : [`for_control: ${quoted(rule.forControl)}`]),
    ...(rule.maxAge === undefined ? [] : [`max_age: ${MaxAge.print(rule.maxAge)}`]),
    ...(rule.mustBeVerified === undefined ? [] : ["must_be_verified: true"]),
    ...(rule.where === undefined ? [] : [`where: ${printWrapped(rule.where)}`])
  ]
  return `\n    - ${lines.join("\n      ")}`
}

/** The text of a policy file, with defaults written out. */
export const print = (document: PolicyDocument): string =>
  `_schema: ${quoted(document.schema)}\nartifacts:\n${printRequirement(
    "provenance",
    document.provenance
  )}${printRequirement("trail-compliance", document.trailCompliance)}  attestations:${
    document.attestations.map(printRule).join("") || " []"
  }\n`

/** The version of the schema that a document names. */
export const schemaVersion = ({ schema }: PolicyDocument): SchemaVersion => versionOf(schema)

/** The conditions of a document, in the order of its rules. */
export const conditions = (document: PolicyDocument): ReadonlyArray<Condition> => [
  ...document.provenance.exceptions,
  ...document.trailCompliance.exceptions,
  ...document.attestations.flatMap(({ condition }) => (condition === null ? [] : [condition]))
]

/** The conditions on facts of a document, in the order of its rules. */
export const factConditions = ({ attestations }: PolicyDocument): ReadonlyArray<Condition> =>
  attestations.flatMap(({ where }) => (where === undefined ? [] : [where]))

/** The controls that the rules name, each once, in the order of the rules. */
export const controlsReferenced = (document: PolicyDocument): ReadonlyArray<string> => [
  ...new Set(
    document.attestations.flatMap(({ forControl }) => (forControl === null ? [] : [forControl]))
  )
]

/** An input of decisions besides the evidence itself: a part of a flow, or the age or the facts of evidence. */
export const ReadPart = Schema.Literal("flow.name", "flow.tags", "evidence.age", "evidence.facts")
/** An input of decisions besides the evidence itself. */
export type ReadPart = typeof ReadPart.Type

/** Whether a rule limits the age of evidence. */
const limitsAge = ({ attestations, provenance }: PolicyDocument): boolean =>
  provenance.maxAge !== undefined || attestations.some(({ maxAge }) => maxAge !== undefined)

/** Whether a rule asks whether evidence is verified, or about its facts. */
const asksFacts = ({ attestations }: PolicyDocument): boolean =>
  attestations.some(({ mustBeVerified, where }) => mustBeVerified === true || where !== undefined)

/** Whether a condition on facts looks into the list of purls. */
export const readsPurls = (document: PolicyDocument): boolean =>
  factConditions(document).some(({ expression }) =>
    PolicyExpression.factPaths(expression).includes(PURLS)
  )

/** What the rules of a document read besides the evidence itself. */
export const readParts = (document: PolicyDocument): ReadonlyArray<ReadPart> => [
  ...(usesFlowName(document) ? (["flow.name"] as const) : []),
  ...(conditions(document).some(({ expression }) => PolicyExpression.usesFlowTags(expression))
    ? (["flow.tags"] as const)
    : []),
  ...(limitsAge(document) ? (["evidence.age"] as const) : []),
  ...(asksFacts(document) ? (["evidence.facts"] as const) : [])
]

/** Whether a decision can depend on the name of a flow. */
export const usesFlowName = (document: PolicyDocument): boolean =>
  conditions(document).some(({ expression }) => PolicyExpression.usesFlowName(expression))
