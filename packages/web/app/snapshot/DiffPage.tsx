/** Compares two snapshots, of one environment or of two, side by side. */
import * as Route from "@attestry/web/Route"
import { useMemo } from "preact/hooks"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { ShortRow, ShortSnapshot } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { usePageKeys } from "../shared/PageKeys.js"
import { ProblemNote } from "../shared/ProblemNote.js"
import { cache, useQuery } from "../shared/Query.js"
import type { QueryState } from "../shared/QueryCache.js"
import { Skeleton } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromStatus } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { DiffTable } from "./DiffTable.js"
import { SideFields } from "./SideFields.js"
import { countsOf, pairsOf, parseSide, type Side, turns } from "./SnapshotPairs.js"
import { indexIn, ROWS_PER_PAGE } from "./SnapshotReads.js"

/** At most this many pages of a side are read. */
const PAGES = [1, 2, 3, 4]

interface ReadSide {
  readonly snapshot: ShortSnapshot
  readonly rows: ReadonlyArray<ShortRow>
}

type SideState =
  | { readonly _tag: "Loading" }
  | {
      readonly _tag: "Failed"
      readonly state: QueryState<ShortSnapshot>
      readonly retry: () => void
    }
  | { readonly _tag: "Ready"; readonly value: ReadSide }

/** One page of a side. A page beyond the last one repeats the first, so it sends no request. */
const useSidePage = (org: string, { environment, expression }: Side, page: number) => {
  const query = { per_page: ROWS_PER_PAGE, ...(page === 1 ? {} : { page }) }
  const params = { org, env_name: environment, snapshot_expression: expression, query }
  const isFixed = indexIn(expression) !== undefined
  const state = useQuery("snapshot.rows", params, isFixed ? { immutable: true } : {})
  return { state, retry: () => void cache.refresh(callOf("snapshot.rows", params).path) }
}

const useSide = (org: string, side: Side): SideState => {
  const first = useSidePage(org, side, 1)
  const count = first.state._tag === "Ready" ? first.state.value.total_pages : 1
  const two = useSidePage(org, side, count >= 2 ? 2 : 1)
  const three = useSidePage(org, side, count >= 3 ? 3 : 1)
  const four = useSidePage(org, side, count >= 4 ? 4 : 1)
  const pages = [first, two, three, four].slice(0, Math.min(Math.max(1, count), PAGES.length))
  const failed = pages.find(({ state }) => state._tag === "Failed")
  const ready = pages.flatMap(({ state }) => (state._tag === "Ready" ? [state.value] : []))
  const [head] = ready
  const rows = useMemo(
    () => ready.flatMap((page) => page.rows),
    ready.map((page) => page)
  )
  if (failed !== undefined) return { _tag: "Failed", ...failed }
  return head === undefined || ready.length < pages.length
    ? { _tag: "Loading" }
    : { _tag: "Ready", value: { snapshot: head, rows } }
}

const SideHead = ({
  org,
  side,
  read
}: {
  readonly org: string
  readonly side: Side
  readonly read: ReadSide
}) => {
  const { index, timestamp, verdict } = read.snapshot
  const { environment } = side
  return (
    <span class="side-head">
      <VerdictMark verdict={fromStatus(verdict)} />{" "}
      <a href={Navigation.href("Snapshot", { org, environment, expression: String(index) })}>
        <RevealedText text={environment} /> #{index}
      </a>{" "}
      <span class="quiet">
        <Timestamp seconds={timestamp} />
      </span>
    </span>
  )
}

const KINDS = [
  ["version", "changed version"],
  ["scaled", "scaled"],
  ["started", "only right"],
  ["stopped", "only left"]
] as const

/** The number of pairs of each kind, as filters. */
const DiffFilters = ({
  counts,
  isSameShown,
  isVerdictOnly
}: {
  readonly counts: ReturnType<typeof countsOf>
  readonly isSameShown: boolean
  readonly isVerdictOnly: boolean
}) => (
  <div class="filters">
    <span class="filters-count" role="status">
      {KINDS.map(([kind, text]) => `${Shorten.count(counts[kind])} ${text}`).join(" · ")} ·{" "}
      {Shorten.count(counts.same)} same{isSameShown || isVerdictOnly ? "" : " (hidden)"}
    </span>
    <label class="check">
      <input
        type="checkbox"
        checked={isSameShown}
        onChange={({ currentTarget: { checked } }) =>
          Navigation.setQuery({ same: checked ? "shown" : undefined })
        }
      />
      show same
    </label>
    <label class="check">
      <input
        type="checkbox"
        checked={isVerdictOnly}
        onChange={({ currentTarget: { checked } }) =>
          Navigation.setQuery({ only: checked ? "verdict" : undefined })
        }
      />
      only verdict changes
    </label>
  </div>
)

const Compared = ({
  route,
  left,
  right,
  sides
}: {
  readonly route: Route.RouteOf<"Diff">
  readonly left: ReadSide
  readonly right: ReadSide
  readonly sides: readonly [Side, Side]
}) => {
  const { org } = route.params
  const pairs = useMemo(() => pairsOf(left.rows, right.rows), [left.rows, right.rows])
  const counts = countsOf(pairs)
  const isVerdictOnly = Route.parameter(route, "only") === "verdict"
  const isSameShown = Route.parameter(route, "same") === "shown"
  const shown = pairs.filter(
    (pair) =>
      (isSameShown || isVerdictOnly || pair.kind !== "same") && (!isVerdictOnly || turns(pair))
  )
  const isCut = [left, right].some(({ snapshot: { total_pages } }) => total_pages > PAGES.length)
  return (
    <>
      <div class="sides">
        <SideHead org={org} side={sides[0]} read={left} />
        <span aria-hidden="true">⇄</span>
        <SideHead org={org} side={sides[1]} read={right} />
      </div>
      <DiffFilters counts={counts} isSameShown={isSameShown} isVerdictOnly={isVerdictOnly} />
      {isCut ? (
        <p class="quiet">
          The first {Shorten.count(PAGES.length * ROWS_PER_PAGE)} rows of each side are compared.
        </p>
      ) : null}
      {shown.length === 0 ? (
        <div class="note">
          <strong>{isVerdictOnly ? "No verdict differs" : "The same runs on both sides"}</strong>
          {counts.same === 0 || isSameShown ? null : (
            <p>
              {Shorten.count(counts.same)} {counts.same === 1 ? "row is" : "rows are"} the same.
            </p>
          )}
        </div>
      ) : (
        <DiffTable org={org} pairs={shown} />
      )}
    </>
  )
}

const BothSides = ({
  route,
  sides
}: {
  readonly route: Route.RouteOf<"Diff">
  readonly sides: readonly [Side, Side]
}) => {
  const left = useSide(route.params.org, sides[0])
  const right = useSide(route.params.org, sides[1])
  const failed = [left, right].flatMap((side) => (side._tag === "Failed" ? [side] : []))
  if (failed.length > 0)
    return (
      <>
        {failed.map(({ state, retry }, position) =>
          state._tag === "Failed" ? (
            <ProblemNote key={position} problem={state.problem} retry={retry} />
          ) : null
        )}
      </>
    )
  return left._tag === "Ready" && right._tag === "Ready" ? (
    <Compared route={route} left={left.value} right={right.value} sides={sides} />
  ) : (
    <Skeleton />
  )
}

export const DiffPage = ({ route }: PageProps<Route.RouteOf<"Diff">>) => {
  const left = Route.parameter(route, "left") ?? ""
  const right = Route.parameter(route, "right") ?? ""
  const sides = [parseSide(left), parseSide(right)] as const
  const swap = () => Navigation.setQuery({ left: right, right: left })
  usePageKeys({ s: swap })
  return (
    <Page
      name={`Compare ${left} and ${right}`}
      org={route.params.org}
      heading="Compare snapshots"
      aside={<SideFields key={`${left} ${right}`} route={route} swap={swap} />}
    >
      {sides[0] === undefined || sides[1] === undefined ? (
        <div class="note">
          <strong>Choose two snapshots</strong>
          <p>
            Each side is an environment, alone for its latest snapshot, or with one of{" "}
            <code>#12</code>, <code>~1</code> and <code>@{"{2.days.ago}"}</code> behind its name.
          </p>
        </div>
      ) : (
        <BothSides key={`${left} ${right}`} route={route} sides={[sides[0], sides[1]]} />
      )}
    </Page>
  )
}
