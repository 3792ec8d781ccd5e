/**
 * A policy that everything which runs now satisfies, with as many rules as its evidence supports. DECISION B-330
 *
 * The rules that are tried: provenance, compliance in trails, and one for each name and type of attestations, each
 * for all artifacts or for those whose flows share a tag. The result is played before it is answered.
 */
import * as Either from "effect/Either"
import * as AttestationTypePattern from "../flow/AttestationTypePattern.js"
import { type Paused, runSync } from "../shared/internal/Paused.js"
import { isName, RULES_MAX } from "./internal/PolicyDocumentReader.js"
import * as PolicyDocument from "./PolicyDocument.js"
import * as PolicyEvaluation from "./PolicyEvaluation.js"
import * as PolicyExpression from "./PolicyExpression.js"
import type { Facts } from "./PolicyFacts.js"

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

/** A rule that is played pauses after so many rows. */
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

const PROVENANCE: Candidate = {
  rule: "provenance",
  document: { ...NOTHING, provenance: REQUIRED }
}

const TRAIL_COMPLIANCE: Candidate = {
  rule: "trail-compliance",
  document: { ...NOTHING, trailCompliance: REQUIRED }
}

const attestation = (
  asked: Pick<PolicyDocument.AttestationRule, "name" | "type">,
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

/** Plays a rule on every row: how many it applies to, and which fail. */
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
    if (applied.some(({ satisfied }) => satisfied === false))
      failing.add(facts.artifact.fingerprint || facts.artifact.name)
  }
  return { ...candidate, artifacts, flows: flows.size, failing: [...failing].sort() }
}

/** The names and types of attestations that occur and that a rule can name, sorted. */
const askable = (rows: ReadonlyArray<Facts>) => {
  const found = new Map<string, Pick<PolicyDocument.AttestationRule, "name" | "type">>()
  for (const { flows } of rows)
    for (const { attestations } of flows)
      for (const { name, type } of attestations)
        if (AttestationTypePattern.is(type) && isName(name))
          found.set(`${type} ${name}`, { name, type })
  return [...found].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, asked]) => asked)
}

/** Conditions for the tags that at least two flows share, where the language can say them. */
const tagConditions = (rows: ReadonlyArray<Facts>): ReadonlyArray<PolicyDocument.Condition> => {
  const flowsOf = new Map<string, Set<string>>()
  for (const { flows } of rows)
    for (const { flow_name, tags } of flows)
      for (const [key, value] of Object.entries(tags)) {
        const text = PolicyExpression.print({
          _tag: "Compare",
          operator: "==",
          left: { _tag: "Tag", key },
          right: { _tag: "Text", value }
        })
        flowsOf.set(text, (flowsOf.get(text) ?? new Set()).add(flow_name))
      }
  return [...flowsOf]
    .filter(([, flows]) => flows.size > 1)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([text]) =>
      Either.match(PolicyExpression.parse(text), {
        onLeft: () => [],
        onRight: (expression) => [{ text, expression }]
      })
    )
}

interface Chosen {
  readonly taken: ReadonlyArray<Tried>
  readonly leftOut: ReadonlyArray<Tried>
}

type Playing = (candidate: Candidate) => Paused<readonly [Tried, boolean]>

/** The strongest rules about one name and type that hold. */
function* chooseFor(
  asked: Pick<PolicyDocument.AttestationRule, "name" | "type">,
  conditions: ReadonlyArray<PolicyDocument.Condition>,
  playing: Playing
): Paused<Chosen> {
  const [strict, isStrict] = yield* playing(attestation(asked, null, true))
  if (isStrict) return { taken: [strict], leftOut: [] }
  const [lenient, isLenient] = yield* playing(attestation(asked, null, false))
  const taken = isLenient ? [lenient] : []
  for (const condition of conditions) {
    const [one, isOne] = yield* playing(attestation(asked, condition, true))
    if (isOne) taken.push(one)
    if (isOne || isLenient) continue
    const [other, isOther] = yield* playing(attestation(asked, condition, false))
    if (isOther) taken.push(other)
  }
  return { taken, leftOut: [strict] }
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
  const playing = function* (candidate: Candidate): Paused<readonly [Tried, boolean]> {
    const tried = yield* play(candidate, rows)
    return [tried, tried.failing.length === 0 && tried.artifacts >= minArtifacts]
  }
  const conditions = withTags ? tagConditions(rows) : []
  const general: Array<readonly [Tried, boolean]> = []
  for (const candidate of [PROVENANCE, TRAIL_COMPLIANCE]) general.push(yield* playing(candidate))
  const chosen: Array<Chosen> = []
  for (const asked of askable(rows)) chosen.push(yield* chooseFor(asked, conditions, playing))
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
