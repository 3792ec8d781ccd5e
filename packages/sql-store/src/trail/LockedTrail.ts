/**
 * What a transaction knows of a trail that it has locked: everything that was reported into it.
 *
 * INVARIANT: whoever writes below a trail holds its lock, so what was read together with the lock stays
 * true until the transaction ends, but for its own reports, which are added here.
 */
import type { ArtifactFact } from "@attestry/core/Artifact"
import type { AttestationFact } from "@attestry/core/Attestation"
import * as TransactionCache from "../transaction/TransactionCache.js"

/** What a transaction knows of a trail that it has locked. */
export interface LockedTrail {
  readonly artifacts: Array<ArtifactFact>
  readonly attestations: Array<AttestationFact>
  /** The trail's place among all trails, by which its commits are listed. */
  readonly ordinal: number
  /** A number of the journal that was drawn under the lock, for the next entry about the trail. */
  sequence: number | undefined
}

/** What transactions know of trails, by their ids; nothing of one that is not locked. */
export const { set, use }: TransactionCache.TransactionCache<LockedTrail> =
  TransactionCache.make("trail")
