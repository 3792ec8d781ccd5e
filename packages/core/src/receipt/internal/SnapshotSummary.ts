/** What a receipt says about a snapshot, or about one artifact of it, from the rows as they are stored. Pure. */
import { distinctKnown, type Fingerprint } from "../../artifact/Fingerprint.js"
import * as Verdict from "../../shared/Verdict.js"
import type { CompleteSnapshot } from "../../snapshot/internal/CompleteSnapshots.js"
import { versionsOf } from "../../snapshot/internal/EvaluatedRow.js"
import type { PlacedRow } from "../../snapshot/LogicalRows.js"
import * as RowDecision from "../../snapshot/RowDecision.js"
import * as DecisionReceipt from "../DecisionReceipt.js"

/** The rows that a receipt is about: all that run, or those of one artifact. */
export const rowsOf = (
  { rows }: Pick<CompleteSnapshot, "rows">,
  fingerprint: Fingerprint | undefined
): ReadonlyArray<PlacedRow> =>
  rows.filter(
    (row) =>
      row.annotation.type !== "exited" &&
      (fingerprint === undefined || row.fingerprint === fingerprint)
  )

/** The artifacts of rows, each under the first of its names. */
export const subjectsOf = (
  rows: ReadonlyArray<PlacedRow>
): ReadonlyArray<DecisionReceipt.ReceiptSubject> => {
  const names = new Map<string, string>()
  for (const { fingerprint, name } of rows) {
    const known = names.get(fingerprint)
    if (known === undefined || name < known) names.set(fingerprint, name)
  }
  return distinctKnown(rows.map(({ fingerprint }) => fingerprint)).map((sha256) => ({
    sha256,
    name: names.get(sha256) ?? ""
  }))
}

/** Rows that only an entry of an allow-list makes compliant. */
const allowListedIn = (rows: ReadonlyArray<PlacedRow>): ReadonlyArray<string> =>
  distinctKnown(
    rows.flatMap(({ decisions, fingerprint, verdict }) =>
      verdict === "Compliant" && RowDecision.verdictOf(decisions) !== "Compliant"
        ? [fingerprint]
        : []
    )
  )

const ascending = (numbers: Iterable<number>): ReadonlyArray<number> =>
  [...new Set(numbers)].sort((left, right) => left - right)

/**
 * What was decided on, without members that an erasure changes: the digest must stay the same for ever.
 */
const factsOf = (rows: ReadonlyArray<PlacedRow>): string =>
  DecisionReceipt.digestOf(
    rows
      .map(({ decisions, fingerprint, flows, started_index, verdict }) => ({
        fingerprint,
        verdict,
        started_index,
        flows: flows.map(({ artifact_id, flow_id, status, trail_id }) => ({
          flow_id,
          trail_id,
          artifact_id,
          status
        })),
        decisions
      }))
      .map((row) => ({ row, key: DecisionReceipt.digestOf(row) }))
      .sort((left, right) => (left.key < right.key ? -1 : 1))
      .map(({ row }) => row)
  )

/** The parts of a receipt that the rows give. */
export const summarize = (
  { snapshot }: Pick<CompleteSnapshot, "snapshot">,
  rows: ReadonlyArray<PlacedRow>,
  fingerprint: Fingerprint | undefined
) => ({
  at: snapshot.timestamp,
  subjects: subjectsOf(rows),
  verdict:
    fingerprint === undefined
      ? snapshot.verdict
      : Verdict.minimum(rows.map(({ verdict }) => verdict)),
  versions: versionsOf(snapshot, rows),
  facts: factsOf(rows),
  allow_listed: allowListedIn(rows),
  waivers: ascending(
    rows.flatMap(({ decisions }) => RowDecision.waivedOf(decisions).map(({ waiver }) => waiver))
  ),
  trails: [...new Set(rows.flatMap(({ flows }) => flows.map(({ trail_id }) => trail_id)))].sort()
})
