/** The service accounts that a person manages: all of their spaces for admins, their own for others. */

import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { AccessTabs } from "../membership/AccessTabs.js"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { ServiceAccount } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { isFiltered, NothingFits, TextFilter } from "../shared/Filters.js"
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
import { CreateAccount, type MadeAccount } from "./CreateAccount.js"
import { NewKeyDialog } from "./NewKeyDialog.js"

const columnsOf = (org: string, hasSpaces: boolean): ReadonlyArray<Column<ServiceAccount>> => [
  {
    name: "name",
    title: "Account",
    isHeader: true,
    cell: ({ name }) => (
      <a href={Navigation.href("ServiceAccount", { org, account: name })}>{name}</a>
    )
  },
  { name: "role", title: "Role", cell: ({ privilege }) => privilege },
  ...(hasSpaces
    ? [
        {
          name: "space",
          title: "Space",
          cell: ({ space }: ServiceAccount) => space ?? ""
        }
      ]
    : []),
  {
    name: "description",
    title: "Description",
    cell: ({ description }) => (
      <span title={Reveal.plain(description)}>
        <RevealedText text={Shorten.middle(description, 60)} />
      </span>
    )
  },
  {
    name: "created",
    title: "Created",
    cell: ({ created_at }) => <Timestamp seconds={created_at} />
  }
]

const fits = ({ name, description }: ServiceAccount, text: string): boolean =>
  `${name} ${description}`.toLowerCase().includes(text.toLowerCase())

const Accounts = ({ route }: { readonly route: Route.RouteOf<"ServiceAccounts"> }) => {
  const { org } = route.params
  const state = useQuery("serviceAccount.list", { org })
  const text = Route.parameter(route, "q") ?? ""
  return (
    <QueryView
      state={state}
      retry={() => void cache.refresh(callOf("serviceAccount.list", { org }).path)}
    >
      {(accounts) => {
        const { items, damaged } = Damaged.readable(accounts)
        const shown = items.filter((account) => fits(account, text))
        if (accounts.length === 0)
          return (
            <div class="note">
              <strong>No service accounts yet</strong>
              <p>
                An account is what a pipeline or an agent signs in as. It has a role and keys, and
                what it reports bears its name.
              </p>
            </div>
          )
        return (
          <>
            <search class="filters">
              <TextFilter route={route} name="q" label="Filter by name or description" isMain />
            </search>
            <DamagedNote count={damaged} />
            {shown.length === 0 && isFiltered(route, ["q"]) ? (
              <NothingFits what="account" names={["q"]} />
            ) : (
              <VirtualTable
                caption="Service accounts"
                columns={columnsOf(
                  org,
                  items.some(({ space }) => space !== undefined)
                )}
                rows={shown}
                keyOf={({ name }) => name}
                rowHeight={preferences.value.density === "compact" ? 28 : 36}
                onOpen={({ name }) =>
                  Navigation.go(Route.make("ServiceAccount", { org, account: name }))
                }
              />
            )}
          </>
        )
      }}
    </QueryView>
  )
}

export const ServiceAccountsPage = ({ route }: PageProps<Route.RouteOf<"ServiceAccounts">>) => {
  const { org } = route.params
  const isCreating = useSignal(false)
  // WHY: only this state has the key of a new account, until its dialog is closed.
  const made = useSignal<MadeAccount | undefined>(undefined)
  const list = callOf("serviceAccount.list", { org }).path
  const show = ({ name }: MadeAccount) =>
    Navigation.go(Route.make("ServiceAccount", { org, account: name }))
  const mayManage = Session.may(org, "service-account.manage")
  return (
    <Page
      name="Service accounts"
      org={org}
      aside={
        Session.may(org, "service-account.create") ? (
          <button
            type="button"
            class="button"
            onClick={() => {
              isCreating.value = true
            }}
          >
            New account…
          </button>
        ) : null
      }
    >
      <AccessTabs org={org} current="ServiceAccounts" />
      {mayManage ? (
        <Accounts route={route} />
      ) : (
        <p>Your role may not see service accounts. Snapshotters, members and admins manage them.</p>
      )}
      {isCreating.value ? (
        <CreateAccount
          org={org}
          onClose={() => {
            // WHY: an attempt that stopped may have made the account.
            cache.invalidate(list)
            isCreating.value = false
          }}
          onDone={(account) => {
            cache.invalidate(list)
            isCreating.value = false
            if (account.key === undefined) show(account)
            else made.value = account
          }}
        />
      ) : null}
      {made.value?.key === undefined ? null : (
        <NewKeyDialog
          made={made.value.key}
          onStored={() => {
            const account = made.value
            made.value = undefined
            if (account !== undefined) show(account)
          }}
        />
      )}
    </Page>
  )
}
