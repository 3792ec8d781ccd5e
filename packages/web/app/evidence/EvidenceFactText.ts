/** The facts of an evidence document as rows of a title and a value, by kind; absent facts have no row. */
import type { EvidenceDocument } from "../shared/Contract.js"

type Facts = EvidenceDocument["facts"]
type FactsOf<Kind extends Facts["kind"]> = Extract<Facts, { readonly kind: Kind }>

/** A value: a text, or a moment in epoch seconds. */
export type FactValue = string | { readonly at: number }

/** A row. */
export type FactRow = readonly [title: string, value: FactValue]

/** The kinds, in the order of a filter. WHY a list here: that of core has Effect with it. */
export const KINDS: ReadonlyArray<Facts["kind"]> = [
  "provenance",
  "verification",
  "sbom",
  "scan",
  "analysis",
  "tests",
  "junit",
  "snyk",
  "coverage",
  "vex",
  "signature",
  "statement"
]

const text = (title: string, value: string | number | null): ReadonlyArray<FactRow> =>
  value === null || value === "" ? [] : [[title, String(value)]]

const moment = (title: string, at: number | null): ReadonlyArray<FactRow> =>
  at === null ? [] : [[title, { at }]]

const list = (title: string, values: ReadonlyArray<string>): ReadonlyArray<FactRow> =>
  text(title, values.join(", "))

const SEVERITIES = ["critical", "high", "medium", "low", "negligible", "unknown"] as const

/** At most this many names are shown; the downloaded file has all. */
const SHOWN = 10

const firstOf = (values: ReadonlyArray<string>): string => {
  const more = values.length - SHOWN
  return [...values.slice(0, SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join(", ")
}

const findings = ({
  counts
}: FactsOf<"scan"> | FactsOf<"snyk"> | FactsOf<"analysis">): ReadonlyArray<FactRow> => {
  const found = SEVERITIES.filter((each) => counts[each] > 0)
  return [
    [
      "Findings",
      counts.total === 0 ? "none" : found.map((each) => `${counts[each]} ${each}`).join(", ")
    ],
    ...text("Suppressed", counts.suppressed === 0 ? null : counts.suppressed)
  ]
}

const tests = ({
  tests: counts,
  duration,
  failed
}: FactsOf<"tests"> | FactsOf<"junit">): ReadonlyArray<FactRow> => {
  const others = (["skipped", "other", "flaky"] as const).filter((each) => counts[each] > 0)
  const parts = [
    `${counts.passed} passed`,
    `${counts.failed} failed`,
    ...others.map((each) => `${counts[each]} ${each}`)
  ]
  return [
    ["Tests", `${counts.total}: ${parts.join(", ")}`],
    ...text("Duration", duration === null ? null : `${duration} s`),
    ...text("Failed", firstOf(failed))
  ]
}

const provenance = (facts: FactsOf<"provenance">): ReadonlyArray<FactRow> => [
  ...text("Builder", facts.builder_id),
  ...text("Build type", facts.build_type),
  ...text("Build level", facts.build_level),
  ...text("Source", facts.source.uri),
  ...text("Ref", facts.source.ref),
  ...text("Commit", facts.source.commit),
  ...text("Invocation", facts.invocation),
  ...list("Parameters", facts.parameters),
  ["Dependencies", String(facts.dependencies)]
]

const sbom = ({ components, licenses, root }: FactsOf<"sbom">): ReadonlyArray<FactRow> => [
  [
    "Components",
    `${components.total}: ${components.with_purl} with a package URL, ${components.without_purl} without`
  ],
  ...text("About", root === null ? null : (root.purl ?? root.name)),
  ...text(
    "Licences",
    firstOf(licenses.map(({ components: count, license }) => `${license} (${count})`))
  )
]

const verification = (facts: FactsOf<"verification">): ReadonlyArray<FactRow> => [
  ...text("Verifier", facts.verifier),
  ...text("Result", facts.result),
  ...list("Levels", facts.levels),
  ...text("Policy", facts.policy.uri ?? facts.policy.sha256),
  ...moment("Verified", facts.verified_at)
]

type Covered = FactsOf<"coverage">["lines"]

const covered = (title: string, part: Covered): ReadonlyArray<FactRow> =>
  part === null ? [] : [[title, `${part.percent} %: ${part.covered} of ${part.total}`]]

const vex = ({ statement_count, statements }: FactsOf<"vex">): ReadonlyArray<FactRow> => [
  ["Statements", String(statement_count)],
  ...text(
    "Vulnerabilities",
    firstOf(
      statements.map(({ status, vulnerability }) => `${vulnerability} ${status.replace(/_/g, " ")}`)
    )
  )
]

const ofKind = (facts: Facts): ReadonlyArray<FactRow> => {
  switch (facts.kind) {
    case "provenance":
      return provenance(facts)
    case "verification":
      return verification(facts)
    case "sbom":
      return sbom(facts)
    case "scan":
      return [...findings(facts), ...moment("Database of", facts.database_at)]
    case "snyk":
    case "analysis":
      return findings(facts)
    case "tests":
    case "junit":
      return tests(facts)
    case "coverage":
      return [...covered("Lines", facts.lines), ...covered("Branches", facts.branches)]
    case "vex":
      return vex(facts)
    case "statement":
      return text("Predicate type", facts.predicate_type)
    case "signature":
      return []
  }
}

const named = (value: { readonly name: string; readonly version: string | null }): string =>
  value.version === null ? value.name : `${value.name} ${value.version}`

/** A format in words. */
export const formatText = named

/** The facts as rows: the tool and the moment that the file names itself, then those of its kind. */
export const rowsOf = (facts: Facts): ReadonlyArray<FactRow> => [
  ...text("Tool", facts.tool === null ? null : named(facts.tool)),
  ...moment("Made", facts.created_at),
  ...ofKind(facts)
]
