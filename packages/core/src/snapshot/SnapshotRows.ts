/**
 * A snapshot in short: its rows without repetitions, and the rules that they fail, shared by number. SPEC §4.5
 *
 * Made from stored rows and results alone; the long form (`EvaluatedRow`) repeats each rule in each row.
 */
import * as Schema from "effect/Schema"
import { ReportedFingerprint } from "../artifact/Fingerprint.js"
import { compareText } from "../environment/RunningRow.js"
import type { PolicyDump } from "../policy/AppliedPolicy.js"
import type { Rule } from "../policy/PolicyDecision.js"
import { isEnforced, isWarning, toField } from "../policy/PolicyMode.js"
import { PolicyReasonType } from "../policy/PolicyReason.js"
import { hiddenField, toHidden } from "../shared/Hidden.js"
import type { FlowId, FlowName } from "../shared/Identifier.js"
import { type Timestamp, toSeconds } from "../shared/Timestamp.js"
import { Verdict } from "../shared/Verdict.js"
import { NO_PROVENANCE } from "./FlowView.js"
import { isWaived } from "./internal/WaivedRows.js"
import type { PlacedRow } from "./LogicalRows.js"
import * as RowDecision from "./RowDecision.js"
import type { EvaluatingPolicy, RowGroup } from "./Snapshot.js"
import { SnapshotAnnotation } from "./SnapshotAnnotation.js"

/** A rule of a policy version, with the number of running rows that fail it. */
export const SnapshotRule = Schema.Struct({
  policy_name: Schema.String,
  policy_version: Schema.Int,
  /** Counts the rules of the version from 0; null for a version that cannot be evaluated. */
  rule_index: Schema.NullOr(Schema.Int),
  type: Schema.Literal("provenance", "trail-compliance", "attestation", "policy_error"),
  attestation_name: Schema.NullOr(Schema.String),
  attestation_type: Schema.NullOr(Schema.String),
  for_control: Schema.NullOr(Schema.String),
  rows_failing: Schema.Int,
  /** The running rows that would fail it if its policy did not only warn; absent where there is none. */
  rows_warning: Schema.optionalWith(Schema.Int, { exact: true }),
  /** In which ways rows fail it; a row that fails in two ways, in two flows, counts in both. */
  reasons: Schema.Array(Schema.Struct({ type: PolicyReasonType, rows: Schema.Int }))
}).annotations({ identifier: "SnapshotRule" })
/** A rule of a policy version, with the number of running rows that fail it. */
export type SnapshotRule = typeof SnapshotRule.Type

/**
 * So many characters of a commit are in a row in short. WHY not all: commits are random, so each costs its length after
 * compression too.
 */
export const COMMIT_LENGTH = 7

/** A row in short. Flow, trail, slot and commit are those of the primary flow; null without provenance. */
export const ShortRow = Schema.Struct({
  name: Schema.String,
  fingerprint: ReportedFingerprint,
  verdict: Verdict,
  /** Whether it is compliant because it is allowed, whatever the policies decide. */
  is_allowed: Schema.Boolean,
  annotation: SnapshotAnnotation,
  instances: Schema.Int,
  /** When its oldest instance began; null without a known time. */
  started_at: Schema.NullOr(Schema.Number),
  flow_name: Schema.NullOr(Schema.String),
  trail_name: Schema.NullOr(Schema.String),
  template_reference_name: Schema.NullOr(Schema.String),
  /** Its first seven characters. */
  git_commit: Schema.NullOr(Schema.String),
  /** The positions of the rules that it fails in the list of rules; empty unless it is not compliant. */
  failing: Schema.Array(Schema.Int),
  /** The positions of the rules of warning policies that it would fail; absent where there is none. */
  warning: Schema.optionalWith(Schema.Array(Schema.Int), { exact: true }),
  /** Only where a waiver turned a result. */
  is_waived: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  /** The physical environment where it runs; only in snapshots of logical environments. */
  environment: Schema.optionalWith(Schema.String, { exact: true }),
  /** Until when it stays compliant without new evidence, in epoch seconds; only in the latest snapshot. */
  expires_at: Schema.optionalWith(Schema.Number, { exact: true }),
  /** Only where a flow knows it that the caller may not read; then a flow that is null may be that one. */
  ...hiddenField
}).annotations({ identifier: "SnapshotShortRow" })
/** A row in short. */
export type ShortRow = typeof ShortRow.Type

/** A rule by its policy and its index; `error` stands for a version that cannot be evaluated. */
export interface RuleKey {
  readonly policy: string
  readonly index: number | null
}

const RULE = /^(.+)\.(error|\d{1,6})$/s

/** Reads `policy.3` or `policy.error`; undefined for another text. */
export const parseRule = (text: string): RuleKey | undefined => {
  const [, policy, index] = RULE.exec(text) ?? []
  if (policy === undefined || index === undefined) return undefined
  return { policy, index: index === "error" ? null : Number(index) }
}

/** Which rows are listed. Filters combine with AND; absent means any. */
export interface RowQuery {
  /** Part of the name, the fingerprint, the flow, the trail, the commit or the member, in any case. */
  readonly search?: string
  readonly verdict?: Verdict
  readonly rule?: RuleKey
  /** The name of the primary flow, or `no provenance`; a row whose primary flow is hidden has neither. */
  readonly flowName?: string
}

/** A policy version, and its dump where it has one. */
export interface RuleSource {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly dump: PolicyDump | null
}

/** The values that rows in short need beside themselves. */
export interface ShortSources {
  readonly versions: ReadonlyArray<RuleSource>
  readonly flowNames: ReadonlyMap<FlowId, FlowName>
  readonly isLogical: boolean
}

const keyOf = (id: string, version: number, index: number | null): string =>
  `${id} ${version} ${index ?? "error"}`

const isAsked = ({ definition }: Rule): boolean => "name" in definition || definition.required

type Entry = Omit<SnapshotRule, "rows_failing" | "rows_warning" | "reasons"> & {
  readonly key: string
}

const errorOf = ({ id, name, version }: Omit<RuleSource, "dump">): Entry => ({
  key: keyOf(id, version, null),
  policy_name: name,
  policy_version: version,
  rule_index: null,
  type: "policy_error",
  attestation_name: null,
  attestation_type: null,
  for_control: null
})

/** The rules of a version that ask for something; a version that cannot be evaluated has one entry. */
const entriesOf = (source: RuleSource): ReadonlyArray<Entry> => {
  if (source.dump === null) return [errorOf(source)]
  return RowDecision.rulesOf(source.dump).flatMap((rule, rule_index): ReadonlyArray<Entry> => {
    if (!isAsked(rule)) return []
    const asked = "name" in rule.definition ? rule.definition : undefined
    return [
      {
        key: keyOf(source.id, source.version, rule_index),
        policy_name: source.name,
        policy_version: source.version,
        rule_index,
        type: rule.type,
        attestation_name: asked?.name ?? null,
        attestation_type: asked?.type ?? null,
        for_control: asked?.for_control ?? null
      }
    ]
  })
}

/** A failed rule, and the ways in which it fails. */
interface Failed {
  readonly key: string
  readonly types: ReadonlyArray<SnapshotRule["reasons"][number]["type"]>
}

const failedOf = (decisions: PlacedRow["decisions"]): ReadonlyArray<Failed> =>
  decisions.flatMap(({ policy_id, version, status, outcomes }): ReadonlyArray<Failed> => {
    if (status === "COMPLIANT") return []
    if (outcomes.length === 0)
      return [{ key: keyOf(policy_id, version, null), types: ["policy_error"] }]
    return outcomes.flatMap((flows, index) => {
      const types = [...new Set(flows.filter(RowDecision.isFailure))]
      return types.length === 0 ? [] : [{ key: keyOf(policy_id, version, index), types }]
    })
  })

/** The part of a row, or of a group of rows, that decides which rules it fails. */
type RowResult = RowGroup | Pick<PlacedRow, "verdict" | "decisions" | "annotation">

/** A row, or a group of rows, with the rules that it fails, and those of warning policies. */
export interface EvaluatedResult<Row extends RowResult = RowResult> {
  readonly row: Row
  /** How many rows it stands for. */
  readonly rows: number
  readonly isExited: boolean
  readonly failed: ReadonlyArray<Failed>
  readonly warned: ReadonlyArray<Failed>
}

const NOTHING: ReadonlyArray<Failed> = []

/**
 * Adds to a row the rules that it fails. Rows share their decisions, so each list of decisions is looked at once.
 */
export const evaluated = <Row extends RowResult>(): ((row: Row) => EvaluatedResult<Row>) => {
  const known = new Map<PlacedRow["decisions"], Pick<EvaluatedResult, "failed" | "warned">>()
  return (row) => {
    const { rows, isExited } =
      "rows" in row ? row : { rows: 1, isExited: row.annotation.type === "exited" }
    const looked = known.get(row.decisions) ?? {
      failed: failedOf(row.decisions.filter(isEnforced)),
      warned: failedOf(row.decisions.filter(isWarning))
    }
    known.set(row.decisions, looked)
    const failed = row.verdict === "NonCompliant" ? looked.failed : NOTHING
    return { row, rows, isExited, failed, warned: looked.warned }
  }
}

const isRunning = ({ isExited }: EvaluatedResult): boolean => !isExited

const countOf = (evaluated: ReadonlyArray<EvaluatedResult>): number =>
  evaluated.reduce((sum, { rows }) => sum + rows, 0)

interface Tally {
  rows: number
  readonly types: Map<SnapshotRule["reasons"][number]["type"], number>
}

const tally = (
  rows: ReadonlyArray<EvaluatedResult>,
  kind: "failed" | "warned"
): ReadonlyMap<string, Tally> => {
  const tallies = new Map<string, Tally>()
  for (const row of rows.filter(isRunning))
    for (const { key, types } of row[kind]) {
      const counted = tallies.get(key) ?? { rows: 0, types: new Map() }
      counted.rows += row.rows
      for (const type of types) counted.types.set(type, (counted.types.get(type) ?? 0) + row.rows)
      tallies.set(key, counted)
    }
  return tallies
}

const byPolicy = (left: Entry, right: Entry): number =>
  compareText(left.policy_name, right.policy_name) ||
  left.policy_version - right.policy_version ||
  (left.rule_index ?? -1) - (right.rule_index ?? -1)

/** The rules of a snapshot in order, and the position of each. */
export interface NumberedRules {
  readonly rules: ReadonlyArray<SnapshotRule>
  readonly numberOf: (key: string) => number | undefined
}

/** The rules of policy versions by policy, version and index, each with the running rows that fail it. */
export const rulesOf = (
  { versions }: ShortSources,
  rows: ReadonlyArray<EvaluatedResult>
): NumberedRules => {
  const tallies = tally(rows, "failed")
  const warnings = tally(rows, "warned")
  const entries = versions.flatMap((source) => {
    const known = entriesOf(source)
    const error = errorOf(source)
    // WHY: a version that was saved before a rule of parsing was made stricter has a dump and no results.
    const isCounted = tallies.has(error.key) || warnings.has(error.key)
    const failsWhole = isCounted && known.every(({ key }) => key !== error.key)
    return failsWhole ? [...known, error] : known
  })
  entries.sort(byPolicy)
  const numbers = new Map(entries.map(({ key }, index) => [key, index]))
  return {
    rules: entries.map(({ key, ...rule }) => {
      const counted = tallies.get(key)
      const warned = warnings.get(key)
      const types = counted ?? warned
      return {
        ...rule,
        rows_failing: counted?.rows ?? 0,
        ...(warned === undefined ? {} : { rows_warning: warned.rows }),
        reasons: Array.from(types?.types ?? [], ([type, count]) => ({ type, rows: count })).sort(
          (left, right) => right.rows - left.rows || compareText(left.type, right.type)
        )
      }
    }),
    numberOf: (key) => numbers.get(key)
  }
}

/** A row in short. */
export const shorten =
  (
    { flowNames, isLogical }: ShortSources,
    { numberOf }: NumberedRules,
    expiryOf: (row: PlacedRow) => Timestamp | undefined
  ) =>
  ({ row, failed, warned }: EvaluatedResult<PlacedRow>): ShortRow => {
    const primary = row.hidden === "primary" ? undefined : row.flows[0]
    const end = expiryOf(row)
    const [oldest = 0] = row.creationTimestamp
    // WHY this order: what is alike in most rows stands together, which compresses better.
    return {
      name: row.name,
      fingerprint: row.fingerprint,
      started_at: oldest === 0 ? null : oldest,
      flow_name: primary === undefined ? null : (flowNames.get(primary.flow_id) ?? ""),
      trail_name: primary?.trail_name ?? null,
      git_commit: primary?.git_commit?.slice(0, COMMIT_LENGTH) ?? null,
      template_reference_name: primary?.slot ?? null,
      verdict: row.verdict,
      is_allowed: isAllowed(row),
      annotation: row.annotation,
      instances: row.creationTimestamp.length,
      failing: failed.flatMap(({ key }) => numberOf(key) ?? []),
      ...(warned.length === 0 ? {} : { warning: warned.flatMap(({ key }) => numberOf(key) ?? []) }),
      ...(isWaived(row) ? { is_waived: true as const } : {}),
      ...(isLogical ? { environment: row.environment } : {}),
      ...(end === undefined ? {} : { expires_at: toSeconds(end) }),
      ...toHidden(row.hidden !== undefined)
    }
  }

/** Whether a row is compliant because it is allowed, whatever the policies decide. */
export const isAllowed = ({ verdict, decisions }: PlacedRow): boolean =>
  verdict === "Compliant" && RowDecision.verdictOf(decisions) !== "Compliant"

/** The policies of a snapshot, each with the number of running rows that it fails. */
const policiesOf = (
  policies: ReadonlyArray<EvaluatingPolicy>,
  { rules, numberOf }: NumberedRules,
  rows: ReadonlyArray<EvaluatedResult>
) => {
  const running = rows.filter(isRunning)
  return policies.map(({ name, version, failing, mode }) => ({
    name,
    version,
    rows_failing:
      failing?.length ??
      countOf(
        running.filter(({ failed, warned }) =>
          (mode === "warn" ? warned : failed).some(
            ({ key }) => rules[numberOf(key) ?? -1]?.policy_name === name
          )
        )
      ),
    ...toField(mode)
  }))
}

/** What is told of a snapshot beside its rows. */
export const summaryOf = (
  policies: ReadonlyArray<EvaluatingPolicy>,
  numbered: NumberedRules,
  rows: ReadonlyArray<EvaluatedResult>
) => ({
  rules: numbered.rules,
  policies: policiesOf(policies, numbered, rows),
  exited: countOf(rows.filter(({ isExited }) => isExited)),
  waived: countOf(rows.filter(({ isExited, row }) => !isExited && isWaived(row)))
})

const SEARCHED = [
  "name",
  "fingerprint",
  "flow_name",
  "trail_name",
  "git_commit",
  "environment"
] as const

/** A whole commit finds the rows that begin like it. */
const beginsLike = ({ git_commit }: ShortRow, text: string): boolean =>
  git_commit?.length === COMMIT_LENGTH && text.startsWith(git_commit.toLowerCase())

const contains = (row: ShortRow, text: string): boolean =>
  SEARCHED.some((field) => row[field]?.toLowerCase().includes(text) === true) ||
  beginsLike(row, text)

/** What a filter by flow compares; undefined where the flow is hidden, which is not to be without provenance. */
const flowOf = ({ flow_name, hidden }: ShortRow): string | undefined =>
  flow_name ?? (hidden === true ? undefined : NO_PROVENANCE)

/** The rows that pass a query, in their order. */
export const select = (
  rows: ReadonlyArray<ShortRow>,
  rules: ReadonlyArray<SnapshotRule>,
  { search, verdict, rule, flowName }: RowQuery
): ReadonlyArray<ShortRow> => {
  const text = search?.trim().toLowerCase() ?? ""
  const isFailing = (number: number): boolean =>
    rules[number]?.policy_name === rule?.policy && rules[number]?.rule_index === rule?.index
  return rows.filter(
    (row) =>
      (text === "" || contains(row, text)) &&
      (verdict === undefined || row.verdict === verdict) &&
      (rule === undefined ||
        row.failing.some(isFailing) ||
        row.warning?.some(isFailing) === true) &&
      (flowName === undefined || flowOf(row) === flowName)
  )
}
