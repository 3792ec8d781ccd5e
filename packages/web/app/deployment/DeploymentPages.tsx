/** A list of deployments with its filters and pages. */
import * as Route from "@attestry/web/Route"
import { callOf } from "../shared/Api.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { ChoiceFilter, isFiltered, NothingFits, TextFilter } from "../shared/Filters.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { DeploymentTable } from "./DeploymentTable.js"

const PER_PAGE = 50
const FILTERS = ["environment", "flow", "fingerprint", "repo"]

const isWhole = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

const Filters = ({
  org,
  route,
  withFlow
}: {
  readonly org: string
  readonly route: Route.Route
  readonly withFlow: boolean
}) => {
  const environments = knownOf(
    useQuery("environment.list", { org, query: { page: 1, per_page: 100 } })
  )
  const flows = knownOf(
    useQuery("flow.list", {
      org,
      query: { page: 1, per_page: 100, sort: "name", sort_direction: "asc" }
    })
  )
  const named = (items: ReadonlyArray<{ readonly name: string }> = []) =>
    Damaged.readable(items).items.map(({ name }) => [name, name] as const)
  return (
    <search class="filters">
      <TextFilter route={route} name="fingerprint" label="Whole fingerprint" isMain />
      <TextFilter route={route} name="repo" label="Repository" />
      <ChoiceFilter
        route={route}
        name="environment"
        label="Environment"
        any="any environment"
        options={named(environments?.value.environments)}
      />
      {withFlow ? (
        <ChoiceFilter
          route={route}
          name="flow"
          label="Flow"
          any="any flow"
          options={named(flows?.value.data)}
        />
      ) : null}
    </search>
  )
}

/** The deployments of the org or of a flow. */
export const DeploymentPages = ({
  org,
  route,
  of
}: {
  readonly org: string
  readonly route: Route.Route
  readonly of: { readonly flow?: string }
}) => {
  const fingerprint = Route.parameter(route, "fingerprint")
  const params = {
    org,
    query: {
      flow: Route.parameter(route, "flow"),
      repo_name: Route.parameter(route, "repo"),
      ...of,
      page: pageOf(route),
      per_page: PER_PAGE,
      include: "verdict",
      environment: Route.parameter(route, "environment"),
      fingerprint: fingerprint !== undefined && isWhole(fingerprint) ? fingerprint : undefined
    }
  }
  const state = useQuery("deployment.list", params)
  return (
    <>
      <Filters org={org} route={route} withFlow={of.flow === undefined} />
      {fingerprint !== undefined && !isWhole(fingerprint) ? (
        <p class="quiet">A fingerprint has 64 hexadecimal characters; this one filters nothing.</p>
      ) : null}
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("deployment.list", params).path)}
      >
        {({ deployments, total_count }) => {
          const { items, damaged } = Damaged.readable(deployments)
          if (deployments.length === 0)
            return isFiltered(route, FILTERS) ? (
              <NothingFits what="deployment" names={FILTERS} />
            ) : (
              <div class="note">
                <strong>No deployments yet</strong>
                <p>
                  A deployment is noticed when a report shows an artifact that did not run in the
                  environment before.
                </p>
              </div>
            )
          return (
            <>
              <DamagedNote count={damaged} />
              <DeploymentTable org={org} deployments={items} withFlow={of.flow === undefined} />
              <Pager route={route} perPage={PER_PAGE} total={total_count} what="deployments" />
            </>
          )
        }}
      </QueryView>
    </>
  )
}
