/** By which policies an environment is judged. */
import { useSignal } from "@preact/signals"
import * as Session from "../../session/Session.js"
import type { Environment, Policy } from "../../shared/Contract.js"
import * as Navigation from "../../shared/Navigation.js"
import { useQuery } from "../../shared/Query.js"
import { knownOf } from "../../shared/QueryCache.js"
import { RevealedText } from "../../shared/RevealedText.js"
import { type Change, ChangeNote, type SettingsTarget, useChange } from "./Change.js"

const Attach = ({
  target: { org, environment },
  policies,
  change
}: {
  readonly target: SettingsTarget
  readonly policies: ReadonlyArray<Policy>
  readonly change: Change
}) => {
  const chosen = useSignal("")
  const name = chosen.value === "" ? (policies[0]?.name ?? "") : chosen.value
  const attach = async (event: SubmitEvent) => {
    event.preventDefault()
    await change.run(
      (write) => write("E8", { org, env_name: environment }, { policy_names: [name] }),
      `${name} is attached. What runs was judged at once, in a new snapshot.`
    )
    chosen.value = ""
  }
  return (
    <form class="setting-form" onSubmit={attach}>
      <select
        aria-label="Policy"
        value={name}
        onChange={({ currentTarget }) => {
          chosen.value = currentTarget.value
        }}
      >
        {policies.map((policy) => (
          <option key={policy.name}>{policy.name}</option>
        ))}
      </select>
      <button type="submit" class="button" disabled={change.isSending.value}>
        Attach
      </button>
      <span class="quiet">Judges what runs at once, in a new snapshot.</span>
    </form>
  )
}

/** The attached policies; with `change` they can be detached. */
const Attached = ({
  target: { org, environment },
  policies,
  change
}: {
  readonly target: SettingsTarget
  readonly policies: ReadonlyArray<string>
  readonly change: Change | undefined
}) => (
  <ul class="setting-list">
    {policies.map((name) => (
      <li key={name}>
        <a href={Navigation.href("Policy", { org, policy: name })}>
          <RevealedText text={name} />
        </a>
        {change === undefined ? null : (
          <button
            type="button"
            class="button"
            aria-label={`Detach ${name}`}
            disabled={change.isSending.value}
            onClick={() =>
              void change.run(
                (write) => write("E9", { org, env_name: environment }, { policy_names: [name] }),
                `${name} is detached. What runs was judged at once, in a new snapshot.`
              )
            }
          >
            Detach
          </button>
        )}
      </li>
    ))}
  </ul>
)

/** The section. */
export const PolicySettings = ({
  target,
  value: { policies, require_provenance, type }
}: {
  readonly target: SettingsTarget
  readonly value: Environment
}) => {
  const { org } = target
  const change = useChange(target)
  const all = knownOf(useQuery("O2", { org }))?.value ?? []
  const mayWrite = Session.may(org, "policy.write")
  const others = all.filter(({ name }) => !policies.includes(name))
  return (
    <section class="setting">
      <h2 class="part-title">Policies</h2>
      {require_provenance ? <p>Provenance is required of everything that runs.</p> : null}
      {policies.length === 0 ? (
        <p class="quiet">
          {type === "logical"
            ? "No policy is attached: it is as compliant as its members."
            : "No policy is attached: what runs here is not judged."}
        </p>
      ) : (
        <Attached target={target} policies={policies} change={mayWrite ? change : undefined} />
      )}
      {mayWrite && others.length > 0 ? (
        <Attach target={target} policies={others} change={change} />
      ) : null}
      {mayWrite && all.length === 0 ? (
        <p>
          <a href={Navigation.href("NewPolicy", { org })}>Write the first policy</a>
        </p>
      ) : null}
      <ChangeNote change={change} />
    </section>
  )
}
