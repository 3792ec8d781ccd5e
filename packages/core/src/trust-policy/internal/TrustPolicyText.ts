/** The text of a trust policy. */
import * as UtcCalendar from "../../shared/internal/UtcCalendar.js"
import * as Timestamp from "../../shared/Timestamp.js"
import type {
  TrustedKey,
  TrustedSigner,
  TrustPolicyDocument,
  TrustRule
} from "../TrustPolicyDocument.js"

// WHY: the YAML grammar does not count these as printable, and JSON does not escape them.
const UNPRINTABLE = /[\x7f-\x9f\ufeff\ufffe\uffff]/g

const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

type Lines = ReadonlyArray<string>

const indented = (lines: Lines): Lines => lines.map((line) => `  ${line}`)

const item = (lines: Lines): Lines =>
  lines.map((line, index) => `${index === 0 ? "  - " : "    "}${line}`)

const list = (key: string, texts: Lines | null): Lines =>
  texts === null || texts.length === 0 ? [] : [`${key}: [${texts.map(quoted).join(", ")}]`]

const text = (key: string, value: string | null): Lines =>
  value === null ? [] : [`${key}: ${quoted(value)}`]

/** A day where the instant begins one, and a second otherwise. */
const printEnd = (seconds: number): string => {
  const moment = UtcCalendar.printMoment(Timestamp.fromSeconds(seconds))
  return moment.endsWith("T00:00:00") ? moment.slice(0, 10) : `${moment}Z`
}

const printKey = ({ id, publicKey, validUntil }: TrustedKey): Lines => [
  `id: ${quoted(id)}`,
  "public_key: |",
  ...indented(publicKey.trimEnd().split("\n")),
  ...(validUntil === null ? [] : [`valid_until: ${quoted(printEnd(validUntil))}`])
]

const printSigner = (signer: TrustedSigner): Lines =>
  signer.kind === "keys"
    ? [...list("keys", signer.keys), `threshold: ${signer.threshold}`]
    : [
        "sigstore:",
        ...indented([
          ...list("roots", signer.roots),
          `issuer: ${quoted(signer.issuer)}`,
          `san: ${quoted(signer.san)}`,
          ...text("source_repository_id", signer.sourceRepositoryId)
        ])
      ]

const printParameters = (parameters: TrustRule["parameters"]): Lines => {
  if (parameters === null) return []
  const members = Object.entries(parameters)
  return members.length === 0
    ? ["parameters: {}"]
    : [
        "parameters:",
        ...indented(members.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`))
      ]
}

const printRule = (rule: TrustRule): Lines => [
  `name: ${quoted(rule.name)}`,
  ...list("kinds", rule.kinds),
  ...list("predicates", rule.predicates),
  "signer:",
  ...indented(printSigner(rule.signer)),
  ...text("builder", rule.builder),
  ...(rule.buildLevel === null ? [] : [`build_level: ${rule.buildLevel}`]),
  ...text("build_type", rule.buildType),
  ...(rule.source === null
    ? []
    : [
        "source:",
        ...indented([
          ...text("repository", rule.source.repository),
          ...text("ref", rule.source.ref)
        ])
      ]),
  ...printParameters(rule.parameters),
  `strict_parameters: ${rule.strictParameters}`,
  ...list("flows", rule.flows),
  ...list("verifiers", rule.verifiers),
  ...list("properties", rule.properties)
]

const section = (key: string, items: ReadonlyArray<Lines>): Lines =>
  items.length === 0 ? [] : [`${key}:`, ...items.flatMap(item)]

/** The text of a document, with defaults written out. */
export const print = (document: TrustPolicyDocument): string =>
  [
    `_schema: ${quoted(document.schema)}`,
    `scan: { fail_on: ${document.failOn} }`,
    ...(document.minLines === null ? [] : [`coverage: { min_lines: ${document.minLines} }`]),
    ...section("keys", document.keys.map(printKey)),
    ...section("rules", document.rules.map(printRule)),
    ...list("must_be_verified", document.mustBeVerified),
    ""
  ].join("\n")
