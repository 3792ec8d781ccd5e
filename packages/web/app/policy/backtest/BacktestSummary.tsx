/** The progress of a backtest, buttons to stop and continue it, and its result. */
import { ProblemNote } from "../../shared/ProblemNote.js"
import { RevealedText } from "../../shared/RevealedText.js"
import * as Shorten from "../../shared/Shorten.js"
import { type BacktestSums, hoursText, sumsOf } from "./BacktestState.js"
import type { Backtest } from "./useBacktest.js"

const progressText = ({ state: { of, played } }: Backtest): string =>
  `${Shorten.count(Math.min(played, of))} of ${Shorten.count(of)} snapshots`

/** The progress bar and its buttons. */
export const BacktestProgress = ({ backtest }: { readonly backtest: Backtest }) => {
  const { cancel, isPlaying, problem, resume, state } = backtest
  const isCut = !isPlaying && !state.isDone
  return (
    <>
      <div class="backtest-progress">
        <progress max={Math.max(1, state.of)} value={state.played} aria-label="Progress" />
        <span class="quiet" role="status">
          {state.isDone ? "replayed " : isCut ? "stopped after " : ""}
          {progressText(backtest)}
        </span>
        {isPlaying ? (
          <button type="button" class="button" onClick={cancel}>
            Stop
          </button>
        ) : isCut && problem === undefined ? (
          <button type="button" class="button" onClick={resume}>
            {state.place === undefined ? "Begin again" : "Go on"}
          </button>
        ) : null}
      </div>
      {problem === undefined ? null : <ProblemNote problem={problem} retry={resume} />}
    </>
  )
}

const Hours = ({
  title,
  hours,
  unit
}: {
  readonly title: string
  readonly hours: { readonly was: number; readonly would_be: number }
  readonly unit: string
}) => (
  <div class="figure">
    <dt>{title}</dt>
    <dd>
      <span class="quiet">{hoursText(hours.was)} →</span>{" "}
      <strong>{hoursText(hours.would_be)}</strong> <span class="quiet">{unit}</span>
    </dd>
  </div>
)

const Checked = ({ sums }: { readonly sums: BacktestSums }) =>
  sums.unreproduced === 0 ? null : (
    <p class="note note-problem" role="alert">
      {Shorten.count(sums.unreproduced)} recorded decisions did not come out again when the version
      that counted was replayed too. They are in no flip; treat the rest with care.
    </p>
  )

/** Limitations of the answer that would mislead if they were not shown. */
export const BacktestNotes = ({ backtest: { state } }: { readonly backtest: Backtest }) => (
  <>
    {state.notes.map(({ environment, policy }) => (
      <p class="note" key={environment}>
        <RevealedText text={policy} /> is attached to the logical environment{" "}
        <RevealedText text={environment} />, whose verdict is not replayed here. Choose that
        environment, or all of them, to see what would change there.
      </p>
    ))}
  </>
)

export const BacktestSummary = ({ backtest: { state } }: { readonly backtest: Backtest }) => {
  const sums = sumsOf(state)
  return (
    <>
      <dl class="figures">
        <Hours title="Not compliant" hours={sums.hours} unit="environment-hours" />
        <Hours title="Rows not compliant" hours={sums.rowHours} unit="row-hours" />
        <div class="figure">
          <dt>Flips</dt>
          <dd>
            <strong>{Shorten.count(sums.flips)}</strong>{" "}
            <span class="quiet">of {Shorten.count(sums.rows)} rows</span>
          </dd>
        </div>
        <div class="figure">
          <dt>Would turn red now</dt>
          <dd>
            <strong>{sums.newRed}</strong>{" "}
            <span class="quiet">
              of {state.environments.length}{" "}
              {state.environments.length === 1 ? "environment" : "environments"}
            </span>
          </dd>
        </div>
      </dl>
      <Checked sums={sums} />
    </>
  )
}
