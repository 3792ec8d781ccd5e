/**
 * What a transaction knows of a trail that it has locked: everything that was reported into it.
 *
 * INVARIANT: whoever writes below a trail holds its lock, so what was read together with the lock stays
 * true until the transaction ends, but for its own reports, which are added here.
 */
import type { ArtifactFact } from "@attestry/core/Artifact"
import type { AttestationFact } from "@attestry/core/Attestation"
import type * as Effect from "effect/Effect"
import * as SqlOrg from "../shared/SqlOrg.js"

/** What a transaction knows of a trail that it has locked. */
export interface HeldTrail {
  readonly artifacts: Array<ArtifactFact>
  readonly attestations: Array<AttestationFact>
  /** The trail's place among all trails, by which its commits are listed. */
  readonly ordinal: number
  /** A number of the journal that was drawn under the lock, for the next entry about the trail. */
  sequence: number | undefined
}

const keyOf = (trail: string): string => `trail ${trail}`

/** Remembers what was read together with the lock. */
export const remember = (trail: string, known: HeldTrail): Effect.Effect<void> =>
  SqlOrg.withHeld((held) => void held?.set(keyOf(trail), known))

/** What the transaction under way knows of a trail; nothing when it has not locked it. */
export const find = (trail: string): Effect.Effect<HeldTrail | undefined> =>
  SqlOrg.withHeld((held) => {
    const known = held?.get(keyOf(trail))
    // WHY: only `remember` writes under this key, and it writes nothing else.
    return known as HeldTrail | undefined
  })
