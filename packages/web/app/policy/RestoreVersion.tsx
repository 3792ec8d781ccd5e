/** Saves an earlier version of a policy as the latest, with the usual save dialog. */
import { useSignal } from "@preact/signals"
import * as Session from "../session/Session.js"
import type { Policy, PolicyVersion } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { SaveVersion } from "./SaveVersion.js"

const Saving = ({
  org,
  policy,
  version,
  onClose
}: {
  readonly org: string
  readonly policy: Policy
  readonly version: PolicyVersion
  readonly onClose: () => void
}) => {
  const listed = knownOf(
    useQuery("environment.list", { org, query: { page: 1, per_page: 100 } })
  )?.value
  if (listed === undefined) return null
  const silent = listed.environments.filter(({ last_changed_at }) => last_changed_at === null)
  const { name } = policy
  const base = policy.versions.at(-1)?.version ?? 0
  return (
    <SaveVersion
      saving={{ org, name, draft: version.policy_yaml, base, policy }}
      because={`version ${version.version} again`}
      silent={silent.map((environment) => environment.name)}
      onClose={onClose}
      onSaved={() => Navigation.go({ _tag: "Policy", params: { org, policy: name }, query: [] })}
    />
  )
}

/** The button. Renders nothing for the latest version, for one with the same text, and for readers. */
export const RestoreVersion = ({
  org,
  policy,
  version
}: {
  readonly org: string
  readonly policy: Policy
  readonly version: PolicyVersion
}) => {
  const isOpen = useSignal(false)
  const latest = policy.versions.at(-1)
  if (latest?.policy_yaml === version.policy_yaml || !Session.may(org, "policy.write")) return null
  return (
    <>
      <button
        type="button"
        class="button"
        onClick={() => {
          isOpen.value = true
        }}
      >
        Restore version {version.version}…
      </button>
      {isOpen.value ? (
        <Saving
          org={org}
          policy={policy}
          version={version}
          onClose={() => {
            isOpen.value = false
          }}
        />
      ) : null}
    </>
  )
}
