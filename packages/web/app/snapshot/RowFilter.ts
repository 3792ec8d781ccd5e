/** Which rows of a snapshot are shown, and in which order, from the parameters of the address. */
import * as Route from "@attestry/web/Route"
import type { ShortRow, SnapshotRule } from "../shared/Contract.js"
import type { Verdict } from "../shared/Verdict.js"

/** The parameters that leave out rows. */
export const FILTERS = ["q", "verdict", "change", "flow", "rule"] as const

/** The change of an address that removes every filter. */
export const NO_FILTERS: Route.QueryChange = Object.fromEntries(
  FILTERS.map((name) => [name, undefined])
)

/** The value of `flow` for rows without provenance. */
export const NO_PROVENANCE = "no provenance"

/** The filter of the address; an absent member accepts everything. */
export interface RowFilter {
  readonly q?: string | undefined
  readonly verdict?: string | undefined
  readonly change?: string | undefined
  readonly flow?: string | undefined
  readonly rule?: string | undefined
  /** The name of a column, with `-` in front for the other direction. */
  readonly sort?: string | undefined
}

/** The filter of an address. */
export const fromRoute = (route: Pick<Route.Route, "query">): RowFilter => ({
  q: Route.parameter(route, "q"),
  verdict: Route.parameter(route, "verdict"),
  change: Route.parameter(route, "change"),
  flow: Route.parameter(route, "flow"),
  rule: Route.parameter(route, "rule"),
  sort: Route.parameter(route, "sort")
})

/** The identity of a row in the address. A name may contain anything, a fingerprint no tilde. */
export const keyOf = ({
  fingerprint,
  name,
  environment
}: Pick<ShortRow, "fingerprint" | "name" | "environment">): string =>
  environment === undefined ? `${fingerprint}~${name}` : `${fingerprint}~${name}~${environment}`

/** The mark of a row: allowed ones are compliant for another reason than the others. */
export const verdictOf = ({ verdict, is_allowed }: ShortRow): Verdict => {
  if (is_allowed) return "allowed"
  if (verdict === "Compliant") return "compliant"
  return verdict === "NonCompliant" ? "non-compliant" : "unknown"
}

/** The class of a change, for the filter; undefined for an unchanged row. */
export const changeOf = ({
  annotation
}: ShortRow): "started" | "exited" | "changed" | undefined => {
  if (annotation.type === "unchanged") return undefined
  if (annotation.type === "exited") return "exited"
  return annotation.type.startsWith("started-") ? "started" : "changed"
}

/** The rule in the address: `policy.3`, counted from 0, or `policy.error`. */
export const ruleKey = ({ policy_name, rule_index }: SnapshotRule): string =>
  `${policy_name}.${rule_index ?? "error"}`

const texts = new WeakMap<ShortRow, string>()

/** WHY kept: a list of thousands is searched with each key. */
const textOf = (row: ShortRow): string => {
  const known = texts.get(row)
  if (known !== undefined) return known
  const text = [
    row.name,
    row.fingerprint,
    row.flow_name,
    row.trail_name,
    row.git_commit,
    row.environment
  ]
    .filter((part) => part !== null && part !== undefined)
    .join("\n")
    .toLowerCase()
  texts.set(row, text)
  return text
}

/** Rows have the first characters of their commit; a whole commit finds those that begin like it. */
const beginsLike = ({ git_commit }: ShortRow, text: string): boolean =>
  git_commit?.length === 7 && text.startsWith(git_commit)

const RANK: { readonly [verdict in Verdict]?: number } = {
  "non-compliant": 0,
  unknown: 1,
  allowed: 2,
  compliant: 3
}

const rank = (row: ShortRow): number =>
  (RANK[verdictOf(row)] ?? 4) + (row.annotation.type === "exited" ? 10 : 0)

const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

const ORDERS: { readonly [name: string]: (left: ShortRow, right: ShortRow) => number } = {
  verdict: (left, right) => rank(left) - rank(right),
  name: (left, right) => byText(left.name, right.name),
  instances: (left, right) => right.instances - left.instances,
  started: (left, right) => (right.started_at ?? 0) - (left.started_at ?? 0),
  flow: (left, right) =>
    byText(left.flow_name ?? "\uFFFF", right.flow_name ?? "\uFFFF") ||
    byText(left.trail_name ?? "", right.trail_name ?? ""),
  change: (left, right) => byText(changeOf(left) ?? "\uFFFF", changeOf(right) ?? "\uFFFF")
}

/** The column and the direction of an order; by default the worst verdicts come first. */
export const orderOf = (
  sort: string | undefined
): { readonly column: string; readonly isReversed: boolean } => {
  const isReversed = sort?.startsWith("-") === true
  const column = isReversed ? (sort ?? "").slice(1) : (sort ?? "verdict")
  return Object.hasOwn(ORDERS, column)
    ? { column, isReversed }
    : { column: "verdict", isReversed: false }
}

/** The value of `sort` after a click on a column: its direction turns with each. */
export const nextSort = (sort: string | undefined, column: string): string | undefined => {
  const order = orderOf(sort)
  if (order.column === column && !order.isReversed) return `-${column}`
  return column === "verdict" ? undefined : column
}

/** Allowed rows are compliant ones. */
const hasVerdict = (row: ShortRow, wanted: string): boolean => {
  const own = verdictOf(row)
  return own === wanted || (wanted === "compliant" && own === "allowed")
}

/** The rows that pass, in order; equal ones stay in the order of the snapshot. */
export const apply = (
  rows: ReadonlyArray<ShortRow>,
  rules: ReadonlyArray<SnapshotRule>,
  { q, verdict, change, flow, rule, sort }: RowFilter
): ReadonlyArray<ShortRow> => {
  const text = q?.trim().toLowerCase() ?? ""
  const failing = new Set(
    rules.flatMap((each, number) => (rule !== undefined && ruleKey(each) === rule ? [number] : []))
  )
  // WHY: the counts of verdicts and rules that lead here count running rows.
  const isRunningOnly = (verdict !== undefined || rule !== undefined) && change !== "exited"
  const passes = (row: ShortRow): boolean =>
    (text === "" || textOf(row).includes(text) || beginsLike(row, text)) &&
    (!isRunningOnly || row.annotation.type !== "exited") &&
    (verdict === undefined || hasVerdict(row, verdict)) &&
    (change === undefined || changeOf(row) === change) &&
    (flow === undefined || (row.flow_name ?? NO_PROVENANCE) === flow) &&
    (rule === undefined || row.failing.some((number) => failing.has(number)))
  const { column, isReversed } = orderOf(sort)
  const order = ORDERS[column] ?? (() => 0)
  const sign = isReversed ? -1 : 1
  return rows.filter(passes).sort((left, right) => sign * order(left, right))
}

/** The names of the flows of rows, sorted, for the filter. */
export const flowsOf = (rows: ReadonlyArray<ShortRow>): ReadonlyArray<string> =>
  [...new Set(rows.map(({ flow_name }) => flow_name ?? NO_PROVENANCE))].sort(byText)

const VERDICT_WORDS: { readonly [verdict: string]: string } = {
  compliant: "Compliant",
  allowed: "Compliant",
  "non-compliant": "NonCompliant",
  unknown: "Unknown"
}

/** The same filter as a question to the server, for snapshots that are longer than one page. */
export const toQuery = ({ q, verdict, flow, rule }: RowFilter) => ({
  search: q === "" ? undefined : q,
  verdict: verdict === undefined ? undefined : VERDICT_WORDS[verdict],
  flow_name: flow,
  rule: rule !== undefined && /.\.(error|\d{1,6})$/s.test(rule) ? rule : undefined
})

/** Whether a filter leaves out anything. */
export const isFiltered = (filter: RowFilter): boolean =>
  FILTERS.some((name) => filter[name] !== undefined && filter[name] !== "")
