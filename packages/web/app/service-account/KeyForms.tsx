/** Dialogs that create, rotate and revoke a key. */
import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import * as KeyScope from "../api-key/KeyScope.js"
import { ScopeFields } from "../api-key/ScopeFields.js"
import { useWrite } from "../session/Writing.js"
import type { ApiKey } from "../shared/Contract.js"
import { FormDialog } from "../shared/FormDialog.js"
import type { Written } from "../shared/Mutation.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Field } from "../shared/SettingsForm.js"
import { Timestamp } from "../shared/Timestamp.js"
import * as KeyState from "./KeyState.js"
import type { NewKey } from "./NewKeyDialog.js"

interface Props {
  readonly org: string
  readonly account: string
  readonly onClose: () => void
}

const LifetimeField = ({
  days,
  onChange,
  problem
}: {
  readonly days: number
  readonly onChange: (days: number) => void
  readonly problem: string | undefined
}) => (
  <Field
    label="Ends after"
    problem={problem}
    control={(attributes) => (
      <select
        {...attributes}
        value={String(days)}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      >
        {KeyState.LIFETIMES.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    )}
  />
)

const SCOPE_FIELDS: ReadonlyArray<string> = KeyScope.FIELDS.map((field) => `scope.${field}`)

/** Creates a key; `send` writes it. */
export const CreateKey = ({
  title,
  send,
  orgs,
  onClose,
  onMade
}: {
  readonly title: string
  /** The orgs in which the key can count; absent for a key of one org. */
  readonly orgs?: ReadonlyArray<string>
  readonly send: (key: object) => Promise<Written<NewKey>>
  readonly onClose: () => void
  readonly onMade: (made: NewKey) => void
}) => {
  // WHY memoized: a repeated submission must write the same expiry.
  const openedAt = useMemo(() => Date.now(), [])
  const description = useSignal("")
  const days = useSignal(90)
  const missing = useSignal<string | undefined>(undefined)
  const draft = useSignal(KeyScope.draftOf(undefined))
  return (
    <FormDialog
      title={title}
      action="Create key"
      fields={["description", "expires_at", ...SCOPE_FIELDS]}
      onClose={onClose}
      onDone={onMade}
      write={() => {
        missing.value = description.value.trim() === "" ? "Say what uses the key." : undefined
        const scope = KeyScope.scopeOf(draft.value)
        return missing.value === undefined
          ? send({
              description: description.value.trim(),
              expires_at: KeyState.expiryOf(days.value, openedAt),
              ...(scope === undefined ? {} : { scope })
            })
          : undefined
      }}
    >
      {(problemOf) => (
        <>
          <Field
            label="What uses it"
            problem={missing.value ?? problemOf("description")}
            control={(attributes) => (
              <input
                {...attributes}
                value={description.value}
                onInput={({ currentTarget }) => {
                  description.value = currentTarget.value
                }}
              />
            )}
          />
          <LifetimeField
            days={days.value}
            problem={problemOf("expires_at")}
            onChange={(chosen) => {
              days.value = chosen
            }}
          />
          <ScopeFields
            draft={draft.value}
            change={(part) => {
              draft.value = { ...draft.value, ...part }
            }}
            problemOf={(field) => problemOf(`scope.${field}`)}
            {...(orgs === undefined ? {} : { orgs })}
          />
        </>
      )}
    </FormDialog>
  )
}

/** Creates a key of a service account. */
export const CreateAccountKey = ({
  org,
  account,
  onClose,
  onMade
}: Props & { readonly onMade: (made: NewKey) => void }) => {
  const write = useWrite()
  return (
    <CreateKey
      title={`New key of ${account}`}
      send={(key) => write("apiKey.create", { org, name: account }, key)}
      onClose={onClose}
      onMade={onMade}
    />
  )
}

/** The times at which the old and the new key stop working. */
const Ends = ({
  graceEndsAt,
  expiresAt
}: {
  readonly graceEndsAt: number | undefined
  readonly expiresAt: number
}) => (
  <ol class="key-ends">
    <li>
      <span>old key</span>
      {graceEndsAt === undefined ? (
        <span class="quiet">–</span>
      ) : (
        <span>
          until <Timestamp seconds={graceEndsAt} always="absolute" />
        </span>
      )}
    </li>
    <li>
      <span>new key</span>
      {expiresAt === 0 ? (
        <span>without end</span>
      ) : (
        <span>
          until <Timestamp seconds={expiresAt} always="absolute" />
        </span>
      )}
    </li>
  </ol>
)

/** The grace period of the old key, in hours. */
const GraceField = ({
  hours,
  problem,
  onInput
}: {
  readonly hours: string
  readonly problem: string | undefined
  readonly onInput: (hours: string) => void
}) => (
  <Field
    label="Grace period in hours"
    problem={problem}
    control={(attributes) => (
      <input
        {...attributes}
        inputMode="numeric"
        value={hours}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    )}
  />
)

/** Replaces a key; the old one still works during its grace period. */
export const RotateKey = ({
  org,
  account,
  apiKey,
  onClose,
  onMade
}: Props & { readonly apiKey: ApiKey; readonly onMade: (made: NewKey) => void }) => {
  const write = useWrite()
  const openedAt = useMemo(() => Date.now(), [])
  const hours = useSignal(String(KeyState.GRACE.otherwise))
  const days = useSignal(90)
  const grace = KeyState.graceOf(hours.value)
  const isTried = useSignal(false)
  const expiresAt = KeyState.expiryOf(days.value, openedAt)
  return (
    <FormDialog
      title="Rotate the key"
      action="Rotate"
      fields={["grace_period_hours", "expires_at"]}
      onClose={onClose}
      onDone={onMade}
      write={() => {
        isTried.value = true
        return grace === undefined
          ? undefined
          : write(
              "apiKey.rotate",
              { org, name: account, key_id: apiKey.id },
              { grace_period_hours: grace, expires_at: expiresAt }
            )
      }}
    >
      {(problemOf) => (
        <>
          <p class="quiet">
            “<RevealedText text={apiKey.description} />” gets a new secret. The old one works during
            the grace period, so that both can be exchanged.
          </p>
          <GraceField
            hours={hours.value}
            problem={
              isTried.value && grace === undefined
                ? `A whole number from ${KeyState.GRACE.min} to ${KeyState.GRACE.max}.`
                : problemOf("grace_period_hours")
            }
            onInput={(text) => {
              hours.value = text
            }}
          />
          <LifetimeField
            days={days.value}
            problem={problemOf("expires_at")}
            onChange={(chosen) => {
              days.value = chosen
            }}
          />
          <Ends graceEndsAt={grace && openedAt / 1_000 + grace * 3_600} expiresAt={expiresAt} />
        </>
      )}
    </FormDialog>
  )
}

/** Revokes a key immediately; `send` writes it. */
export const RevokeKey = ({
  apiKey,
  send,
  onClose,
  onDone
}: {
  readonly apiKey: ApiKey
  readonly send: (id: string) => Promise<Written<unknown>>
  readonly onClose: () => void
  readonly onDone: () => void
}) => (
  <FormDialog
    title="Revoke the key"
    action="Revoke"
    fields={[]}
    onClose={onClose}
    onDone={onDone}
    write={() => send(apiKey.id)}
  >
    {() => (
      <p>
        “<RevealedText text={apiKey.description} />” stops working everywhere within a second.
        Anything that uses it fails from then on.
      </p>
    )}
  </FormDialog>
)

/** Revokes a key of a service account. */
export const RevokeAccountKey = ({
  org,
  account,
  ...props
}: Props & { readonly apiKey: ApiKey; readonly onDone: () => void }) => {
  const write = useWrite()
  return (
    <RevokeKey
      {...props}
      send={(key_id) => write("apiKey.revoke", { org, name: account, key_id })}
    />
  )
}
