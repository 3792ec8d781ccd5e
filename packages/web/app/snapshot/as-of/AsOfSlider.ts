/** The as-of slider of a snapshot: the instant in the URL, its position on the slider, and the differences. */
import type { SnapshotAsOf } from "../../shared/Contract.js"

/** `now`, or an instant in epoch seconds; undefined shows the snapshot as recorded. */
export type KnownAt = "now" | number | undefined

export const STEPS = 1_000

/** The instant in the URL; an invalid text means as recorded. */
export const parse = (text: string | undefined): KnownAt => {
  if (text === undefined) return undefined
  if (text === "now") return "now"
  return /^[0-9]{1,10}(\.[0-9]{1,6})?$/.test(text) ? Number(text) : undefined
}

/** The range of the slider: from the snapshot to now. */
export interface AsOfSpan {
  readonly from: number
  readonly to: number
}

/** Rounds to milliseconds, but never to before the snapshot: the API refuses an earlier instant. */
const notBefore = (seconds: number, { from }: AsOfSpan): number =>
  Math.max(Math.ceil(from * 1_000), Math.round(seconds * 1_000)) / 1_000

/** The URL parameter for a position of the slider; its end means now. */
export const textAt = (step: number, span: AsOfSpan): string =>
  step >= STEPS
    ? "now"
    : notBefore(span.from + ((span.to - span.from) * step) / STEPS, span).toFixed(3)

/** The position of an instant on the slider. */
export const stepOf = (at: KnownAt, { from, to }: AsOfSpan): number => {
  if (at === undefined) return 0
  if (at === "now" || to <= from) return STEPS
  return Math.round(Math.min(1, Math.max(0, (at - from) / (to - from))) * STEPS)
}

type RowAsOf = SnapshotAsOf["artifacts"][number]

/** Evidence that was accepted after its row started. */
export type Late = NonNullable<RowAsOf["late_evidence"]>[number] & { readonly row: string }

/** The rows whose verdict differs from the record. */
export const turnedOf = ({ artifacts }: SnapshotAsOf): ReadonlyArray<RowAsOf> =>
  artifacts.filter(
    ({ compliant, recorded }) => recorded !== undefined && recorded.compliant !== compliant
  )

/** The late evidence of all rows, newest first, without duplicates. */
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
