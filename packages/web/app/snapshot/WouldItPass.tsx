/** Asks whether an artifact would pass in another environment now, and shows the answer in place. */
import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { ReceiptLink } from "../receipt/ReceiptLink.js"
import { callOf } from "../shared/Api.js"
import { CodedText } from "../shared/CodedText.js"
import { Ending } from "../shared/Ending.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { REMEDIES, Remedies } from "./Remedies.js"
import { RowWarnings } from "./RowWarnings.js"

const Answer = ({
  org,
  environment,
  fingerprint
}: {
  readonly org: string
  readonly environment: string
  readonly fingerprint: string
}) => {
  const params = { org, fingerprint, query: { environment_name: environment, remedies: REMEDIES } }
  const state = useQuery("assertion.assert", params)
  return (
    <QueryView
      state={state}
      retry={() => void cache.refresh(callOf("assertion.assert", params).path)}
    >
      {({ compliant, reasons_for_incompliance, ...answer }) => (
        <div class="pass" role="status">
          <VerdictMark
            verdict={compliant ? "compliant" : "non-compliant"}
            word
            label={compliant ? "it would pass, with today's evidence" : "it would not pass"}
          />
          {answer.expires_at === undefined ? null : (
            <p class="quiet">
              That <Ending seconds={answer.expires_at} />.
            </p>
          )}
          <ul class="part-list">
            {reasons_for_incompliance.map(({ description }, position) => (
              <li key={position}>
                <CodedText text={description} />
              </li>
            ))}
          </ul>
          <RowWarnings org={org} warnings={answer.warnings} />
          <Remedies org={org} answer={answer} />
          <p class="below">
            <ReceiptLink org={org} environment={environment} asserted={fingerprint} />
          </p>
        </div>
      )}
    </QueryView>
  )
}

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
      {chosen.value === "" ? null : (
        <Answer org={org} environment={chosen.value} fingerprint={fingerprint} />
      )}
    </div>
  )
}
