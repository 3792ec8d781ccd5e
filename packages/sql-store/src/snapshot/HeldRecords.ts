/**
 * What flows know about fingerprints that arrive, read together with the lock of an environment.
 *
 * INVARIANT: the transaction keeps writers of evidence about these fingerprints waiting, so what was read
 * stays true until it ends. It is told once: whoever asks again may have written in between.
 */
import type * as Effect from "effect/Effect"
import * as SqlOrg from "../shared/SqlOrg.js"

interface HeldRecords {
  readonly arriving: ReadonlySet<string>
  readonly records: ReadonlyArray<unknown>
}

const KEY = "records of what arrives"

/** Remembers what was read about the fingerprints that arrive. */
export const remember = (
  arriving: ReadonlyArray<string>,
  records: ReadonlyArray<unknown>
): Effect.Effect<void> =>
  SqlOrg.withHeld((held) => {
    held?.set(KEY, { arriving: new Set(arriving), records } satisfies HeldRecords)
  })

/** What was read about exactly these fingerprints, once; nothing when it was not, or was about others. */
export const take = (
  fingerprints: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<unknown> | undefined> =>
  SqlOrg.withHeld((held) => {
    // WHY: only `remember` writes under this key, and it writes nothing else.
    const known = held?.get(KEY) as HeldRecords | undefined
    held?.delete(KEY)
    return known !== undefined &&
      known.arriving.size === fingerprints.length &&
      fingerprints.every((fingerprint) => known.arriving.has(fingerprint))
      ? known.records
      : undefined
  })
