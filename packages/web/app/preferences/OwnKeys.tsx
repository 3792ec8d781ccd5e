/** The API keys of the person who is signed in, and forms that create and revoke them. */
import { useSignal } from "@preact/signals"
import { CreateKey, RevokeKey } from "../service-account/KeyForms.js"
import { KeyTable } from "../service-account/KeyTable.js"
import { type NewKey, NewKeyDialog } from "../service-account/NewKeyDialog.js"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { ApiKey } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"

/** The open dialog. Only this state has the secret of a new key, until the dialog is closed. */
type Open =
  | { readonly _tag: "Nothing" | "Create" }
  | { readonly _tag: "Revoke"; readonly apiKey: ApiKey }
  | { readonly _tag: "Made"; readonly made: NewKey }

const LIST = callOf("personalKey.list", {}).path

const Dialogs = ({ open, show }: { readonly open: Open; readonly show: (open: Open) => void }) => {
  const write = useWrite()
  const close = () => show({ _tag: "Nothing" })
  const changed = (next: Open) => {
    cache.invalidate(LIST)
    show(next)
  }
  switch (open._tag) {
    case "Nothing":
      return null
    case "Create":
      return (
        <CreateKey
          title="New key of your own"
          orgs={Session.current()?.orgs.map(({ name }) => name) ?? []}
          send={(key) => write("personalKey.create", {}, key)}
          onClose={close}
          onMade={(made) => changed({ _tag: "Made", made })}
        />
      )
    case "Revoke":
      return (
        <RevokeKey
          apiKey={open.apiKey}
          send={(key_id) => write("personalKey.revoke", { key_id })}
          onClose={close}
          onDone={() => changed({ _tag: "Nothing" })}
        />
      )
    case "Made":
      return <NewKeyDialog made={open.made} onStored={close} />
  }
}

/** The API keys of the person who is signed in. */
export const OwnKeys = () => {
  const open = useSignal<Open>({ _tag: "Nothing" })
  const show = (next: Open) => {
    open.value = next
  }
  return (
    <section class="block">
      <h2>API keys of your own</h2>
      <p class="quiet">
        They act as you, in every org in which this session counts. Pipelines have keys of service
        accounts, or none at all.
      </p>
      <QueryView state={useQuery("personalKey.list", {})} retry={() => void cache.refresh(LIST)}>
        {({ api_keys }) => {
          const { items, damaged } = Damaged.readable(api_keys)
          return (
            <>
              <DamagedNote count={damaged} />
              {items.length === 0 ? (
                <p class="quiet">You have no key that works.</p>
              ) : (
                <KeyTable
                  keys={items}
                  orgOf={({ scope }) => scope?.orgs?.[0] ?? Session.current()?.orgs[0]?.name}
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
      <Dialogs open={open.value} show={show} />
    </section>
  )
}
