/** The order of environments on the overview, the rule for quiet ones, and the filter. */
import type { Environment } from "../shared/Contract.js"
import { fromState, type Verdict } from "../shared/Verdict.js"

/** An environment without a report for this long is quiet: a remark, not a verdict. */
export const QUIET_AFTER_MS = 24 * 3_600_000

/** Whether an environment has not reported for a day. Logical environments never report. */
export const isQuiet = (
  { type, last_reported_at }: Pick<Environment, "type" | "last_reported_at">,
  nowMs: number
): boolean =>
  type !== "logical" &&
  last_reported_at !== null &&
  nowMs - last_reported_at * 1_000 > QUIET_AFTER_MS

const RANK: { readonly [verdict in Verdict]?: number } = {
  "non-compliant": 0,
  unknown: 2,
  compliant: 3
}

const rankOf = (environment: Environment, nowMs: number): number => {
  const rank = RANK[fromState(environment.state)] ?? 2
  return rank > 0 && isQuiet(environment, nowMs) ? 1 : rank
}

const byName = (a: Environment, b: Environment): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0

/** Non-compliant first, then quiet, not evaluated and compliant; by name among equals. */
export const ordered = (
  environments: ReadonlyArray<Environment>,
  nowMs: number
): ReadonlyArray<Environment> =>
  [...environments].sort((a, b) => rankOf(a, nowMs) - rankOf(b, nowMs) || byName(a, b))

/** The number of environments per verdict. */
export const countsOf = (
  environments: ReadonlyArray<Environment>
): { readonly [verdict in "compliant" | "non-compliant" | "unknown"]: number } => {
  const verdicts = environments.map(({ state }) => fromState(state))
  const count = (verdict: Verdict) => verdicts.filter((each) => each === verdict).length
  return {
    "non-compliant": count("non-compliant"),
    unknown: count("unknown"),
    compliant: count("compliant")
  }
}

/** The parameters of the address that leave out environments. */
export const FILTERS = ["q", "kind", "tag", "verdict"] as const

/** The filter of the address; an absent member accepts everything. */
export type Filter = { readonly [name in (typeof FILTERS)[number]]?: string | undefined }

/** Whether an environment has a tag: `key`, or `key:value`. */
const isTagged = ({ tags }: Environment, filter: string): boolean =>
  Object.entries(tags).some(([key, value]) => filter === key || filter === `${key}:${value}`)

/** The environments whose name or kind contains the text, and that have kind, tag and verdict. */
export const filtered = (
  environments: ReadonlyArray<Environment>,
  { q = "", kind, tag, verdict }: Filter
): ReadonlyArray<Environment> => {
  const text = q.trim().toLowerCase()
  return environments.filter(
    (environment) =>
      (text === "" || `${environment.name} ${environment.type}`.toLowerCase().includes(text)) &&
      (kind === undefined || environment.type === kind) &&
      (tag === undefined || isTagged(environment, tag)) &&
      (verdict === undefined || fromState(environment.state) === verdict)
  )
}

const sorted = (values: Iterable<string>): ReadonlyArray<string> => [...new Set(values)].sort()

/** The kinds of all environments. */
export const kindsOf = (environments: ReadonlyArray<Environment>): ReadonlyArray<string> =>
  sorted(environments.map(({ type }) => type))

/** The tags of all environments, each as `key:value`. */
export const tagsOf = (environments: ReadonlyArray<Environment>): ReadonlyArray<string> =>
  sorted(
    environments.flatMap(({ tags }) =>
      Object.entries(tags).map(([key, value]) => `${key}:${value}`)
    )
  )

/** The keys of all tags. */
export const tagKeysOf = (environments: ReadonlyArray<Environment>): ReadonlyArray<string> =>
  sorted(environments.flatMap(({ tags }) => Object.keys(tags)))
