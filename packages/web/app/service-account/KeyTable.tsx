/** The keys of an owner: last use, expiry and actions. */
import { KeyAccessLink } from "../access/KeyAccessLink.js"
import { ScopeText } from "../api-key/ScopeText.js"
import { now } from "../shared/Clock.js"
import type { ApiKey } from "../shared/Contract.js"
import { preferences } from "../shared/Preferences.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { stateOf } from "./KeyState.js"

const Ends = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const { kind, text } = stateOf(apiKey, now.value)
  return (
    <span class={kind === "lasting" ? "quiet" : "key-state"}>
      {text}
      {kind === "soon" ? <span class="tag">soon</span> : null}
    </span>
  )
}

interface Actions {
  /** An org in which the key counts; undefined where there is none. */
  readonly orgOf: (apiKey: ApiKey) => string | undefined
  /** Absent where keys are not rotated. */
  readonly onRotate?: (apiKey: ApiKey) => void
  readonly onRevoke: (apiKey: ApiKey) => void
}

const columnsOf = ({ orgOf, onRotate, onRevoke }: Actions): ReadonlyArray<Column<ApiKey>> => [
  {
    name: "description",
    title: "Used by",
    isHeader: true,
    cell: ({ description }) => (
      <strong title={Reveal.plain(description)}>
        <RevealedText text={Shorten.middle(description, 40)} />
      </strong>
    )
  },
  { name: "scope", title: "May do", cell: ({ scope }) => <ScopeText scope={scope} /> },
  { name: "id", title: "Id", cell: ({ id }) => <code title={id}>{id.slice(-8)}</code> },
  {
    name: "used",
    title: "Last used",
    cell: ({ last_used_at }) =>
      last_used_at === null || last_used_at === 0 ? (
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
  { name: "ends", title: "Ends", cell: (apiKey) => <Ends apiKey={apiKey} /> },
  {
    name: "actions",
    title: <span class="visually-hidden">Actions</span>,
    cell: (apiKey) => (
      <span class="row-actions">
        <KeyAccessLink org={orgOf(apiKey)} id={apiKey.id} name={apiKey.description} />
        {apiKey.grace_period_expires_at === undefined && onRotate !== undefined ? (
          <button
            type="button"
            class="button-plain"
            aria-label={`Rotate ${Reveal.plain(apiKey.description)}`}
            onClick={() => onRotate(apiKey)}
          >
            Rotate…
          </button>
        ) : null}
        <button
          type="button"
          class="button-plain"
          aria-label={`Revoke ${Reveal.plain(apiKey.description)}`}
          onClick={() => onRevoke(apiKey)}
        >
          Revoke…
        </button>
      </span>
    )
  }
]

export const KeyTable = ({
  keys,
  ...actions
}: { readonly keys: ReadonlyArray<ApiKey> } & Actions) => (
  <VirtualTable
    caption="Keys"
    columns={columnsOf(actions)}
    rows={keys}
    keyOf={({ id }) => id}
    rowHeight={preferences.value.density === "compact" ? 28 : 36}
  />
)
