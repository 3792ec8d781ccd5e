/** Asks whether an artifact would pass in another environment now, and shows the answer in place. */
import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { AssertionAnswer } from "../artifact/AssertionAnswer.js"
import { useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"

/** A select field of environments; selecting one sends the request. */
export const WouldItPass = ({
  org,
  environment,
  fingerprint
}: {
  readonly org: string
  /** The environment in which it runs, which is not offered. */
  readonly environment: string
  readonly fingerprint: string
}) => {
  const id = useId()
  const chosen = useSignal("")
  const known = knownOf(useQuery("environment.list", { org, query: { page: 1, per_page: 100 } }))
  const others = (known?.value.environments ?? []).filter(
    ({ name, type }) => name !== environment && type !== "logical"
  )
  const selected = others.find(({ name }) => name === chosen.value)
  return (
    <div class="would">
      <label for={id}>Would it pass in</label>
      <select
        id={id}
        value={chosen.value}
        onChange={({ currentTarget: { value } }) => {
          chosen.value = value
        }}
      >
        <option value="">choose…</option>
        {others.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {selected === undefined ? null : (
        <AssertionAnswer
          org={org}
          environment={selected.name}
          fingerprint={fingerprint}
          isEvaluated={selected.policies.length > 0}
        />
      )}
    </div>
  )
}
