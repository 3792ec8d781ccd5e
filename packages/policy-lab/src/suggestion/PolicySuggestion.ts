/**
 * A policy that all running artifacts satisfy, with as many rules as their evidence supports. The facts of now
 * evaluate the next report.
 *
 * The rules that are tried: provenance, compliance in trails, and one for each name and type of attestations, each
 * for all artifacts or for those whose flows share a tag. The result is played before it is answered.
 */
import { type Paused, runSync } from "@attestry/core/Paused"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import { RULES_MAX } from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { Facts } from "@attestry/core/PolicyFacts"
import * as SuggestionRows from "./internal/SuggestionRows.js"

/** How rules are chosen. */
export interface SuggestionOptions {
  /** The least number of artifacts that a rule must apply to. */
  readonly minArtifacts: number
  /** Whether rules for the flows with one tag are tried. */
  readonly withTags: boolean
}

/** A rule that was taken, and what supports it. */
export interface SupportedRule {
  readonly rule: string
  readonly artifacts: number
  readonly flows: number
}

/** A rule that was left out, and artifacts that fail it. */
export interface LeftOutRule {
  readonly rule: string
  /** The first of them, sorted. */
  readonly failing: ReadonlyArray<string>
}

/** A suggested policy. */
export interface Suggestion {
  readonly document: PolicyDocument.PolicyDocument
  readonly policy_yaml: string
  readonly rules: ReadonlyArray<SupportedRule>
  readonly leftOut: ReadonlyArray<LeftOutRule>
}

/** The most failing artifacts that are named. */
export const FAILING_MAX = 5

/** The number of rows after which the evaluation of a rule pauses. */
const ROWS_PER_PAUSE = 32

const NOTHING: PolicyDocument.PolicyDocument = {
  schema: "attestry:schemas/environment-policy/v1",
  provenance: { required: false, exceptions: [] },
  trailCompliance: { required: false, exceptions: [] },
  attestations: []
}

const REQUIRED: PolicyDocument.Requirement = { required: true, exceptions: [] }

/** A rule that is tried: its line, and the policy that has it alone. */
interface Candidate {
  readonly rule: string
  readonly document: PolicyDocument.PolicyDocument
}

interface Tried extends Candidate {
  readonly artifacts: number
  readonly flows: number
  readonly failing: ReadonlyArray<string>
}

const { idOf } = SuggestionRows

const PROVENANCE: Candidate = {
  rule: "provenance",
  document: { ...NOTHING, provenance: REQUIRED }
}

const TRAIL_COMPLIANCE: Candidate = {
  rule: "trail-compliance",
  document: { ...NOTHING, trailCompliance: REQUIRED }
}

const attestation = (
  asked: SuggestionRows.Asked,
  condition: PolicyDocument.Condition | null,
  mustBeCompliant: boolean
): Candidate => ({
  rule: [
    `attestation ${asked.type} ${asked.name}`,
    mustBeCompliant ? "" : ", compliant or not",
    condition === null ? "" : ` if ${condition.text}`
  ].join(""),
  document: {
    ...NOTHING,
    attestations: [{ ...asked, condition, mustBeCompliant, forControl: null }]
  }
})

/** Plays a rule on rows: how many it applies to, and which fail. */
function* play(candidate: Candidate, rows: ReadonlyArray<Facts>): Paused<Tried> {
  const { document } = candidate
  const compiled = PolicyEvaluation.compile([{ id: "p", name: "p", version: 0, document }])
  let artifacts = 0
  const flows = new Set<string>()
  const failing = new Set<string>()
  for (const [at, facts] of rows.entries()) {
    if (at % ROWS_PER_PAUSE === 0) yield
    const evaluations = PolicyEvaluation.evaluate(compiled, facts).policy_decisions.flatMap(
      ({ rule_evaluations }) => rule_evaluations
    )
    const applied = evaluations.filter(({ ignored }) => !ignored)
    if (applied.length > 0) artifacts++
    for (const { resolutions } of applied)
      for (const { context, type } of resolutions)
        if (context.flow_name !== null && type !== "rule_not_applicable")
          flows.add(context.flow_name)
    if (applied.some(({ satisfied }) => satisfied === false)) failing.add(idOf(facts))
  }
  return { ...candidate, artifacts, flows: flows.size, failing: [...failing].sort() }
}

/** Plays a rule for all artifacts; those that have no such attestation fail it without being played. */
function* playForAll(
  candidate: Candidate,
  { flowNames, rows }: SuggestionRows.SuggestionRows,
  having: ReadonlySet<Facts>
): Paused<Tried> {
  const tried = yield* play(candidate, [...having])
  const lacking = rows.flatMap((row) => (having.has(row) ? [] : [idOf(row)]))
  const failing = [...new Set([...tried.failing, ...lacking])].sort()
  return { ...candidate, artifacts: rows.length, flows: flowNames, failing }
}

interface Chosen {
  readonly taken: ReadonlyArray<Tried>
  readonly leftOut: ReadonlyArray<Tried>
}

const isHolding = ({ artifacts, failing }: Tried, minArtifacts: number): boolean =>
  failing.length === 0 && artifacts >= minArtifacts

/** The strongest rules about one name and type for flows with a tag that hold. */
function* chooseForTags(
  asked: SuggestionRows.Asked,
  index: SuggestionRows.SuggestionRows,
  { minArtifacts, withAny }: { readonly minArtifacts: number; readonly withAny: boolean }
): Paused<ReadonlyArray<Tried>> {
  const taken: Array<Tried> = []
  for (const { condition, flows, rows } of index.tags) {
    // WHY not played: a flow without the attestation fails the rule.
    if (flows.some((flow) => !SuggestionRows.has(index, flow, asked))) continue
    for (const mustBeCompliant of withAny ? [true, false] : [true]) {
      const tried = yield* play(attestation(asked, condition, mustBeCompliant), rows)
      if (!isHolding(tried, minArtifacts)) continue
      taken.push(tried)
      break
    }
  }
  return taken
}

/** The strongest rules about one name and type that hold. */
function* chooseFor(
  asked: SuggestionRows.Asked,
  index: SuggestionRows.SuggestionRows,
  minArtifacts: number
): Paused<Chosen> {
  const having = SuggestionRows.having(index, asked)
  const strict = yield* playForAll(attestation(asked, null, true), index, having)
  if (isHolding(strict, minArtifacts)) return { taken: [strict], leftOut: [] }
  const lenient = yield* playForAll(attestation(asked, null, false), index, having)
  const isLenient = isHolding(lenient, minArtifacts)
  const forTags = yield* chooseForTags(asked, index, { minArtifacts, withAny: !isLenient })
  return { taken: [...(isLenient ? [lenient] : []), ...forTags], leftOut: [strict] }
}

const merge = (taken: ReadonlyArray<Tried>): PolicyDocument.PolicyDocument => ({
  ...NOTHING,
  provenance: taken.some(({ rule }) => rule === PROVENANCE.rule) ? REQUIRED : NOTHING.provenance,
  trailCompliance: taken.some(({ rule }) => rule === TRAIL_COMPLIANCE.rule)
    ? REQUIRED
    : NOTHING.trailCompliance,
  attestations: taken.flatMap(({ document }) => document.attestations)
})

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`

const support = ({ artifacts, flows }: SupportedRule): string =>
  `# holds for ${count(artifacts, "artifact")} of ${count(flows, "flow")}`

/** The text of a policy with the support of each rule before it. */
const printCommented = (
  document: PolicyDocument.PolicyDocument,
  taken: ReadonlyArray<SupportedRule>
): string => {
  const [provenance, trail] = [PROVENANCE, TRAIL_COMPLIANCE].map(({ rule }) =>
    taken.find((one) => one.rule === rule)
  )
  const others = taken.filter(
    ({ rule }) => rule !== PROVENANCE.rule && rule !== TRAIL_COMPLIANCE.rule
  )
  let index = 0
  return PolicyDocument.print(document)
    .split("\n")
    .flatMap((line) => {
      const before =
        line === "  provenance:"
          ? provenance
          : line === "  trail-compliance:"
            ? trail
            : line.startsWith("    - type:")
              ? others[index++]
              : undefined
      const indent = /^ */.exec(line)?.[0] ?? ""
      return before === undefined ? [line] : [`${indent}${support(before)}`, line]
    })
    .join("\n")
}

/** The policy that every row satisfies, played on all of them; it pauses now and then: for `Slices.run`. */
export function* suggesting(
  rows: ReadonlyArray<Facts>,
  { minArtifacts, withTags }: SuggestionOptions
): Paused<Suggestion> {
  const index = yield* SuggestionRows.make(rows, withTags)
  const general: Array<readonly [Tried, boolean]> = []
  for (const candidate of [PROVENANCE, TRAIL_COMPLIANCE]) {
    const tried = yield* play(candidate, rows)
    general.push([tried, isHolding(tried, minArtifacts)])
  }
  const chosen: Array<Chosen> = []
  for (const asked of index.asked) chosen.push(yield* chooseFor(asked, index, minArtifacts))
  const rules = chosen
    .flatMap(({ taken }) => taken)
    .sort((left, right) => right.artifacts - left.artifacts)
    .slice(0, RULES_MAX)
  const taken = [...general.flatMap(([tried, isTaken]) => (isTaken ? [tried] : [])), ...rules]
  const document = merge(taken)
  const leftOut = [
    ...general.flatMap(([tried, isTaken]) => (isTaken ? [] : [tried])),
    ...chosen.flatMap((one) => one.leftOut)
  ]
  return {
    document,
    policy_yaml: printCommented(document, taken),
    rules: taken.map(({ artifacts, flows, rule }) => ({ rule, artifacts, flows })),
    leftOut: leftOut.map(({ failing, rule }) => ({ rule, failing: failing.slice(0, FAILING_MAX) }))
  }
}

/** The same in one go. */
export const suggest = (rows: ReadonlyArray<Facts>, options: SuggestionOptions): Suggestion =>
  runSync(suggesting(rows, options))
