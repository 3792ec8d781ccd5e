/** Filters and sorts the rows of a snapshot by the parameters of the URL. */
import * as Route from "@attestry/web/Route"
import type { ShortRow, SnapshotRule } from "../shared/Contract.js"
import type { Verdict } from "../shared/Verdict.js"

/** The query parameters of the filters. */
export const FILTERS = ["q", "verdict", "change", "flow", "rule"] as const

/** The query change that clears every filter. */
export const NO_FILTERS: Route.QueryChange = Object.fromEntries(
  FILTERS.map((name) => [name, undefined])
)

/** The value of `flow` that selects rows without provenance. */
export const NO_PROVENANCE = "no provenance"

/** What is shown where a row's flow is one that the reader may not read. */
export const HIDDEN_FLOW = "in a flow you may not read"

/** The flow of a row, as filters name it. */
export const flowOf = ({ flow_name, hidden }: Pick<ShortRow, "flow_name" | "hidden">): string =>
  flow_name ?? (hidden === true ? HIDDEN_FLOW : NO_PROVENANCE)

/** The filters in the URL; an absent one matches everything. */
export interface RowFilter {
  readonly q?: string | undefined
  readonly verdict?: string | undefined
  readonly change?: string | undefined
  readonly flow?: string | undefined
  readonly rule?: string | undefined
  /** The name of a column; a leading `-` reverses the order. */
  readonly sort?: string | undefined
}

export const fromRoute = (route: Pick<Route.Route, "query">): RowFilter => ({
  q: Route.parameter(route, "q"),
  verdict: Route.parameter(route, "verdict"),
  change: Route.parameter(route, "change"),
  flow: Route.parameter(route, "flow"),
  rule: Route.parameter(route, "rule"),
  sort: Route.parameter(route, "sort")
})

/** The key of a row in the URL. A name may contain any character, a fingerprint contains no tilde. */
export const keyOf = ({
  fingerprint,
  name,
  environment
}: Pick<ShortRow, "fingerprint" | "name" | "environment">): string =>
  environment === undefined ? `${fingerprint}~${name}` : `${fingerprint}~${name}~${environment}`

/** The mark of a row; an allowed row is compliant for a different reason, so it has its own mark. */
export const verdictOf = ({ verdict, is_allowed }: ShortRow): Verdict => {
  if (is_allowed) return "allowed"
  if (verdict === "Compliant") return "compliant"
  return verdict === "NonCompliant" ? "non-compliant" : "unknown"
}

/** The value of the filter `change`; undefined for an unchanged row. */
export const changeOf = ({
  annotation
}: ShortRow): "started" | "exited" | "changed" | undefined => {
  if (annotation.type === "unchanged") return undefined
  if (annotation.type === "exited") return "exited"
  return annotation.type.startsWith("started-") ? "started" : "changed"
}

/** The key of a rule in the URL: `policy.3`, zero-based, or `policy.error`. */
export const ruleKey = ({ policy_name, rule_index }: SnapshotRule): string =>
  `${policy_name}.${rule_index ?? "error"}`

const texts = new WeakMap<ShortRow, string>()

/** WHY cached: thousands of rows are searched with each key. */
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

/** Whether a row's abbreviated commit matches a full commit. */
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
  expires: (left, right) => (left.expires_at ?? Infinity) - (right.expires_at ?? Infinity) || 0,
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

/** The value of `sort` after a click on a column; each click reverses the order. */
export const nextSort = (sort: string | undefined, column: string): string | undefined => {
  const order = orderOf(sort)
  if (order.column === column && !order.isReversed) return `-${column}`
  return column === "verdict" ? undefined : column
}

/** Allowed rows count as compliant. */
const hasVerdict = (row: ShortRow, wanted: string): boolean => {
  const own = verdictOf(row)
  return own === wanted || (wanted === "compliant" && own === "allowed")
}

/** The matching rows, sorted; ties keep the order of the snapshot. */
export const apply = (
  rows: ReadonlyArray<ShortRow>,
  rules: ReadonlyArray<SnapshotRule>,
  { q, verdict, change, flow, rule, sort }: RowFilter
): ReadonlyArray<ShortRow> => {
  const text = q?.trim().toLowerCase() ?? ""
  const failing = new Set(
    rules.flatMap((each, number) => (rule !== undefined && ruleKey(each) === rule ? [number] : []))
  )
  // WHY: the counts that link here only count running rows.
  const isRunningOnly = (verdict !== undefined || rule !== undefined) && change !== "exited"
  const passes = (row: ShortRow): boolean =>
    (text === "" || textOf(row).includes(text) || beginsLike(row, text)) &&
    (!isRunningOnly || row.annotation.type !== "exited") &&
    (verdict === undefined || hasVerdict(row, verdict)) &&
    (change === undefined || changeOf(row) === change) &&
    (flow === undefined || flowOf(row) === flow) &&
    (rule === undefined || row.failing.some((number) => failing.has(number)))
  const { column, isReversed } = orderOf(sort)
  const order = ORDERS[column] ?? (() => 0)
  const sign = isReversed ? -1 : 1
  return rows.filter(passes).sort((left, right) => sign * order(left, right))
}

/** The sorted names of the flows of rows, for the filter. */
export const flowsOf = (rows: ReadonlyArray<ShortRow>): ReadonlyArray<string> =>
  [...new Set(rows.map(flowOf))].sort(byText)

const VERDICT_WORDS: { readonly [verdict: string]: string } = {
  compliant: "Compliant",
  allowed: "Compliant",
  "non-compliant": "NonCompliant",
  unknown: "Unknown"
}

/** The same filter as query parameters, for snapshots that are longer than one page. */
export const toQuery = ({ q, verdict, flow, rule }: RowFilter) => ({
  search: q === "" ? undefined : q,
  verdict: verdict === undefined ? undefined : VERDICT_WORDS[verdict],
  flow_name: flow,
  rule: rule !== undefined && /.\.(error|\d{1,6})$/s.test(rule) ? rule : undefined
})

export const isFiltered = (filter: RowFilter): boolean =>
  FILTERS.some((name) => filter[name] !== undefined && filter[name] !== "")
