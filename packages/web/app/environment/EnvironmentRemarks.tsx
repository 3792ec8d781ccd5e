/** Remarks about an environment: its policies, its last report, and whether it is silent or pending. */
import { now } from "../shared/Clock.js"
import type { Environment } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Silence, silenceOf } from "./EnvironmentOrder.js"

/** Whether it is silent by its own cadence, or for a day without one, which is a guess. */
export const SilentTag = ({ silence }: { readonly silence: Silence | undefined }) => {
  if (silence === undefined) return null
  return silence.isGuess ? (
    <span class="tag" title="No report for a day. It has no cadence, so this is a guess.">
      quiet?
    </span>
  ) : (
    <span class="tag tag-silent">silent</span>
  )
}

/** The time of its last report. */
export const Reported = ({ environment }: { readonly environment: Environment }) => {
  const { type, last_reported_at } = environment
  if (type === "logical") return <span class="quiet">of its members</span>
  if (last_reported_at === null) return <span class="quiet">no report yet</span>
  return (
    <>
      <Timestamp seconds={last_reported_at} />
      <SilentTag silence={silenceOf(environment, now.value)} />
    </>
  )
}

/** The policies of an environment, or a link to attach one. */
export const Policies = ({
  org,
  environment
}: {
  readonly org: string
  readonly environment: Environment
}) => {
  const { name, policies, require_provenance, type } = environment
  if (policies.length === 0 && require_provenance) return <>provenance required</>
  if (policies.length === 0)
    return type === "logical" ? (
      <span class="quiet">evaluated by its members</span>
    ) : (
      <a href={Navigation.href("EnvironmentSettings", { org, environment: name })}>
        no policy attached
      </a>
    )
  const text = policies.length === 1 ? (policies[0] ?? "") : `${policies.length} policies`
  return (
    <span title={policies.join(", ")}>
      <RevealedText text={text} />
    </span>
  )
}

const JUDGED_AGAIN =
  "A policy of very many environments has changed. This verdict is judged again in the background; " +
  "opening the environment does it now."

/** Marks a verdict that a change of a policy is still to be applied to. */
export const PendingTag = ({
  environment
}: {
  readonly environment: { readonly verdict_pending?: true }
}) =>
  environment.verdict_pending === true ? (
    <span class="tag" title={JUDGED_AGAIN}>
      judged again soon
    </span>
  ) : null

/** Explains the mark. */
export const PendingRemark = ({ environment }: { readonly environment: Environment }) =>
  environment.verdict_pending === true ? <p class="stale">{JUDGED_AGAIN}</p> : null

/** Explains why an environment may still be red after new evidence; a silent or a pending one says that instead. */
export const StaleRemark = ({ environment }: { readonly environment: Environment }) =>
  environment.is_stale === true &&
  environment.silent_since === null &&
  environment.verdict_pending !== true ? (
    <p class="stale">New evidence since; evaluated with the next report.</p>
  ) : null
