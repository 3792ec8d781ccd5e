/** Draws flips while they arrive: the result of each environment, and its rows over time. */
import type { BacktestEnvironment } from "../../shared/Contract.js"
import * as Navigation from "../../shared/Navigation.js"
import * as Reveal from "../../shared/Reveal.js"
import { RevealedText } from "../../shared/RevealedText.js"
import * as Shorten from "../../shared/Shorten.js"
import { Timestamp } from "../../shared/Timestamp.js"
import { fromState } from "../../shared/Verdict.js"
import { VerdictMark } from "../../shared/VerdictMark.js"
import { type BacktestState, hoursText } from "./BacktestState.js"
import { type EnvironmentLanes, type FlipLane, keyOf, lanesOf, type Span } from "./FlipLanes.js"

/** The top, height and class of a flip, by its new verdict. */
const bandOf = (verdict: string) =>
  verdict === "non-compliant"
    ? ({ class: "run-non-compliant", y: 0, height: 8 } as const)
    : verdict === "compliant"
      ? ({ class: "run-compliant", y: 2.4, height: 3.2 } as const)
      : ({ class: "run-unknown", y: 2.4, height: 3.2 } as const)

const memberText = (name: string, member: string | undefined): string =>
  member === undefined ? name : `${name} in ${member}`

const Lane = ({
  lane,
  selected
}: {
  readonly lane: FlipLane
  readonly selected: string | undefined
}) => (
  <li class="flip-lane">
    <button
      type="button"
      class="link-button flip-name"
      title={Reveal.plain(memberText(lane.name, lane.member))}
      onClick={() =>
        Navigation.setQuery(
          { flip: lane.segments[0] === undefined ? undefined : keyOf(lane.segments[0].flip) },
          { replace: true }
        )
      }
    >
      <RevealedText text={Shorten.artifact(lane.name, lane.member === undefined ? 32 : 24)} />
      {lane.member === undefined ? null : (
        <span class="quiet">
          {" in "}
          <RevealedText text={lane.member} />
        </span>
      )}
    </button>
    <svg class="run-line" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="run-track" x="0" y="3.7" width="100" height="0.6" />
      {lane.segments.map(({ flip, from, to, wouldBe }) => (
        <rect
          key={keyOf(flip)}
          {...bandOf(wouldBe)}
          data-selected={keyOf(flip) === selected ? true : undefined}
          x={from * 100}
          width={(to - from) * 100}
        />
      ))}
    </svg>
  </li>
)

const Now = ({ now }: Pick<BacktestEnvironment, "now">) =>
  now === null ? null : (
    <span class="flip-now">
      now <VerdictMark verdict={fromState(now.was)} />
      {now.was === now.would_be ? null : (
        <>
          {" → "}
          <VerdictMark verdict={fromState(now.would_be)} word />
        </>
      )}
    </span>
  )

const flipsText = ({ artifacts, flips, rows }: BacktestEnvironment): string => {
  const [all, turned, of] = [rows, flips, artifacts].map(Shorten.count)
  const places = `${all} ${rows === 1 ? "row" : "rows"}`
  return flips === 0
    ? `no flips, ${places}`
    : `${turned} ${flips === 1 ? "flip" : "flips"} of ${of} ${artifacts === 1 ? "artifact" : "artifacts"}, ${places}`
}

const Head = ({
  org,
  environment,
  found
}: {
  readonly org: string
  readonly environment: string
  readonly found: BacktestEnvironment | undefined
}) => (
  <div class="flip-head">
    <h2>
      <a href={Navigation.href("Environment", { org, environment })}>
        <RevealedText text={environment} />
      </a>
    </h2>
    {found === undefined ? (
      <span class="quiet">being replayed…</span>
    ) : (
      <>
        <span>
          {hoursText(found.non_compliant_hours.was)} h →{" "}
          <strong>{hoursText(found.non_compliant_hours.would_be)} h</strong> not compliant
        </span>
        <span class="quiet">{flipsText(found)}</span>
        <Now now={found.now} />
      </>
    )}
  </div>
)

/** The environments in the order of the replay; only those with flips have lanes. */
const sectionsOf = (
  { at, environments, flips }: BacktestState,
  span: Span
): ReadonlyArray<EnvironmentLanes> => {
  const lanes = lanesOf(flips, span)
  const names = new Set([
    ...environments.map(({ environment }) => environment),
    ...lanes.map(({ environment }) => environment),
    ...(at === undefined ? [] : [at])
  ])
  return [...names].map(
    (environment) =>
      lanes.find((each) => each.environment === environment) ?? { environment, lanes: [], more: 0 }
  )
}

export const FlipChart = ({
  org,
  state,
  span,
  selected
}: {
  readonly org: string
  readonly state: BacktestState
  readonly span: Span
  readonly selected: string | undefined
}) => (
  <>
    {sectionsOf(state, span).map(({ environment, lanes, more }) => (
      <section key={environment} class="flip-environment">
        <Head
          org={org}
          environment={environment}
          found={state.environments.find((each) => each.environment === environment)}
        />
        {lanes.length === 0 ? null : (
          <ul>
            {lanes.map((lane) => (
              <Lane key={lane.key} lane={lane} selected={selected} />
            ))}
          </ul>
        )}
        {more === 0 ? null : <p class="quiet">and {Shorten.count(more)} more rows</p>}
      </section>
    ))}
    {state.flips.length === 0 ? null : (
      <p class="flip-lane flip-ends quiet">
        <span class="run-span">
          <Timestamp seconds={span.from} always="absolute" />
          <Timestamp seconds={span.to} always="absolute" />
        </span>
      </p>
    )}
  </>
)
