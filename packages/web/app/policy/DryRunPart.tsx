/**
 * The server's dry run of the draft on real facts: with the other attached policies and the allow-list, on the
 * evidence of the snapshot's time or on current evidence. Nothing is stored.
 */
import * as Route from "@attestry/web/Route"
import type { DryRunRow, PolicyDryRun } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { ProblemNote } from "../shared/ProblemNote.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { fromState } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import {
  bodyOf,
  type Draft,
  type Evidence,
  evidenceOf,
  summaryOf,
  turnOf
} from "./DryRunQuestion.js"
import type { TryTarget } from "./TryTarget.js"
import { useDryRun } from "./useDryRun.js"

/** At most this many rows are shown; the rest are counted. */
const ROWS_MAX = 50

const CHOICES: ReadonlyArray<readonly [evidence: Evidence, text: string]> = [
  ["judged", "evidence it was evaluated by"],
  ["now", "what is known now"]
]

const EvidenceChoice = ({ evidence }: { readonly evidence: Evidence }) => (
  <fieldset class="segments">
    <legend class="visually-hidden">Evaluated by</legend>
    {CHOICES.map(([value, text]) => (
      <label key={value}>
        <input
          type="radio"
          name="evidence"
          checked={evidence === value}
          onChange={() =>
            Navigation.setQuery(
              { evidence: value === "judged" ? undefined : value },
              { replace: true }
            )
          }
        />
        {text}
      </label>
    ))}
  </fieldset>
)

const Row = ({ row }: { readonly row: DryRunRow }) => {
  const [first, ...others] = row.reasons_for_incompliance
  return (
    <li>
      <VerdictMark verdict={fromState(row.compliant)} label={turnOf(row)} />
      <span>
        <strong title={Reveal.plain(row.name)}>
          <RevealedText text={Shorten.artifact(row.name, 48)} />
        </strong>{" "}
        {row.member === undefined ? null : (
          <>
            in <RevealedText text={row.member} />{" "}
          </>
        )}
        <span class="quiet">{turnOf(row)}</span>
        {first === undefined ? null : (
          <>
            <br />
            <RevealedText text={first.description} />
            {others.length === 0 ? null : (
              <span class="quiet"> and {others.length} more reasons</span>
            )}
          </>
        )}
      </span>
    </li>
  )
}

const Answer = ({
  answer,
  isSnapshot
}: {
  readonly answer: PolicyDryRun
  readonly isSnapshot: boolean
}) => {
  const shown = answer.rows.slice(0, ROWS_MAX)
  const more = answer.rows.length - shown.length + answer.left_out
  return (
    <>
      <p>
        <VerdictMark verdict={fromState(answer.compliant)} /> {summaryOf(answer, isSnapshot)}
      </p>
      {shown.length === 0 ? null : (
        <ul class="rule-results">
          {shown.map((row) => (
            <Row key={`${row.member ?? ""} ${row.fingerprint} ${row.name}`} row={row} />
          ))}
        </ul>
      )}
      {more === 0 ? null : <p class="quiet">and {Shorten.count(more)} more</p>}
    </>
  )
}

/** The playground's section for the dry run. */
export const DryRunPart = ({
  org,
  route,
  draft,
  target
}: {
  readonly org: string
  readonly route: Route.Route
  readonly draft: Draft | undefined
  readonly target: TryTarget | undefined
}) => {
  const evidence = evidenceOf(Route.parameter(route, "evidence"))
  const body =
    draft === undefined || target === undefined ? undefined : bodyOf(draft, target, evidence)
  const { answer, isAsking, problem, retry } = useDryRun(org, body)
  if (body === undefined || target === undefined) return null
  const isSnapshot = target._tag === "Snapshot"
  return (
    <section class="dry-run" aria-label="Dry run" aria-busy={isAsking}>
      <h2>{isSnapshot ? "With everything else that is attached" : "By the server"}</h2>
      {isSnapshot ? <EvidenceChoice evidence={evidence} /> : null}
      {problem === undefined ? null : <ProblemNote problem={problem} retry={retry} />}
      {answer === undefined ? (
        problem === undefined ? (
          <p class="quiet">asking…</p>
        ) : null
      ) : (
        <Answer answer={answer} isSnapshot={isSnapshot} />
      )}
    </section>
  )
}
