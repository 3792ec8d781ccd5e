/** The history of memberships: who was added, changed, suspended or removed, and by whom. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { MembershipEvent } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { ChoiceFilter, isFiltered, NothingFits, TextFilter } from "../shared/Filters.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { AuditTabs, NotForYou } from "./AuditTabs.js"

const PER_PAGE = 50
const FILTERS = ["q", "type"]

const changeText = ({ event_type, role, previous_role }: MembershipEvent): string => {
  if (event_type === "added") return `added as ${role}`
  if (event_type === "suspended" || event_type === "restored") return `${event_type}, ${role}`
  return event_type === "removed" ? `removed, was ${previous_role}` : `${previous_role} → ${role}`
}

const COLUMNS: ReadonlyArray<Column<MembershipEvent>> = [
  {
    name: "at",
    title: "When",
    cell: ({ created_at }) => <Timestamp seconds={created_at} always="absolute" />
  },
  {
    name: "user",
    title: "Person",
    isHeader: true,
    cell: ({ user }) => <RevealedText text={Shorten.middle(user, 40)} />
  },
  { name: "change", title: "Change", cell: changeText },
  {
    name: "by",
    title: "By",
    cell: ({ changed_by }) => <RevealedText text={Shorten.middle(changed_by, 40)} />
  },
  { name: "source", title: "Source", cell: ({ source }) => <span class="quiet">{source}</span> }
]

const History = ({ route }: { readonly route: Route.RouteOf<"MembershipHistory"> }) => {
  const { org } = route.params
  const params = {
    org,
    query: {
      page: pageOf(route),
      per_page: PER_PAGE,
      search: Route.parameter(route, "q"),
      event_type: Route.parameter(route, "type")
    }
  }
  const state = useQuery("membership.auditLog", params)
  return (
    <>
      <search class="filters">
        <TextFilter route={route} name="q" label="Filter by person or actor" isMain />
        <ChoiceFilter
          route={route}
          name="type"
          label="Change"
          any="any change"
          options={[
            ["added", "added"],
            ["changed", "role changed"],
            ["suspended", "suspended"],
            ["restored", "restored"],
            ["removed", "removed"]
          ]}
        />
      </search>
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("membership.auditLog", params).path)}
      >
        {({ events, total_count }) => {
          const { items, damaged } = Damaged.readable(events)
          if (events.length === 0 && isFiltered(route, FILTERS))
            return <NothingFits what="change" names={FILTERS} />
          return (
            <>
              <DamagedNote count={damaged} />
              <VirtualTable
                caption="Changes of memberships"
                columns={COLUMNS}
                rows={items}
                keyOf={({ id }) => id}
                rowHeight={preferences.value.density === "compact" ? 28 : 36}
              />
              <Pager route={route} perPage={PER_PAGE} total={total_count} what="changes" />
            </>
          )
        }}
      </QueryView>
    </>
  )
}

export const MembershipHistoryPage = ({ route }: PageProps<Route.RouteOf<"MembershipHistory">>) => {
  const { org } = route.params
  return (
    <Page name="Membership history" org={org}>
      {Session.may(org, "membership.read") ? (
        <>
          <AuditTabs org={org} current="MembershipHistory" />
          <History route={route} />
        </>
      ) : (
        <NotForYou />
      )}
    </Page>
  )
}
