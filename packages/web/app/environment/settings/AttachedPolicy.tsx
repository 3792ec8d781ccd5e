/** One attached policy: its mode, the rows that would turn non-compliant, and its actions. */
import { useSignal } from "@preact/signals"
import type { Environment } from "../../shared/Contract.js"
import * as Navigation from "../../shared/Navigation.js"
import { RevealedText } from "../../shared/RevealedText.js"
import type { Change, SettingsTarget } from "./Change.js"
import { PolicyPreviewNote } from "./PolicyPreviewNote.js"
import { type Weakening, WeakenPolicy } from "./WeakenPolicy.js"

type Mode = Environment["policy_modes"][string]

interface Changing {
  readonly target: SettingsTarget
  readonly name: string
  readonly mode: Mode
  readonly change: Change
}

const Buttons = ({
  target: { org, environment },
  name,
  mode,
  change,
  isAsking,
  ask,
  weaken
}: Changing & {
  readonly isAsking: boolean
  readonly ask: (isAsking: boolean) => void
  readonly weaken: (weakening: Weakening) => void
}) => {
  const isSending = change.isSending.value
  const enforce = async () => {
    const payload = { policy_names: [name], mode: "enforce" }
    await change.run(
      (write) => write("environment.attach", { org, env_name: environment }, payload),
      `${name} counts now. The environment was evaluated again, in a new snapshot.`
    )
    ask(false)
  }
  return (
    <span class="setting-buttons">
      {mode === "enforce" ? (
        <button
          type="button"
          class="button"
          aria-label={`Only warn by ${name}`}
          disabled={isSending}
          onClick={() => weaken("warn")}
        >
          Only warn…
        </button>
      ) : (
        <button
          type="button"
          class="button"
          aria-label={isAsking ? `Enforce ${name} now` : `Enforce ${name}`}
          disabled={isSending}
          onClick={() => (isAsking ? void enforce() : ask(true))}
        >
          {isAsking ? "Enforce now" : "Enforce…"}
        </button>
      )}
      <button
        type="button"
        class="button"
        aria-label={`Detach ${name}`}
        disabled={isSending}
        onClick={() => weaken("detach")}
      >
        Detach…
      </button>
    </span>
  )
}

/** The policy; with `change`, its mode can be switched and it can be detached. */
export const AttachedPolicy = ({
  target,
  name,
  mode,
  change
}: Omit<Changing, "change"> & { readonly change: Change | undefined }) => {
  const isAsking = useSignal(false)
  const weakening = useSignal<Weakening | undefined>(undefined)
  return (
    <li>
      <span>
        <a href={Navigation.href("Policy", { org: target.org, policy: name })}>
          <RevealedText text={name} />
        </a>
        {mode === "warn" ? (
          <span class="warning-mark" title="It is evaluated and recorded, and counts for nothing">
            warns
          </span>
        ) : null}
      </span>
      {change === undefined ? null : (
        <Buttons
          target={target}
          name={name}
          mode={mode}
          change={change}
          isAsking={isAsking.value}
          ask={(next) => {
            isAsking.value = next
          }}
          weaken={(next) => {
            weakening.value = next
          }}
        />
      )}
      {isAsking.value ? <PolicyPreviewNote target={target} policy={name} mode="enforce" /> : null}
      {change === undefined || weakening.value === undefined ? null : (
        <WeakenPolicy
          target={target}
          name={name}
          mode={mode}
          weakening={weakening.value}
          change={change}
          onClose={() => {
            weakening.value = undefined
          }}
        />
      )}
    </li>
  )
}
