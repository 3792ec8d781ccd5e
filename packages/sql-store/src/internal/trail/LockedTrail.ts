/**
 * What a transaction has read together with the lock of a trail: every report on it.
 *
 * INVARIANT: every writer below a trail holds its lock, so what was read with the lock stays true until the
 * transaction ends; the transaction's own reports are added here.
 */
import type { ArtifactFact } from "@attestry/core/Artifact"
import type { AttestationFact } from "@attestry/core/Attestation"
import * as TransactionCache from "../transaction/TransactionCache.js"

/** The reports on a locked trail. */
export interface LockedTrail {
  readonly artifacts: Array<ArtifactFact>
  readonly attestations: Array<AttestationFact>
  /** The trail's place among all trails, by which its commits are listed. */
  readonly ordinal: number
  /** A number of the journal that was drawn under the lock, for the next entry about the trail. */
  sequence: number | undefined
}

/** The cache of locked trails, by id. */
export const { set, use }: TransactionCache.TransactionCache<LockedTrail> =
  TransactionCache.make("trail")
