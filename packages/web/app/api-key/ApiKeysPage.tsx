/** All API keys that count in the org: whose they are, what they may do, and when they were last used. */
import type * as Route from "@attestry/web/Route"
import { KeyAccessLink } from "../access/KeyAccessLink.js"
import { AccessTabs } from "../membership/AccessTabs.js"
import type { PageProps } from "../pages.js"
import { stateOf } from "../service-account/KeyState.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import { now } from "../shared/Clock.js"
import type { OrgApiKey } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { ScopeText } from "./ScopeText.js"

const PER_PAGE = 100

const ends = ({ expires_at, grace_period_expires_at }: OrgApiKey): string =>
  stateOf(
    {
      expires_at: expires_at ?? 0,
      ...(grace_period_expires_at === null ? {} : { grace_period_expires_at })
    },
    now.value
  ).text

const Owner = ({ org, owner }: { readonly org: string; readonly owner: OrgApiKey["owner"] }) => {
  const name = <RevealedText text={Shorten.middle(owner.name, 48)} />
  return owner.type === "user" ? (
    <strong>{name}</strong>
  ) : (
    <strong>
      <a href={Navigation.href("ServiceAccount", { org, account: owner.name })}>{name}</a>
    </strong>
  )
}

const columnsOf = (org: string): ReadonlyArray<Column<OrgApiKey>> => [
  {
    name: "owner",
    title: "Owner",
    isHeader: true,
    cell: ({ owner }) => <Owner org={org} owner={owner} />
  },
  {
    name: "description",
    title: "Used by",
    cell: ({ description }) =>
      description === null ? (
        <span class="quiet">a person</span>
      ) : (
        <RevealedText text={Shorten.middle(description, 40)} />
      )
  },
  { name: "scope", title: "May do", cell: ({ scope }) => <ScopeText scope={scope} /> },
  {
    name: "used",
    title: "Last used",
    cell: ({ last_used_at }) =>
      last_used_at === null ? (
        <span class="quiet">never</span>
      ) : (
        <Timestamp seconds={last_used_at} />
      )
  },
  {
    name: "created",
    title: "Created",
    cell: ({ created_at }) => <Timestamp seconds={created_at} />
  },
  { name: "ends", title: "Ends", cell: (apiKey) => ends(apiKey) },
  {
    name: "access",
    title: <span class="visually-hidden">Access</span>,
    cell: ({ id, owner, description }) => (
      <KeyAccessLink org={org} id={id} name={[owner.name, description ?? ""].join(" ").trim()} />
    )
  }
]

const Keys = ({ route }: { readonly route: Route.RouteOf<"ApiKeys"> }) => {
  const { org } = route.params
  const params = { org, query: { page: pageOf(route), per_page: PER_PAGE } }
  const state = useQuery("apiKey.listOrg", params)
  return (
    <QueryView
      state={state}
      retry={() => void cache.refresh(callOf("apiKey.listOrg", params).path)}
    >
      {({ api_keys, total_count }) => {
        const { items, damaged } = Damaged.readable(api_keys)
        return (
          <>
            <DamagedNote count={damaged} />
            <VirtualTable
              caption="API keys"
              columns={columnsOf(org)}
              rows={items}
              keyOf={({ id }) => id}
              rowHeight={preferences.value.density === "compact" ? 28 : 36}
            />
            <Pager route={route} perPage={PER_PAGE} total={total_count} what="keys" />
          </>
        )
      }}
    </QueryView>
  )
}

/** All API keys that count in the org. */
export const ApiKeysPage = ({ route }: PageProps<Route.RouteOf<"ApiKeys">>) => {
  const { org } = route.params
  return (
    <Page name="API keys" org={org}>
      <AccessTabs org={org} current="ApiKeys" />
      {Session.may(org, "api-key.read") ? (
        <Keys route={route} />
      ) : (
        <div class="note">
          <strong>Admins see the keys of the org</strong>
        </div>
      )}
    </Page>
  )
}
