/** When and where a policy was attached, changed its mode or was detached, by whom and why. */
import type { Policy } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"

type PolicyEvent = Policy["events"][number]

const WORDS = new Map<string, string>([
  ["policy_attached", "attached to"],
  ["policy_detached", "detached from"],
  ["policy_mode_changed", "switched in"]
])

const modeOf = ({ data: { mode }, type }: PolicyEvent): string =>
  mode === undefined || type === "policy_detached"
    ? ""
    : mode === "warn"
      ? ", to warn"
      : ", to count"

/** The events of the environments, newest first. */
export const PolicyEvents = ({
  org,
  policy
}: {
  readonly org: string
  readonly policy: Policy
}) => {
  const events = policy.events.filter(({ type }) => WORDS.has(type)).reverse()
  if (events.length === 0) return <p class="quiet">It was never attached.</p>
  return (
    <ol class="version-list policy-events" reversed>
      {events.map((event) => {
        const { environment = "", reason = "" } = event.data
        return (
          <li key={`${event.timestamp} ${event.type} ${environment}`}>
            <span>
              {WORDS.get(event.type)}{" "}
              <a href={Navigation.href("Environment", { org, environment })}>
                <RevealedText text={environment} />
              </a>
              {modeOf(event)}
            </span>
            <span>
              <RevealedText text={event.user} />, <Timestamp seconds={event.timestamp} />
            </span>
            <span>{reason === "" ? null : <RevealedText text={reason} />}</span>
          </li>
        )
      })}
    </ol>
  )
}
