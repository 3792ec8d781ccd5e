/** The releases of a period, and whether each had its tests, its review and its scan: by whom and when. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { ReleaseEvidence } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { ChoiceFilter, DayFilter, isFiltered, NothingFits } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import * as TimeWindow from "../shared/TimeWindow.js"
import { CapsuleButton } from "./CapsuleButton.js"
import { ReleaseTable } from "./ReleaseTable.js"
import { requirementText } from "./RequirementText.js"

const PER_PAGE = 50
const FILTERS = ["environment", "flow", "policy", "from", "to"]

type PageRoute = Route.RouteOf<"ReleaseEvidence">

const isoOf = (seconds: number | undefined): string | undefined =>
  seconds === undefined ? undefined : new Date(seconds * 1_000).toISOString()

/** The selection that is in the address. */
const selectionOf = (route: PageRoute) => {
  const { from, to } = TimeWindow.windowOf(route)
  return {
    environment: Route.parameter(route, "environment"),
    flow: Route.parameter(route, "flow"),
    policy: Route.parameter(route, "policy"),
    from: isoOf(from),
    to: isoOf(to)
  }
}

const named = (items: ReadonlyArray<{ readonly name: string }> = []) =>
  Damaged.readable(items).items.map(({ name }) => [name, name] as const)

const Filters = ({ org, route }: { readonly org: string; readonly route: PageRoute }) => {
  const first = { page: 1, per_page: 100 }
  const environments = knownOf(useQuery("environment.list", { org, query: first }))
  const flows = knownOf(
    useQuery("flow.list", { org, query: { ...first, sort: "name", sort_direction: "asc" } })
  )
  const policies = knownOf(useQuery("policy.list", { org }))
  const csv = callOf("releaseEvidence.export", { org, query: selectionOf(route) })
  return (
    <search class="filters">
      <ChoiceFilter
        route={route}
        name="environment"
        label="Environment"
        any="any environment"
        options={named(environments?.value.environments)}
      />
      <ChoiceFilter
        route={route}
        name="flow"
        label="Flow"
        any="any flow"
        options={named(flows?.value.data)}
      />
      <ChoiceFilter
        route={route}
        name="policy"
        label="Required by"
        any="the templates of flows"
        options={named(policies?.value)}
      />
      <DayFilter route={route} name="from" label="From" />
      <DayFilter route={route} name="to" label="To" />
      <a class="button" href={`${Navigation.base}${csv.path}`} download>
        CSV
      </a>
      <CapsuleButton org={org} question={selectionOf(route)} />
      <button type="button" class="button" onClick={() => print()}>
        Print
      </button>
    </search>
  )
}

const STATES = ["met", "overridden", "waived", "failed", "missing"] as const

/** How many releases of the whole selection met each requirement. */
const Totals = ({ requirements }: Pick<ReleaseEvidence, "requirements">) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
  <section class="table-scroller" tabIndex={0} aria-label="Requirements, as a table">
    <table class="table">
      <caption class="visually-hidden">Requirements</caption>
      <thead>
        <tr>
          <th scope="col" class="cell">
            Requirement
          </th>
          {STATES.map((state) => (
            <th key={state} scope="col" class="cell cell-number">
              {state}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {requirements.map((each) => (
          <tr key={each.key}>
            <th scope="row" class="cell">
              <RevealedText text={requirementText(each)} />
            </th>
            {STATES.map((state) => (
              <td key={state} class="cell cell-number">
                {each[state]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

const Summary = ({ from, policy, to, totals }: ReleaseEvidence) => (
  <p>
    {totals.releases} releases from <Timestamp seconds={from} always="absolute" /> to{" "}
    <Timestamp seconds={to} always="absolute" />: {totals.complete} had everything that{" "}
    {policy === null ? (
      "the templates of their flows"
    ) : (
      <>
        policy <RevealedText text={policy.name} /> version {policy.version}
      </>
    )}{" "}
    required, and of {totals.without_requirements} nothing was required. Each is shown as it was
    known when it was deployed.
  </p>
)

const Releases = ({ route }: { readonly route: PageRoute }) => {
  const { org } = route.params
  const params = {
    org,
    query: { ...selectionOf(route), page: pageOf(route), per_page: PER_PAGE }
  }
  return (
    <QueryView
      state={useQuery("releaseEvidence.list", params)}
      retry={() => void cache.refresh(callOf("releaseEvidence.list", params).path)}
    >
      {(evidence) =>
        evidence.total_count === 0 && isFiltered(route, FILTERS) ? (
          <NothingFits what="release" names={FILTERS} />
        ) : (
          <>
            <Summary {...evidence} />
            {evidence.requirements.length === 0 ? null : (
              <Totals requirements={evidence.requirements} />
            )}
            <section class="block">
              <h2>Releases</h2>
              <ReleaseTable org={org} evidence={evidence} />
              <Pager
                route={route}
                perPage={PER_PAGE}
                total={evidence.total_count}
                what="releases"
              />
            </section>
          </>
        )
      }
    </QueryView>
  )
}

export const ReleaseEvidencePage = ({ route }: PageProps<PageRoute>) => (
  <Page name="Release evidence" org={route.params.org}>
    <Filters org={route.params.org} route={route} />
    <Releases route={route} />
  </Page>
)
