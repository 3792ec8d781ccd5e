/**
 * What flows know about fingerprints that arrive, read together with the lock of an environment.
 *
 * INVARIANT: the transaction keeps writers of evidence about these fingerprints waiting, so what was read
 * stays true until it ends. It is told once: whoever asks again may have written in between.
 */
import * as Effect from "effect/Effect"
import * as TransactionCache from "../shared/TransactionCache.js"

interface LockedRecords {
  readonly arriving: ReadonlySet<string>
  readonly records: ReadonlyArray<unknown>
}

const held = TransactionCache.make<LockedRecords>("records of")

const ARRIVING = "what arrives"

/** Remembers what was read about the fingerprints that arrive. */
export const remember = (
  arriving: ReadonlyArray<string>,
  records: ReadonlyArray<unknown>
): Effect.Effect<void> => held.remember(ARRIVING, { arriving: new Set(arriving), records })

/** What was read about exactly these fingerprints, once; nothing when it was not, or was about others. */
export const take = (
  fingerprints: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<unknown> | undefined> =>
  Effect.map(Effect.zipLeft(held.find(ARRIVING), held.forget(ARRIVING)), (known) =>
    known !== undefined &&
    known.arriving.size === fingerprints.length &&
    fingerprints.every((fingerprint) => known.arriving.has(fingerprint))
      ? known.records
      : undefined
  )
