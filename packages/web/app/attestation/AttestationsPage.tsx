/** The attestations of an org, newest first; one of them can be open in a panel over the list. */

import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { FlowLink, TrailLink, withAttestation } from "../shared/AddressLinks.js"
import { callOf } from "../shared/Api.js"
import type { Attestation } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
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
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromState } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { OpenAttestation } from "./AttestationPanel.js"
import { summaryOf, TYPES } from "./AttestationSummary.js"

const PER_PAGE = 50
const FILTERS = ["name", "flow", "type", "outcome"]
const columnsOf = (org: string, route: Route.Route): ReadonlyArray<Column<Attestation>> => [
  {
    name: "outcome",
    title: "Outcome",
    cell: ({ is_compliant }) => <VerdictMark verdict={fromState(is_compliant)} word />
  },
  {
    name: "name",
    title: "Attestation",
    isHeader: true,
    cell: ({ attestation_id, attestation_name, is_override }) => (
      <>
        <a href={withAttestation(route, attestation_id)}>
          <RevealedText text={Shorten.middle(attestation_name, 40)} />
        </a>
        {is_override ? <span class="tag">override</span> : null}
      </>
    )
  },
  {
    name: "type",
    title: "Type",
    cell: ({ attestation_type }) => <RevealedText text={attestation_type} />
  },
  {
    name: "says",
    isFlexible: true,
    title: "Says",
    cell: (attestation) => {
      const text = summaryOf(attestation)
      return (
        <span title={Reveal.plain(text)}>
          <RevealedText text={Shorten.middle(text, 48)} />
        </span>
      )
    }
  },
  {
    name: "trail",
    title: "Flow › trail",
    cell: ({ flow_name: flow, trail_name: trail }) => (
      <>
        <FlowLink org={org} flow={flow} /> › <TrailLink org={org} flow={flow} trail={trail} />
      </>
    )
  },
  {
    name: "files",
    title: "Files",
    isNumber: true,
    cell: ({ attachments }) => (attachments.length === 0 ? "" : attachments.length)
  },
  {
    name: "reported",
    title: "Reported",
    cell: ({ created_at }) => <Timestamp seconds={created_at} />
  }
]

const Filters = ({ org, route }: { readonly org: string; readonly route: Route.Route }) => {
  const types = knownOf(useQuery("attestationType.list", { org }))
  const flows = knownOf(
    useQuery("flow.list", {
      org,
      query: { page: 1, per_page: 100, sort: "name", sort_direction: "asc" }
    })
  )
  const custom = Damaged.readable(types?.value ?? []).items.map(({ name }) => `custom:${name}`)
  return (
    <search class="filters">
      <TextFilter route={route} name="name" label="Exact name" isMain />
      <ChoiceFilter
        route={route}
        name="type"
        label="Type"
        any="any type"
        options={[...TYPES, ...custom].map((type) => [type, type] as const)}
      />
      <ChoiceFilter
        route={route}
        name="flow"
        label="Flow"
        any="any flow"
        options={Damaged.readable(flows?.value.data ?? []).items.map(
          ({ name }) => [name, name] as const
        )}
      />
      <ChoiceFilter
        route={route}
        name="outcome"
        label="Outcome"
        any="any outcome"
        options={[
          ["false", "not compliant"],
          ["true", "compliant"]
        ]}
      />
    </search>
  )
}

export const AttestationsPage = ({ route }: PageProps<Route.RouteOf<"Attestations">>) => {
  const { org } = route.params
  const params = {
    org,
    query: {
      page: pageOf(route),
      per_page: PER_PAGE,
      name: Route.parameter(route, "name"),
      flow_name: Route.parameter(route, "flow"),
      type: Route.parameter(route, "type"),
      is_compliant: Route.parameter(route, "outcome")
    }
  }
  const state = useQuery("attestation.list", params)
  return (
    <Page
      name="Attestations"
      org={org}
      aside={<a href={Navigation.href("AttestationTypes", { org })}>Attestation types</a>}
    >
      <Filters org={org} route={route} />
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("attestation.list", params).path)}
      >
        {({ data, pagination }) => {
          const { items, damaged } = Damaged.readable(data)
          if (data.length === 0)
            return isFiltered(route, FILTERS) ? (
              <NothingFits what="attestation" names={FILTERS} />
            ) : (
              <div class="note">
                <strong>No attestations yet</strong>
                <p>
                  An attestation is evidence about a trail or an artifact: test results, scans,
                  reviews, decisions.
                </p>
              </div>
            )
          return (
            <>
              <DamagedNote count={damaged} />
              <VirtualTable
                caption="Attestations"
                columns={columnsOf(org, route)}
                rows={items}
                keyOf={({ attestation_id }) => attestation_id}
                rowHeight={preferences.value.density === "compact" ? 28 : 36}
                selected={Route.parameter(route, "attestation_id")}
                onOpen={({ attestation_id }) => Navigation.setQuery({ attestation_id })}
              />
              <Pager
                route={route}
                perPage={PER_PAGE}
                total={pagination?.total ?? data.length}
                what="attestations"
              />
            </>
          )
        }}
      </QueryView>
      <OpenAttestation org={org} route={route} />
    </Page>
  )
}
