/** A flow: its trails with their statuses, and the attestations that are often missing. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { Artifact } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { ChoiceFilter, isFiltered, NothingFits, TextFilter } from "../shared/Filters.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { FlowFrame } from "./FlowFrame.js"
import { matrixOf } from "./TrailMatrix.js"
import { type RunningByTrail, TrailMatrixTable } from "./TrailMatrixTable.js"

const PER_PAGE = 50
const ARTIFACTS = 100
const FILTERS = ["q", "status"]

/** The environments that run artifacts of each trail. */
const runningOf = (artifacts: ReadonlyArray<Artifact>): RunningByTrail => {
  const byTrail = new Map<string, Array<string>>()
  for (const { trail_name, running } of Damaged.readable(artifacts).items)
    for (const { environment_name } of running) {
      const names = byTrail.get(trail_name) ?? []
      if (!names.includes(environment_name)) names.push(environment_name)
      byTrail.set(trail_name, names)
    }
  return byTrail
}

const NoTrails = () => (
  <div class="note">
    <strong>No trails yet</strong>
    <p>Each run of the pipeline begins a trail, and reports its artifacts and evidence to it.</p>
  </div>
)

const Trails = ({ route }: { readonly route: Route.RouteOf<"Flow"> }) => {
  const { org, flow } = route.params
  const params = {
    org,
    query: {
      flow,
      page: pageOf(route),
      per_page: PER_PAGE,
      search: Route.parameter(route, "q"),
      compliance_state: Route.parameter(route, "status")
    }
  }
  const state = useQuery("trail.list", params)
  const artifacts = knownOf(
    useQuery("artifact.list", { org, query: { flow_name: flow, page: 1, per_page: ARTIFACTS } })
  )
  return (
    <>
      <search class="filters">
        <TextFilter route={route} name="q" label="Filter by name of the trail" isMain />
        <ChoiceFilter
          route={route}
          name="status"
          label="Status"
          any="any status"
          options={[
            ["NON-COMPLIANT", "not compliant"],
            ["INCOMPLETE", "incomplete"],
            ["COMPLIANT", "compliant"]
          ]}
        />
      </search>
      <QueryView state={state} retry={() => void cache.refresh(callOf("trail.list", params).path)}>
        {({ data, pagination }) => {
          const { items, damaged } = Damaged.readable(data)
          if (data.length === 0)
            return isFiltered(route, FILTERS) ? (
              <NothingFits what="trail" names={FILTERS} />
            ) : (
              <NoTrails />
            )
          return (
            <>
              <DamagedNote count={damaged} />
              <TrailMatrixTable
                org={org}
                matrix={matrixOf(items)}
                running={artifacts === undefined ? undefined : runningOf(artifacts.value)}
              />
              <Pager route={route} perPage={PER_PAGE} total={pagination.total} what="trails" />
            </>
          )
        }}
      </QueryView>
    </>
  )
}

export const FlowPage = ({ route }: PageProps<Route.RouteOf<"Flow">>) => (
  <FlowFrame route={route}>{() => <Trails route={route} />}</FlowFrame>
)
