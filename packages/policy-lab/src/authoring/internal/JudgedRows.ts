/**
 * Which rows a caller may try policies on: those that no flow knows which the caller does not read. The others are only
 * counted, for answers about them would tell what is hidden.
 */
import { Fingerprint } from "@attestry/core/Fingerprint"
import { type GrantedWithin, Reaches } from "@attestry/core/Reaches"
import { RowEvidence } from "@attestry/core/RowEvidence"
import type { StoreError } from "@attestry/core/StoreError"
import { Transaction } from "@attestry/core/Transaction"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Rows that are judged, and how many others there are. */
export interface JudgedRows<A> {
  readonly rows: ReadonlyArray<A>
  readonly hidden: number
}

/** WHY nothing else: only the flows of records are looked at. */
const RECORDS = { withAttestations: false, withFacts: false, withPurls: false }

const isFingerprint = Schema.is(Fingerprint)

/** Makes the choice. A caller who reads the whole org costs no query. */
export const make = Effect.gen(function* () {
  const evidence = yield* RowEvidence
  const reaches = yield* Reaches
  const transaction = yield* Transaction

  return <A>(
    granted: GrantedWithin,
    all: ReadonlyArray<A>,
    fingerprintOf: (row: A) => string
  ): Effect.Effect<JudgedRows<A>, StoreError> =>
    Effect.gen(function* () {
      if (granted.readable._tag === "Whole") return { rows: all, hidden: 0 }
      const prints = [...new Set(all.map(fingerprintOf))].filter(isFingerprint).sort()
      const knownOf = yield* transaction.run(granted.orgId, () =>
        evidence.gather(granted.orgId, prints, RECORDS)
      )
      const flowsOf = (row: A) =>
        knownOf(fingerprintOf(row)).records.map(({ artifact }) => artifact.flow_id)
      const things = [...new Set(all.flatMap(flowsOf))]
      const readable = new Set(
        yield* reaches.keepReadable(granted, { kind: "flow", things, idOf: (id) => id })
      )
      const rows = all.filter((row) => flowsOf(row).every((id) => readable.has(id)))
      return { rows, hidden: all.length - rows.length }
    })
})
