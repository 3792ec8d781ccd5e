/**
 * The playground: compares the draft with the latest version on running rows in this browser while a person types,
 * and shows the server's dry run below.
 */
import * as Route from "@attestry/web/Route"
import type { Environment } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { ProblemNote } from "../shared/ProblemNote.js"
import { Skeleton } from "../shared/QueryView.js"
import * as Shorten from "../shared/Shorten.js"
import * as BlastRadius from "./BlastRadius.js"
import { DryRunPart } from "./DryRunPart.js"
import { TriedRows } from "./TriedRows.js"
import { TryChoice } from "./TryChoice.js"
import type { TryTarget } from "./TryTarget.js"
import type { Trial } from "./useTrial.js"

const Cell = ({
  change,
  count,
  selected
}: {
  readonly change: BlastRadius.Change
  readonly count: number
  readonly selected: string | undefined
}) => (
  <td class="cell">
    {count === 0 ? (
      <span class="quiet">0</span>
    ) : (
      <button
        type="button"
        class="count-button"
        aria-pressed={selected === change}
        title={`${count} ${BlastRadius.WORDS[change]}`}
        onClick={() =>
          Navigation.setQuery({
            cell: selected === change ? undefined : change,
            row: undefined
          })
        }
      >
        {Shorten.count(count)}
        <span class="visually-hidden"> rows {BlastRadius.WORDS[change]}</span>
      </button>
    )}
  </td>
)

const Comparison = ({
  counts,
  before,
  selected
}: {
  readonly counts: BlastRadius.Counts
  readonly before: number
  readonly selected: string | undefined
}) => (
  <table class="table comparison">
    <caption class="visually-hidden">Rows by the latest version and by the draft</caption>
    <thead>
      <tr>
        <td class="cell" />
        <th class="cell" scope="col">
          draft passes
        </th>
        <th class="cell" scope="col">
          draft fails
        </th>
      </tr>
    </thead>
    <tbody>
      <tr>
        <th class="cell" scope="row">
          {before === 0 ? "not evaluated before" : `version ${before} passes`}
        </th>
        <Cell change="still-passing" count={counts["still-passing"]} selected={selected} />
        <Cell change="starts-failing" count={counts["starts-failing"]} selected={selected} />
      </tr>
      {before === 0 ? null : (
        <tr>
          <th class="cell" scope="row">
            version {before} fails
          </th>
          <Cell change="starts-passing" count={counts["starts-passing"]} selected={selected} />
          <Cell change="still-failing" count={counts["still-failing"]} selected={selected} />
        </tr>
      )}
    </tbody>
  </table>
)

const Results = ({
  route,
  trial,
  texts
}: {
  readonly route: Route.Route
  readonly trial: Trial
  readonly texts: { readonly name: string; readonly draft: string; readonly base: number }
}) => {
  const { found, rows, tookMs } = trial
  if (rows === undefined || found === undefined) return <Skeleton />
  const cell = Route.parameter(route, "cell")
  const shown = rows.filter(({ change }) => cell === undefined || change === cell)
  const order = (row: BlastRadius.TriedRow) =>
    row.change === undefined ? 9 : BlastRadius.CHANGES.indexOf(row.change)
  return (
    <>
      <p class="quiet">
        With today's evidence, {Shorten.count(rows.length)} {rows.length === 1 ? "row" : "rows"}
        {found.index === undefined ? "" : ` of snapshot ${found.index}`}
        {found.total > rows.length ? `, the first of ${Shorten.count(found.total)}` : ""} ·
        evaluated here in {Math.max(1, Math.round(tookMs ?? 0))} ms
      </p>
      <Comparison counts={BlastRadius.countsOf(rows)} before={texts.base} selected={cell} />
      {rows.length === 0 ? (
        <p class="quiet">Nothing runs here.</p>
      ) : (
        <TriedRows
          rows={[...shown].sort((left, right) => order(left) - order(right))}
          selected={Route.parameter(route, "row")}
          name={texts.name}
          draft={texts.draft}
        />
      )}
    </>
  )
}

export const Playground = ({
  org,
  route,
  environments,
  target,
  trial,
  texts
}: {
  readonly org: string
  readonly route: Route.Route
  readonly environments: ReadonlyArray<Environment>
  readonly target: TryTarget | undefined
  readonly trial: Trial
  readonly texts: {
    readonly name: string
    readonly draft: string | undefined
    readonly base: number
  }
}) => (
  <section class="playground" aria-label="Playground">
    <h2>Try it on</h2>
    <TryChoice environments={environments} target={target} />
    {trial.problem === undefined ? null : (
      <ProblemNote problem={trial.problem} retry={trial.reload} />
    )}
    {trial.failure === undefined ? null : (
      <p class="field-problem" role="alert">
        {trial.failure}
      </p>
    )}
    {target === undefined ? (
      <p class="quiet">Choose an environment or an artifact to see what the draft decides.</p>
    ) : trial.problem !== undefined ? null : texts.draft === undefined ? (
      <p class="quiet">The draft is evaluated as soon as it has no problems.</p>
    ) : (
      <Results
        route={route}
        trial={trial}
        texts={{ name: texts.name, draft: texts.draft, base: texts.base }}
      />
    )}
    <DryRunPart
      org={org}
      route={route}
      draft={texts.draft === undefined ? undefined : { name: texts.name, text: texts.draft }}
      target={target}
    />
  </section>
)
