/** The remedies of an artifact: the smallest sets of steps, and the nearest earlier artifact that is compliant. */
import * as Clock from "../shared/Clock.js"
import { CodedText } from "../shared/CodedText.js"
import type { Assertion } from "../shared/Contract.js"
import { Fingerprint } from "../shared/Fingerprint.js"
import * as Navigation from "../shared/Navigation.js"
import { useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { RevealedText } from "../shared/RevealedText.js"
import { MendingSteps } from "./MendingSteps.js"
import { sayRan, sayStep } from "./RemedyText.js"

/** At most this many remedies are requested. */
export const REMEDIES = 3

type Remedied = Pick<Assertion, "previous_compliant" | "remedies">

const Previous = ({
  org,
  previous
}: {
  readonly org: string
  readonly previous: NonNullable<Remedied["previous_compliant"]>
}) => (
  <>
    Run{" "}
    <a href={Navigation.href("Artifact", { org, fingerprint: previous.fingerprint })}>
      <RevealedText text={previous.name} />
    </a>{" "}
    <Fingerprint value={previous.fingerprint} /> instead: compliant now,{" "}
    {sayRan(previous, Clock.now.value)}
  </>
)

/** Renders nothing without a remedy. */
export const Remedies = ({
  org,
  answer: { previous_compliant: previous = null, remedies = [] }
}: {
  readonly org: string
  readonly answer: Remedied
}) => {
  const mending = remedies.filter(({ kind }) => kind === "evidence" || kind === "policy")
  const waiving = remedies.filter(({ kind }) => kind === "waiver")
  const allowing = remedies.filter(({ kind }) => kind === "allow_list")
  if (remedies.length === 0 && previous === null) return null
  return (
    <section class="remedies">
      <h3 class="part-title">To make it compliant, smallest first</h3>
      <ol>
        <MendingSteps remedies={mending} />
        {previous === null ? null : (
          <li>
            <Previous org={org} previous={previous} />
          </li>
        )}
        <MendingSteps remedies={waiving} />
        {allowing.map(({ steps: [step] }, position) => (
          <li key={`allow-${position}`}>
            <CodedText text={sayStep(step)} />
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The remedies of a running row, evaluated now; renders nothing while they load, or if no flow has the artifact. */
export const RowRemedies = ({
  org,
  environment,
  fingerprint
}: {
  readonly org: string
  readonly environment: string
  readonly fingerprint: string
}) => {
  const query = { environment_name: environment, remedies: REMEDIES }
  const answer = knownOf(useQuery("assertion.assert", { org, fingerprint, query }))?.value
  return answer === undefined ? null : <Remedies org={org} answer={answer} />
}
