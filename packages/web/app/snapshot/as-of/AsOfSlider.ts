/** The second slider of a snapshot: the instant in the address, its place on the slider, and the differences. */
import type { SnapshotAsOf } from "../../shared/Contract.js"

/** As known now, or at an instant in seconds; undefined is as recorded. */
export type KnownAt = "now" | number | undefined

/** The steps of the slider. */
export const STEPS = 1_000

/** The instant of an address; a text that is not an instant means as recorded. */
export const parse = (text: string | undefined): KnownAt => {
  if (text === undefined) return undefined
  if (text === "now") return "now"
  return /^[0-9]{1,10}(\.[0-9]{1,6})?$/.test(text) ? Number(text) : undefined
}

/** The time of the slider: from the snapshot to now. */
export interface AsOfSpan {
  readonly from: number
  readonly to: number
}

/** The instant of a snapshot or later, to the millisecond: the API refuses one before it. */
const notBefore = (seconds: number, { from }: AsOfSpan): number =>
  Math.max(Math.ceil(from * 1_000), Math.round(seconds * 1_000)) / 1_000

/** The text of a place on the slider, for the address; its end is now. */
export const textAt = (step: number, span: AsOfSpan): string =>
  step >= STEPS
    ? "now"
    : notBefore(span.from + ((span.to - span.from) * step) / STEPS, span).toFixed(3)

/** The place of an instant on the slider. */
export const stepOf = (at: KnownAt, { from, to }: AsOfSpan): number => {
  if (at === undefined) return 0
  if (at === "now" || to <= from) return STEPS
  return Math.round(Math.min(1, Math.max(0, (at - from) / (to - from))) * STEPS)
}

type RowAsOf = SnapshotAsOf["artifacts"][number]

/** Evidence that was accepted after its row started. */
export type Late = NonNullable<RowAsOf["late_evidence"]>[number] & { readonly row: string }

/** The rows that would have another verdict than they have in the record. */
export const turnedOf = ({ artifacts }: SnapshotAsOf): ReadonlyArray<RowAsOf> =>
  artifacts.filter(
    ({ compliant, recorded }) => recorded !== undefined && recorded.compliant !== compliant
  )

/** Late evidence of all rows, newest first, each piece once. */
export const lateOf = ({ artifacts }: SnapshotAsOf): ReadonlyArray<Late> => {
  const all = new Map<string, Late>()
  for (const { late_evidence = [], name } of artifacts)
    for (const late of late_evidence) {
      const known = all.get(late.attestation_id)
      if (known === undefined || (late.decisive && !known.decisive))
        all.set(late.attestation_id, { ...late, row: name })
    }
  return [...all.values()].sort((a, b) => b.reported_at - a.reported_at)
}
