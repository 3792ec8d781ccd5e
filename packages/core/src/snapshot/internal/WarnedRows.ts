/** The rows of a new snapshot that policies on trial warn about for the first time. */
import { keyOf, type RowIdentity } from "../../environment/RunningRow.js"
import * as PolicyMode from "../../policy/PolicyMode.js"
import type { RowDecision } from "../RowDecision.js"

/** The part of a row that warnings depend on. */
export interface WarnableRow extends RowIdentity {
  readonly decisions: ReadonlyArray<RowDecision>
}

const isWarned = ({ decisions }: WarnableRow): boolean =>
  decisions.some((decision) => PolicyMode.isWarning(decision) && decision.status !== "COMPLIANT")

/** How many rows have a warning now and had none before; rows that are the same in both states may be left out. */
export const gained = (
  before: ReadonlyArray<WarnableRow>,
  after: ReadonlyArray<WarnableRow>
): number => {
  const warned = after.filter(isWarned)
  if (warned.length === 0) return 0
  const known = new Set(before.filter(isWarned).map(keyOf))
  return warned.filter((row) => !known.has(keyOf(row))).length
}
