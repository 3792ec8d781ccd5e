/** The waivers of an org, newest first, filtered by state, policy, environment and owner. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { Waiver } from "../shared/Contract.js"
import { ChoiceFilter, isFiltered, NothingFits, TextFilter } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { EnvironmentLink, PolicyLink, RequestButton, WaiverEnd, WaiverTabs } from "./WaiverParts.js"
import { ruleText } from "./WaiverRule.js"
import { approvalsText, isOpen, OPEN, STATES } from "./WaiverText.js"

const PER_PAGE = 50
const FILTERS = ["state", "policy", "environment", "owner"]

const columnsOf = (org: string): ReadonlyArray<Column<Waiver>> => [
  {
    name: "number",
    title: "Waiver",
    isHeader: true,
    cell: ({ number, reason }) => (
      <a
        href={Navigation.href("Waiver", { org, number: String(number) })}
        title={Reveal.plain(reason)}
      >
        waiver {number}
      </a>
    )
  },
  {
    name: "state",
    title: "State",
    cell: (waiver) =>
      waiver.state === "requested" ? `requested, ${approvalsText(waiver)}` : waiver.state
  },
  {
    name: "policy",
    title: "Policy",
    isFlexible: true,
    cell: ({ policy_name }) => <PolicyLink org={org} policy={policy_name} />
  },
  {
    name: "rule",
    title: "Rule",
    isFlexible: true,
    cell: ({ rule }) => <RevealedText text={ruleText(rule)} />
  },
  {
    name: "environment",
    title: "Environment",
    isFlexible: true,
    cell: ({ environment }) => <EnvironmentLink org={org} environment={environment} />
  },
  { name: "owner", title: "Owner", cell: ({ owner }) => <RevealedText text={owner} /> },
  {
    name: "end",
    title: "End",
    cell: (waiver) =>
      isOpen(waiver.state) ? (
        <WaiverEnd waiver={waiver} />
      ) : (
        <Timestamp seconds={waiver.revoked?.at ?? waiver.rejected?.at ?? waiver.expires_at} />
      )
  }
]

const Filters = ({ route }: { readonly route: Route.RouteOf<"Waivers"> }) => {
  const { org } = route.params
  const policies = knownOf(useQuery("policy.list", { org }))?.value ?? []
  const environments =
    knownOf(useQuery("environment.list", { org, query: { page: 1, per_page: 100 } }))?.value
      .environments ?? []
  return (
    <search class="filters">
      <TextFilter route={route} name="owner" label="Owner (login)" isMain />
      <ChoiceFilter
        route={route}
        name="state"
        label="State"
        any="any state"
        options={[[OPEN.join(), "open"], ...STATES.map((state) => [state, state] as const)]}
      />
      <ChoiceFilter
        route={route}
        name="policy"
        label="Policy"
        any="any policy"
        options={policies.map(({ name }) => [name, name])}
      />
      <ChoiceFilter
        route={route}
        name="environment"
        label="Environment"
        any="any environment"
        options={environments.map(({ name }) => [name, name])}
      />
    </search>
  )
}

const NoWaivers = ({ route }: { readonly route: Route.RouteOf<"Waivers"> }) =>
  isFiltered(route, FILTERS) ? (
    <NothingFits what="waiver" names={FILTERS} />
  ) : (
    <div class="note">
      <strong>No failure is waived</strong>
      <p>
        A waiver accepts that a rule fails, until an instant, with a reason, an owner and approvals.
        Request one here, from a failing row of a snapshot, or with{" "}
        <code>attestry waiver request</code>.
      </p>
    </div>
  )

const paramsOf = (route: Route.RouteOf<"Waivers">) => ({
  org: route.params.org,
  query: {
    state: Route.parameter(route, "state"),
    policy_name: Route.parameter(route, "policy"),
    environment: Route.parameter(route, "environment"),
    owner: Route.parameter(route, "owner"),
    page: pageOf(route),
    per_page: PER_PAGE
  }
})

export const WaiversPage = ({ route }: PageProps<Route.RouteOf<"Waivers">>) => {
  const { org } = route.params
  const params = paramsOf(route)
  const state = useQuery("waiver.list", params)
  return (
    <Page name="Waivers" org={org} aside={<RequestButton org={org} />}>
      <WaiverTabs org={org} current="Waivers" />
      <Filters route={route} />
      <QueryView state={state} retry={() => void cache.refresh(callOf("waiver.list", params).path)}>
        {({ total_count, waivers }) =>
          waivers.length === 0 ? (
            <NoWaivers route={route} />
          ) : (
            <>
              <VirtualTable
                caption="Waivers"
                columns={columnsOf(org)}
                rows={waivers}
                keyOf={({ number }) => String(number)}
                rowHeight={preferences.value.density === "compact" ? 28 : 36}
              />
              <Pager route={route} perPage={PER_PAGE} total={total_count} what="waivers" />
            </>
          )
        }
      </QueryView>
    </Page>
  )
}
