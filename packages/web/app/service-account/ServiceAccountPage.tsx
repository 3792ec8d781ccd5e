/** A service account: its role, its identity rules, its keys, and the actions on them. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { ApiKey, ServiceAccount } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { IdentityRules, useRules } from "../workload-identity/IdentityRules.js"
import { ChangeAccount, DeleteAccount } from "./AccountForms.js"
import { CreateAccountKey, RevokeAccountKey, RotateKey } from "./KeyForms.js"
import { KeyTable } from "./KeyTable.js"
import { type NewKey, NewKeyDialog } from "./NewKeyDialog.js"

/** The open dialog. Only this state has the secret of a new key, until the dialog is closed. */
type Open =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Change" | "Delete" | "Create" }
  | { readonly _tag: "Rotate" | "Revoke"; readonly apiKey: ApiKey }
  | { readonly _tag: "Made"; readonly made: NewKey }

const NOTHING: Open = { _tag: "Nothing" }

interface DialogsProps {
  readonly org: string
  readonly account: ServiceAccount
  readonly open: Open
  readonly show: (open: Open) => void
}

const Dialogs = ({ org, account, open, show }: DialogsProps) => {
  const close = () => show(NOTHING)
  const changed = () => {
    cache.invalidate(callOf("serviceAccount.list", { org }).path)
    close()
  }
  const common = { org, account: account.name, onClose: close }
  const onMade = (made: NewKey) => {
    cache.invalidate(callOf("apiKey.list", { org, name: account.name }).path)
    show({ _tag: "Made", made })
  }
  switch (open._tag) {
    case "Nothing":
      return null
    case "Change":
      return <ChangeAccount org={org} account={account} onClose={close} onDone={changed} />
    case "Delete":
      return (
        <DeleteAccount
          org={org}
          account={account}
          onClose={close}
          onDone={() => {
            Navigation.go(Route.make("ServiceAccounts", { org }))
            // WHY only the list: this page still shows the account, which no longer exists.
            void cache.refresh(callOf("serviceAccount.list", { org }).path)
          }}
        />
      )
    case "Create":
      return <CreateAccountKey {...common} onMade={onMade} />
    case "Rotate":
      return <RotateKey {...common} apiKey={open.apiKey} onMade={onMade} />
    case "Revoke":
      return <RevokeAccountKey {...common} apiKey={open.apiKey} onDone={changed} />
    case "Made":
      return <NewKeyDialog made={open.made} onStored={close} />
  }
}

/** An account needs no key if pipelines sign in by identity. */
const NoKeys = ({ isIdentified }: { readonly isIdentified: boolean }) =>
  isIdentified ? (
    <p>No stored key: pipelines sign in by identity, with the rules above.</p>
  ) : (
    <p class="quiet">No key works: nothing can sign in as this account.</p>
  )

const Keys = ({ org, account, show }: Omit<DialogsProps, "open">) => {
  const params = { org, name: account.name }
  const state = useQuery("apiKey.list", params)
  const rules = useRules({ org, account: account.name }) ?? []
  return (
    <section class="block">
      <h2>Keys</h2>
      <QueryView state={state} retry={() => void cache.refresh(callOf("apiKey.list", params).path)}>
        {(keys) => {
          const { items, damaged } = Damaged.readable(keys)
          return (
            <>
              <DamagedNote count={damaged} />
              {items.length === 0 ? (
                <NoKeys isIdentified={rules.length > 0} />
              ) : (
                <KeyTable
                  keys={items}
                  orgOf={() => org}
                  onRotate={(apiKey) => show({ _tag: "Rotate", apiKey })}
                  onRevoke={(apiKey) => show({ _tag: "Revoke", apiKey })}
                />
              )}
            </>
          )
        }}
      </QueryView>
      <p class="below">
        <button type="button" class="button" onClick={() => show({ _tag: "Create" })}>
          New key…
        </button>
      </p>
    </section>
  )
}

export const ServiceAccountPage = ({ route }: PageProps<Route.RouteOf<"ServiceAccount">>) => {
  const { org, account: name } = route.params
  const state = useQuery("serviceAccount.get", { org, name })
  const open = useSignal<Open>(NOTHING)
  const show = (next: Open) => {
    open.value = next
  }
  return (
    <Page
      name={name}
      org={org}
      heading={<RevealedText text={name} />}
      aside={
        state._tag === "Ready" ? (
          <span class="row-actions">
            <button type="button" class="button" onClick={() => show({ _tag: "Change" })}>
              Change…
            </button>
            <button type="button" class="button" onClick={() => show({ _tag: "Delete" })}>
              Delete…
            </button>
          </span>
        ) : null
      }
    >
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("serviceAccount.get", { org, name }).path)}
      >
        {(account) => (
          <>
            <p class="lead">
              Service account · {account.privilege} · created{" "}
              <Timestamp seconds={account.created_at} />
              {account.description === "" ? null : (
                <>
                  {" · "}
                  <RevealedText text={account.description} />
                </>
              )}
            </p>
            <IdentityRules org={org} account={account.name} />
            <Keys org={org} account={account} show={show} />
            <Dialogs org={org} account={account} open={open.value} show={show} />
          </>
        )}
      </QueryView>
    </Page>
  )
}
