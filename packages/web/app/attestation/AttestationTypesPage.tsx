/** The attestation types that an org defines. */

import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { AttestationType } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { ChoiceFilter } from "../shared/Filters.js"
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

const columnsOf = (org: string): ReadonlyArray<Column<AttestationType>> => [
  {
    name: "name",
    title: "Type",
    isHeader: true,
    cell: ({ name }) => (
      <a href={Navigation.href("AttestationType", { org, type: name })}>
        <RevealedText text={name} />
      </a>
    )
  },
  {
    name: "description",
    title: "Description",
    cell: ({ description }) => (
      <span title={Reveal.plain(description ?? "")}>
        <RevealedText text={Shorten.middle(description ?? "", 60)} />
      </span>
    )
  },
  {
    name: "version",
    title: "Version",
    isNumber: true,
    cell: ({ versions }) => versions[0]?.version ?? ""
  },
  {
    name: "changed",
    title: "Last change",
    cell: ({ last_modified_at }) =>
      last_modified_at === undefined ? null : <Timestamp seconds={last_modified_at} />
  }
]

export const AttestationTypesPage = ({ route }: PageProps<Route.RouteOf<"AttestationTypes">>) => {
  const { org } = route.params
  const archived = Route.parameter(route, "archived") === "true"
  const params = { org, query: { archived: archived ? "true" : undefined } }
  const state = useQuery("attestationType.list", params)
  return (
    <Page
      name="Attestation types"
      org={org}
      aside={<a href={Navigation.href("Attestations", { org })}>Attestations</a>}
    >
      <search class="filters">
        <ChoiceFilter
          route={route}
          name="archived"
          label="Archived"
          any="in use"
          options={[["true", "archived"]]}
        />
      </search>
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("attestationType.list", params).path)}
      >
        {(types) => {
          const { items, damaged } = Damaged.readable(types)
          if (types.length === 0)
            return (
              <div class="note">
                <strong>{archived ? "No type is archived" : "No types of your own yet"}</strong>
                <p>
                  A type has a JSON Schema and rules that decide whether its data are compliant.
                  Define one with <code>attestry put type NAME</code>.
                </p>
              </div>
            )
          return (
            <>
              <DamagedNote count={damaged} />
              <VirtualTable
                caption="Attestation types"
                columns={columnsOf(org)}
                rows={items}
                keyOf={({ name }) => name}
                rowHeight={preferences.value.density === "compact" ? 28 : 36}
                onOpen={({ name }) =>
                  Navigation.go(Route.make("AttestationType", { org, type: name }))
                }
              />
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}
