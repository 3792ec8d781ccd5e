/** The environments of the overview whose verdicts time changes next. */
import * as Route from "@attestry/web/Route"
import type { Environment } from "../shared/Contract.js"
import { Countdown } from "../shared/Countdown.js"
import * as Navigation from "../shared/Navigation.js"
import { RevealedText } from "../shared/RevealedText.js"
import { fromState } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { decaysOf } from "./Decay.js"

/** At most this many fit above the board; the page of all has the others. */
const LINES_MAX = 5

/** A link to the rows of an environment, those that change first on top. */
export const FirstRows = ({
  org,
  environment
}: {
  readonly org: string
  readonly environment: string
}) => (
  <a href={Navigation.hrefOf(Route.make("Environment", { org, environment }, { sort: "expires" }))}>
    rows that turn first<span class="visually-hidden"> in {environment}</span>
  </a>
)

/** The next change of a compliant environment; renders nothing without one. */
export const NextChange = ({ environment }: { readonly environment: Environment }) =>
  environment.due_at === null || environment.state !== true ? null : (
    <Countdown seconds={environment.due_at} event="next change" />
  )

/** The lines; renders nothing if no environment has a due instant. */
export const DecaysNext = ({
  org,
  environments
}: {
  readonly org: string
  readonly environments: ReadonlyArray<Environment>
}) => {
  const decays = decaysOf(environments)
  return decays.length === 0 ? null : (
    <section class="attention attention-decay" aria-labelledby="decays">
      <h2 id="decays" class="part-title">
        Decays next
        {decays.length > LINES_MAX ? (
          <a href={Navigation.href("Decaying", { org })}>all {decays.length}</a>
        ) : null}
      </h2>
      <ul>
        {decays.slice(0, LINES_MAX).map(({ environment: { name, state }, dueAt }) => (
          <li key={name} class="attention-line">
            <VerdictMark verdict={fromState(state)} />
            <a
              class="attention-name"
              href={Navigation.href("Environment", { org, environment: name })}
            >
              <RevealedText text={name} />
            </a>
            <span>
              <Countdown seconds={dueAt} event="next change" />
            </span>
            <span>
              <FirstRows org={org} environment={name} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
