/**
 * A snapshot of an environment: running rows, their verdicts with reasons, and changes. The page of the environment
 * follows the newest snapshot; the page of a snapshot stays on it.
 */
import * as Route from "@attestry/web/Route"
import { AuditPackage } from "../audit-package/AuditPackage.js"
import { PendingRemark, StaleRemark } from "../environment/EnvironmentRemarks.js"
import { Proof } from "../log/Proof.js"
import type { PageProps } from "../pages.js"
import { ReceiptLink } from "../receipt/ReceiptLink.js"
import type { Environment, ShortSnapshot } from "../shared/Contract.js"
import { NothingFits } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { usePageKeys } from "../shared/PageKeys.js"
import { ProblemNote } from "../shared/ProblemNote.js"
import { useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { Skeleton } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { fromStatus, WORDS } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { AsOf } from "./as-of/AsOf.js"
import { failingRows, groupsOf } from "./ReasonGroups.js"
import { Reasons, RowCounts, RowFilters, RowPages } from "./RowControls.js"
import { RowDetail } from "./RowDetail.js"
import * as RowFilter from "./RowFilter.js"
import {
  diffOf,
  hrefOf,
  Members,
  SnapshotFacts,
  SnapshotReasons,
  SnapshotSteps
} from "./SnapshotHeader.js"
import * as SnapshotReads from "./SnapshotReads.js"
import { SnapshotRows } from "./SnapshotRows.js"
import { MissingSnapshot, NoSnapshot, NothingRuns } from "./SnapshotStates.js"
import { Timeline } from "./Timeline.js"

type Place = SnapshotReads.Place
type SnapshotRoute = Route.RouteOf<"Environment"> | Route.RouteOf<"Snapshot">

const goTo = (href: string) => Navigation.go(Route.parse(href, Navigation.base))

/** The shortcuts of the page: older, newer, latest, compare with the previous snapshot. */
const useSnapshotKeys = (place: Place, index: number, latest: number) => {
  const { org, environment } = place
  usePageKeys({
    "[": index > 1 ? () => goTo(hrefOf(place, index - 1)) : undefined,
    "]": index < latest ? () => goTo(hrefOf(place, index + 1)) : undefined,
    l: () => Navigation.go({ _tag: "Environment", params: { org, environment }, query: [] }),
    d: index > 1 ? () => Navigation.go(diffOf(place, index - 1, index)) : undefined,
    Escape:
      Route.parameter(Navigation.route.value, "row") === undefined
        ? undefined
        : () => Navigation.setQuery({ row: undefined })
  })
}

/** Announces a newer snapshot without moving the rows that a person reads. */
const NewerSnapshot = ({
  place,
  index,
  latest
}: {
  readonly place: Place
  readonly index: number
  readonly latest: number
}) =>
  place.expression === undefined || latest <= index ? null : (
    <p class="bar" role="status">
      Snapshot {latest} is here <a href={hrefOf(place, latest)}>view</a>
      <a href={Navigation.hrefOf(diffOf(place, index, latest))}>compare</a>
    </p>
  )

/** The filters, the rows, and the detail of the selected row. */
const SnapshotBody = ({
  place,
  route,
  read: { snapshot, isLong }
}: {
  readonly place: Place
  readonly route: SnapshotRoute
  readonly read: SnapshotReads.ReadSnapshot
}) => {
  const { org } = place
  const { rows, rules } = snapshot
  const filter = RowFilter.fromRoute(route)
  const shown = RowFilter.apply(rows, rules, filter)
  const selected = Route.parameter(route, "row")
  const row =
    selected === undefined ? undefined : rows.find((each) => RowFilter.keyOf(each) === selected)
  const groups = groupsOf(rules)
  const isEmpty = rows.length === 0 && !RowFilter.isFiltered(filter)
  return (
    <div class={selected === undefined ? "split" : "split split-open"}>
      <div class="split-main">
        {groups.length === 0 ? null : (
          <Reasons
            groups={groups}
            route={route}
            rows={isLong ? snapshot.artifact_compliance_count.false : failingRows(rows)}
          />
        )}
        <RowCounts snapshot={snapshot} route={route} />
        {isEmpty ? (
          <NothingRuns exited={snapshot.exited_count} />
        ) : (
          <>
            <RowFilters route={route} rules={snapshot.rules} rows={rows} shown={shown.length} />
            {shown.length === 0 ? (
              <NothingFits what="row" names={RowFilter.FILTERS} />
            ) : (
              <SnapshotRows
                org={org}
                route={route}
                rows={shown}
                isLogical={snapshot.members !== null}
              />
            )}
            {isLong ? <RowPages snapshot={snapshot} route={route} /> : null}
          </>
        )}
      </div>
      {selected === undefined ? null : (
        <RowDetail
          key={`${snapshot.index} ${selected}`}
          place={place}
          snapshot={snapshot}
          selected={selected}
          row={row}
        />
      )}
    </div>
  )
}

const headingOf = (place: Place, snapshot: ShortSnapshot | undefined) => (
  <>
    {snapshot === undefined ? null : <VerdictMark verdict={fromStatus(snapshot.verdict)} />}{" "}
    <RevealedText text={place.environment} />{" "}
    {snapshot === undefined ? null : (
      <span class="heading-word">{WORDS[fromStatus(snapshot.verdict)]}</span>
    )}
  </>
)

/** The interval at which the page checks for evidence after the newest snapshot. */
const POLL_MS = 5_000

/** The environment; its stale flag shows that evidence arrived after the newest snapshot. */
const useEnvironment = (org: string, env_name: string): Environment | undefined => {
  const params = { org, env_name, query: { include: "latest_snapshot" } }
  return knownOf<Environment>(useQuery("environment.get", params, { poll: POLL_MS }))?.value
}

/** Notes that evidence arrived after the newest snapshot; renders nothing for an older one. */
const NewEvidence = ({ environment }: { readonly environment: Environment | undefined }) => (
  <div role="status">
    {environment === undefined ? null : (
      <>
        <PendingRemark environment={environment} />
        <StaleRemark environment={environment} />
      </>
    )}
  </div>
)

/** The proof that the log has the snapshot, and the receipt of its verdict. */
const Signed = ({ place, index }: { readonly place: Place; readonly index: number }) => (
  <section class="block">
    <Proof org={place.org} subject={{ what: "snapshot", environment: place.environment, index }} />
    <p class="below">
      <ReceiptLink org={place.org} environment={place.environment} index={index} />
    </p>
  </section>
)

/** The page once the index is known. */
const SnapshotView = ({
  place,
  route,
  index,
  latest
}: {
  readonly place: Place
  readonly route: SnapshotRoute
  readonly index: number
  readonly latest: number
}) => {
  const { org, environment: env_name } = place
  const environment = useEnvironment(org, env_name)
  const page = Math.max(1, Number(Route.parameter(route, "page") ?? 1) || 1)
  const found = SnapshotReads.useSnapshot(place, index, {
    filter: RowFilter.fromRoute(route),
    page
  })
  const newest = Math.max(latest, index)
  useSnapshotKeys(place, index, newest)
  SnapshotReads.useMovedEnds(place, index, environment?.due_at)
  const read = found._tag === "Ready" ? found.value : undefined
  const verdict = read === undefined ? undefined : WORDS[fromStatus(read.snapshot.verdict)]
  return (
    <Page
      name={[...(verdict === undefined ? [] : [verdict]), `${env_name} #${index}`].join(" · ")}
      org={org}
      heading={headingOf(place, read?.snapshot)}
      aside={<SnapshotSteps place={place} index={read?.snapshot.index ?? index} latest={newest} />}
    >
      {read === undefined ? null : (
        <SnapshotFacts place={place} snapshot={read.snapshot} environment={environment} />
      )}
      {read === undefined ? null : <SnapshotReasons snapshot={read.snapshot} />}
      <Timeline org={org} environment={env_name} route={route} current={index} />
      {read === undefined || read.snapshot.members !== null ? null : (
        <AsOf
          route={route}
          shown={{ org, environment: env_name, index, timestamp: read.snapshot.timestamp }}
        />
      )}
      <NewerSnapshot place={place} index={index} latest={latest} />
      <NewEvidence environment={index < newest ? undefined : environment} />
      {read?.snapshot.members == null ? null : (
        <Members org={org} members={read.snapshot.members} />
      )}
      {found._tag === "Loading" ? <Skeleton /> : null}
      {found._tag === "Failed" ? <ProblemNote problem={found.problem} retry={found.retry} /> : null}
      {read === undefined ? null : <SnapshotBody place={place} route={route} read={read} />}
      {read === undefined ? null : <Signed place={place} index={read.snapshot.index} />}
      {read === undefined ? null : (
        <AuditPackage org={org} environment={env_name} index={read.snapshot.index} />
      )}
    </Page>
  )
}

/** The page without a snapshot: while it loads, or with the reason why there is none. */
const Without = ({
  place,
  found
}: {
  readonly place: Place
  readonly found: Exclude<SnapshotReads.Found<number>, { readonly _tag: "Ready" }>
}) => (
  <Page name={place.environment} org={place.org} heading={headingOf(place, undefined)}>
    {found._tag === "Loading" ? (
      <Skeleton />
    ) : (
      <ProblemNote problem={found.problem} retry={found.retry} />
    )}
  </Page>
)

const Following = ({ place, route }: { readonly place: Place; readonly route: SnapshotRoute }) => {
  const latest = SnapshotReads.useLatest(place)
  if (latest._tag !== "Ready") return <Without place={place} found={latest} />
  return latest.value === 0 ? (
    <NoSnapshot org={place.org} environment={place.environment} />
  ) : (
    <SnapshotView place={place} route={route} index={latest.value} latest={latest.value} />
  )
}

const Standing = ({ place, route }: { readonly place: Place; readonly route: SnapshotRoute }) => {
  const latest = SnapshotReads.useLatest(place)
  const index = SnapshotReads.useResolved(place)
  const newest = latest._tag === "Ready" ? latest.value : 0
  if (index._tag === "Ready")
    return <SnapshotView place={place} route={route} index={index.value} latest={newest} />
  const isUnfit =
    index._tag === "Failed" &&
    (index.problem.kind === "missing" || index.problem.kind === "invalid")
  return isUnfit && latest._tag === "Ready" ? (
    <MissingSnapshot place={place} latest={newest} isMalformed={index.problem.kind === "invalid"} />
  ) : (
    <Without place={place} found={index} />
  )
}

export const SnapshotPage = ({ route }: PageProps<SnapshotRoute>) => {
  const { org, environment } = route.params
  const expression = route._tag === "Snapshot" ? route.params.expression : undefined
  const place = { org, environment, expression }
  return expression === undefined ? (
    <Following key={environment} place={place} route={route} />
  ) : (
    <Standing key={environment} place={place} route={route} />
  )
}
