/** The policies of an environment. */
import { useSignal } from "@preact/signals"
import * as Session from "../../session/Session.js"
import type { Environment, Policy } from "../../shared/Contract.js"
import * as Navigation from "../../shared/Navigation.js"
import { useQuery } from "../../shared/Query.js"
import { knownOf } from "../../shared/QueryCache.js"
import { AttachedPolicy } from "./AttachedPolicy.js"
import { type Change, ChangeNote, type SettingsTarget, useChange } from "./Change.js"
import { PolicyPreviewNote } from "./PolicyPreviewNote.js"

const Attach = ({
  target,
  policies,
  change
}: {
  readonly target: SettingsTarget
  readonly policies: ReadonlyArray<Policy>
  readonly change: Change
}) => {
  const { org, environment } = target
  const chosen = useSignal("")
  const mode = useSignal<"enforce" | "warn">("enforce")
  const isAsking = useSignal(false)
  const name = chosen.value === "" ? (policies[0]?.name ?? "") : chosen.value
  const attach = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!isAsking.value) {
      isAsking.value = true
      return
    }
    const payload = { policy_names: [name], mode: mode.value }
    await change.run(
      (write) => write("environment.attach", { org, env_name: environment }, payload),
      `${name} is attached. The environment was evaluated again, in a new snapshot.`
    )
    chosen.value = ""
    isAsking.value = false
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
      <select
        aria-label="Mode"
        value={mode.value}
        onChange={({ currentTarget: { value } }) => {
          mode.value = value === "warn" ? "warn" : "enforce"
        }}
      >
        <option value="enforce">counts</option>
        <option value="warn">only warns</option>
      </select>
      <button type="submit" class="button" disabled={change.isSending.value}>
        {isAsking.value ? "Attach now" : "Attach…"}
      </button>
      <span class="quiet">Shows first what would turn red.</span>
      {isAsking.value ? (
        <PolicyPreviewNote target={target} policy={name} mode={mode.value} />
      ) : null}
    </form>
  )
}

export const PolicySettings = ({
  target,
  value: { policies, policy_modes, require_provenance, type }
}: {
  readonly target: SettingsTarget
  readonly value: Environment
}) => {
  const { org } = target
  const change = useChange(target)
  const all = knownOf(useQuery("policy.list", { org }))?.value ?? []
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
            : "No policy is attached: what runs here is not evaluated."}
        </p>
      ) : (
        <ul class="setting-list">
          {policies.map((name) => (
            <AttachedPolicy
              key={name}
              target={target}
              name={name}
              mode={new Map(Object.entries(policy_modes)).get(name) ?? "enforce"}
              change={mayWrite ? change : undefined}
            />
          ))}
        </ul>
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
