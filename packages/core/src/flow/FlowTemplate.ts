/**
 * The expected artifacts and attestations of the trails of a flow, parsed from YAML. SPEC §7.2
 *
 * `parse` reports every problem at once, each with its path and position. The schemas here accept any
 * name; `parse` has the rules of names.
 */
import * as Arr from "effect/Array"
import * as Either from "effect/Either"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import * as DocumentProblem from "../shared/DocumentProblem.js"
import type { FieldErrors } from "../shared/FieldErrors.js"
import { NAME_LENGTH_MAX, SLOT_NAME_PATTERN } from "../shared/Identifier.js"
import {
  describe,
  type Note,
  type Part,
  printPath,
  readList,
  readMembers,
  readText
} from "../shared/internal/ValueReading.js"
import * as YamlText from "../shared/YamlText.js"
import * as AttestationTypePattern from "./AttestationTypePattern.js"

/** The pattern of the name of an attestation. */
export const ATTESTATION_NAME_PATTERN = "^[a-zA-Z0-9\\-_,]+$"

/** An expected attestation of a trail or of one of its artifacts. */
export const ExpectedAttestation = Schema.Struct({
  name: Schema.String,
  type: AttestationTypePattern.AttestationTypePattern
}).annotations({ identifier: "ExpectedAttestation" })
/** An expected attestation of a trail or of one of its artifacts. */
export type ExpectedAttestation = typeof ExpectedAttestation.Type

/** An expected artifact: its slot and its attestations. */
export const ExpectedArtifact = Schema.Struct({
  name: Schema.String,
  attestations: Schema.Array(ExpectedAttestation)
}).annotations({ identifier: "ExpectedArtifact" })
/** An expected artifact. */
export type ExpectedArtifact = typeof ExpectedArtifact.Type

/** A template with its defaults filled in. */
export const FlowTemplate = Schema.Struct({
  version: Schema.Literal(1),
  trail: Schema.Struct({
    attestations: Schema.Array(ExpectedAttestation),
    artifacts: Schema.Array(ExpectedArtifact)
  })
}).annotations({ identifier: "FlowTemplate" })
/** A template with its defaults filled in. */
export type FlowTemplate = typeof FlowTemplate.Type

/** The template that expects nothing. */
export const empty: FlowTemplate = { version: 1, trail: { attestations: [], artifacts: [] } }

/** The path of a problem of the whole document, such as a syntax error. */
export const ROOT_PATH = "template"

/** Text that is no template. */
export class InvalidFlowTemplate extends Schema.TaggedError<InvalidFlowTemplate>()(
  "InvalidFlowTemplate",
  {
    problems: Schema.NonEmptyArray(DocumentProblem.DocumentProblem)
  }
) {
  override get message(): string {
    const [{ path, line, column }, ...others] = this.problems
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`
    return `invalid flow template: \`${path}\` at line ${line}, column ${column}${more}`
  }
}

/** One problem of a template: its path, its position and its message. */
export type TemplateProblem = InvalidFlowTemplate["problems"][number]

/** The problems keyed by path; those of one path become one text. */
export const fieldErrors = ({ problems }: InvalidFlowTemplate): FieldErrors =>
  DocumentProblem.fieldErrors(problems)

const nameRule = (pattern: string) => {
  const expression = new RegExp(pattern)
  return (name: string): string | undefined => {
    if (!expression.test(name)) return `String should match pattern '${pattern}'`
    return name.length > NAME_LENGTH_MAX
      ? `String should have at most ${NAME_LENGTH_MAX} characters`
      : undefined
  }
}

const slotRule = nameRule(SLOT_NAME_PATTERN)
const attestationRule = nameRule(ATTESTATION_NAME_PATTERN)

const TYPE_WORDS = AttestationTypePattern.WORDS.map((word) => `'${word}'`).join(", ")
const TYPE_MESSAGE = `Input should be ${TYPE_WORDS} or 'custom:<name>'`

/** Names are unique in their own list only. */
const uniqueIn =
  (taken: Set<string>, rule: (name: string) => string | undefined) => (name: string) => {
    const repeated = taken.has(name)
    taken.add(name)
    return rule(name) ?? (repeated ? "Name is used twice in this list" : undefined)
  }

const readType = (part: Part, note: Note): AttestationTypePattern.AttestationTypePattern => {
  const type = readText(part, note, (text) =>
    AttestationTypePattern.is(text) ? undefined : TYPE_MESSAGE
  )
  return AttestationTypePattern.is(type) ? type : "*"
}

const readAttestations = (part: Part, note: Note): ReadonlyArray<ExpectedAttestation> => {
  const rule = uniqueIn(new Set(), attestationRule)
  return readList(part, note, (item) => {
    const member = readMembers(item, ["name", "type"], note)
    return { name: readText(member("name"), note, rule), type: readType(member("type"), note) }
  })
}

const readArtifacts = (part: Part, note: Note): ReadonlyArray<ExpectedArtifact> => {
  const rule = uniqueIn(new Set(), slotRule)
  return readList(part, note, (item) => {
    const member = readMembers(item, ["name", "attestations"], note)
    return {
      name: readText(member("name"), note, rule),
      attestations: readAttestations(member("attestations"), note)
    }
  })
}

const readTemplate = (root: Part, note: Note): FlowTemplate => {
  if (root.value === null) {
    note(root, "Template is empty: write at least `version: 1`")
    return empty
  }
  const member = readMembers(root, ["version", "trail"], note)
  const version = member("version")
  // `version` may be absent, because it has one value.
  if (version.value !== undefined && version.value !== 1) note(version, "Input should be 1")
  const trail = member("trail")
  if (trail.value === undefined || trail.value === null) return empty
  const inTrail = readMembers(trail, ["attestations", "artifacts"], note)
  return {
    version: 1,
    trail: {
      attestations: readAttestations(inTrail("attestations"), note),
      artifacts: readArtifacts(inTrail("artifacts"), note)
    }
  }
}

const inTextOrder = Order.combine(
  Order.mapInput(Order.number, ({ line }: TemplateProblem) => line),
  Order.mapInput(Order.number, ({ column }: TemplateProblem) => column)
)

/**
 * Parses a template; a document without content is refused, `{}` expects nothing. An empty file is more often a mistake
 * than an intention.
 */
export const parse = (text: string): Either.Either<FlowTemplate, InvalidFlowTemplate> => {
  const document = YamlText.parse(text)
  if (Either.isLeft(document)) {
    const problems = Arr.map(document.left.problems, (problem) => ({ path: ROOT_PATH, ...problem }))
    return Either.left(new InvalidFlowTemplate({ problems }))
  }
  const { value, positionOf } = document.right
  const problems: Array<TemplateProblem> = []
  const template = readTemplate({ path: [], value }, (part, message) => {
    // WHY one more than the limit: it shows that there are more.
    if (problems.length <= YamlText.PROBLEMS_MAX)
      problems.push({
        path: part.path.length === 0 ? ROOT_PATH : printPath(part.path),
        ...positionOf(part.path),
        message: describe(part, message)
      })
  })
  return Arr.isNonEmptyArray(problems)
    ? Either.left(new InvalidFlowTemplate({ problems: Arr.sort(problems, inTextOrder) }))
    : Either.right(template)
}

/** Words that some YAML parsers do not read as text. */
const AMBIGUOUS = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i

const quote = (text: string): string =>
  /^[a-zA-Z][a-zA-Z0-9_-]*$/.test(text) && !AMBIGUOUS.test(text) ? text : JSON.stringify(text)

/** A titled list at a depth; each item has its lines. */
const printList = (
  indent: string,
  title: string,
  items: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<string> =>
  items.length === 0
    ? []
    : [
        `${indent}${title}:`,
        ...items.flatMap((lines) =>
          lines.map((line, index) => `${indent}  ${index === 0 ? "- " : "  "}${line}`)
        )
      ]

const printAttestation = ({ name, type }: ExpectedAttestation): ReadonlyArray<string> => [
  `name: ${quote(name)}`,
  `type: ${quote(type)}`
]

const printArtifact = ({ name, attestations }: ExpectedArtifact): ReadonlyArray<string> => [
  `name: ${quote(name)}`,
  ...printList("", "attestations", attestations.map(printAttestation))
]

/** The canonical text of a template; empty lists are left out, and `parse` reads it back. */
export const print = ({ version, trail }: FlowTemplate): string => {
  const lines = [
    ...printList("  ", "attestations", trail.attestations.map(printAttestation)),
    ...printList("  ", "artifacts", trail.artifacts.map(printArtifact))
  ]
  return [`version: ${version}`, ...(lines.length === 0 ? [] : ["trail:"]), ...lines, ""].join("\n")
}

/** The slot of the old list of evidence, and the word for it in such a list. */
const LEGACY_SLOT = "artifact"

/**
 * The template of an old list of evidence: one artifact with an attestation of any type for each word. `parse`
 * may refuse the result when a word is no name.
 */
export const fromLegacyList = (words: ReadonlyArray<string>): string =>
  print({
    version: 1,
    trail: {
      attestations: [],
      artifacts: [
        {
          name: LEGACY_SLOT,
          attestations: [...new Set(words)]
            .filter((word) => word !== LEGACY_SLOT)
            .map((name) => ({ name, type: "*" }))
        }
      ]
    }
  })
