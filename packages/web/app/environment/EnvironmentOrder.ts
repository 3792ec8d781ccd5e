/** Sorting and filtering of environments on the overview, and which ones are silent. */
import type { Environment } from "../shared/Contract.js"
import * as ProductName from "../shared/ProductName.js"
import { fromState, type Verdict } from "../shared/Verdict.js"

/** An environment without a cadence is taken for silent after this long without a report. */
export const QUIET_AFTER_MS = 24 * 3_600_000

/** A silence: by the environment's own cadence, or a guess for an environment without one. */
export interface Silence {
  readonly isGuess: boolean
  /** The missed report, or the last report for a guess. */
  readonly sinceMs: number
}

/** The silence of an environment. Logical environments never report, so they are never silent. */
export const silenceOf = (
  {
    type,
    last_reported_at,
    report_every,
    silent_since
  }: Pick<Environment, "type" | "last_reported_at" | "report_every" | "silent_since">,
  nowMs: number
): Silence | undefined => {
  if (silent_since !== null) return { isGuess: false, sinceMs: silent_since * 1_000 }
  if (type === "logical" || report_every !== null || last_reported_at === null) return undefined
  const sinceMs = last_reported_at * 1_000
  return nowMs - sinceMs > QUIET_AFTER_MS ? { isGuess: true, sinceMs } : undefined
}

const RANK: { readonly [verdict in Verdict]?: number } = {
  "non-compliant": 0,
  unknown: 2,
  compliant: 3
}

const rankOf = (environment: Environment, nowMs: number): number => {
  const rank = RANK[fromState(environment.state)] ?? 2
  return rank > 0 && silenceOf(environment, nowMs) !== undefined ? 1 : rank
}

const byName = (a: Environment, b: Environment): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0

/** Sorted by state (non-compliant, silent, not evaluated, compliant), then by name. */
export const ordered = (
  environments: ReadonlyArray<Environment>,
  nowMs: number
): ReadonlyArray<Environment> =>
  [...environments].sort((a, b) => rankOf(a, nowMs) - rankOf(b, nowMs) || byName(a, b))

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

/** The query parameters of the filters. */
export const FILTERS = ["q", "kind", "tag", "verdict"] as const

/** The filters in the URL; an absent one matches everything. */
export type Filter = { readonly [name in (typeof FILTERS)[number]]?: string | undefined }

/** Whether an environment has a tag, given as `key` or `key:value`. */
const isTagged = ({ tags }: Environment, filter: string): boolean =>
  Object.entries(tags).some(([key, value]) => filter === key || filter === `${key}:${value}`)

/** The text that `q` is searched in: the name, the kind and its product. */
const searchedOf = ({ name, type }: Environment): string =>
  `${name} ${type} ${ProductName.ofKind(type)}`

/** The environments that match every filter; `q` matches part of the name or kind. */
export const filtered = (
  environments: ReadonlyArray<Environment>,
  { q = "", kind, tag, verdict }: Filter
): ReadonlyArray<Environment> => {
  const text = q.trim().toLowerCase()
  return environments.filter(
    (environment) =>
      (text === "" || searchedOf(environment).toLowerCase().includes(text)) &&
      (kind === undefined || environment.type === kind) &&
      (tag === undefined || isTagged(environment, tag)) &&
      (verdict === undefined || fromState(environment.state) === verdict)
  )
}

const sorted = (values: Iterable<string>): ReadonlyArray<string> => [...new Set(values)].sort()

/** The distinct kinds. */
export const kindsOf = (environments: ReadonlyArray<Environment>): ReadonlyArray<string> =>
  sorted(environments.map(({ type }) => type))

/** The distinct tags, as `key:value`. */
export const tagsOf = (environments: ReadonlyArray<Environment>): ReadonlyArray<string> =>
  sorted(
    environments.flatMap(({ tags }) =>
      Object.entries(tags).map(([key, value]) => `${key}:${value}`)
    )
  )

/** The distinct tag keys. */
export const tagKeysOf = (environments: ReadonlyArray<Environment>): ReadonlyArray<string> =>
  sorted(environments.flatMap(({ tags }) => Object.keys(tags)))
