/** The policies of an org: the current version, its author, and the environments that each policy evaluates. */

import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { Policy } from "../shared/Contract.js"
import { useTypedQuery } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"

const Consumers = ({ names }: { readonly names: ReadonlyArray<string> }) =>
  names.length === 0 ? (
    <span class="quiet">attached nowhere</span>
  ) : (
    <span title={names.join(", ")}>
      <RevealedText text={names.slice(0, 3).join(", ")} />
      {names.length > 3 ? <span class="quiet"> and {names.length - 3} more</span> : null}
    </span>
  )

const columnsOf = (org: string): ReadonlyArray<Column<Policy>> => [
  {
    name: "name",
    title: "Policy",
    isHeader: true,
    cell: ({ name }) => (
      <a href={Navigation.href("Policy", { org, policy: name })}>
        <RevealedText text={name} />
      </a>
    )
  },
  {
    name: "description",
    isFlexible: true,
    title: "Description",
    cell: ({ description }) => (
      <span title={Reveal.plain(description)}>
        <RevealedText text={Shorten.middle(description, 60)} />
      </span>
    )
  },
  {
    name: "version",
    title: "Version",
    isNumber: true,
    cell: ({ versions }) => versions.at(-1)?.version
  },
  {
    name: "environments",
    isFlexible: true,
    title: "Attached to",
    cell: ({ consuming_envs }) => <Consumers names={consuming_envs} />
  },
  {
    name: "changed",
    title: "Last change",
    cell: ({ last_modified_at }) => <Timestamp seconds={last_modified_at} />
  },
  {
    name: "by",
    title: "By",
    cell: ({ versions, created_by }) => (
      <RevealedText text={versions.at(-1)?.created_by ?? created_by} />
    )
  }
]

const isDamaged = (item: object): boolean => "damaged_record" in item

const NoPolicies = () => (
  <div class="note">
    <strong>No policies yet</strong>
    <p>
      A policy says what artifacts need before they may run: provenance, a compliant trail, and
      attestations. Attached to an environment, it evaluates everything that runs there.
    </p>
  </div>
)

const Filter = ({ value }: { readonly value: string }) => {
  const typed = useTypedQuery("q")
  return (
    <search class="filters">
      <input
        type="search"
        data-filter
        aria-label="Filter by name or environment"
        placeholder="Filter by name or environment ( / )"
        value={value}
        onInput={({ currentTarget }) => typed.write(currentTarget.value)}
        onBlur={typed.leave}
      />
    </search>
  )
}

export const PoliciesPage = ({ route }: PageProps<Route.RouteOf<"Policies">>) => {
  const { org } = route.params
  const state = useQuery("policy.list", { org })
  const q = Route.parameter(route, "q") ?? ""
  const wanted = q.toLowerCase()
  return (
    <Page
      name="Policies"
      org={org}
      aside={
        <span class="row-actions">
          <a href={Navigation.href("TrustPolicy", { org })}>Trust policy</a>
          <a href={Navigation.href("AllowLists", { org })}>Allowed artifacts</a>
          {Session.may(org, "policy.write") ? (
            <a class="button button-main" href={Navigation.href("NewPolicy", { org })}>
              New policy
            </a>
          ) : null}
        </span>
      }
    >
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("policy.list", { org }).path)}
      >
        {(all) => {
          const policies = all.filter((policy) => !isDamaged(policy))
          const shown = policies.filter(({ consuming_envs, name }) =>
            [name, ...consuming_envs].some((text) => text.toLowerCase().includes(wanted))
          )
          if (all.length === 0) return <NoPolicies />
          return (
            <>
              <Filter value={q} />
              {shown.length === 0 ? (
                <div class="note">
                  <strong>No policy fits the filter</strong>
                </div>
              ) : (
                <VirtualTable
                  caption="Policies"
                  columns={columnsOf(org)}
                  rows={shown}
                  keyOf={({ name }) => name}
                  rowHeight={preferences.value.density === "compact" ? 28 : 36}
                  onOpen={({ name }) =>
                    Navigation.go({ _tag: "Policy", params: { org, policy: name }, query: [] })
                  }
                />
              )}
              {policies.length < all.length ? (
                <p class="quiet">
                  {all.length - policies.length} damaged in the store and not shown.
                </p>
              ) : null}
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}
