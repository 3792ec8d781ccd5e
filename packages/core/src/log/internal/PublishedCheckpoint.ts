/**
 * Finds the published checkpoint of a log, with the cosignatures of witnesses; if required, only one with a quorum.
 */

import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as WitnessPolicy from "@attestry/transparency-log/WitnessPolicy"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StoreError } from "../../shared/StoreError.js"
import type { LogCheckpoint } from "../Log.js"
import { LogPublishing } from "../LogPublishing.js"
import { type CosignedCheckpoint, LogStore, type SignedTree } from "../LogStore.js"

/** A checkpoint whose note includes its cosignatures. */
export interface PublishedCheckpoint extends LogCheckpoint {
  /** The names of the policy's witnesses that have cosigned it. */
  readonly witnesses: ReadonlyArray<string>
  /** Whether they form a quorum; none without a policy. */
  readonly quorum: Option.Option<boolean>
}

/** At most this many checkpoints are searched for one with a quorum. */
const LOOKED_AT = 256

/** Finds the published checkpoint of a tree; none before the first. */
export const make = Effect.gen(function* () {
  const store = yield* LogStore
  const { policy, mode } = yield* LogPublishing

  const made = ({ checkpoint, lines }: CosignedCheckpoint): PublishedCheckpoint => {
    const signed = lines.flatMap((line) =>
      Option.toArray(SignedNote.parseLine(line.replace(/\n$/, "")))
    )
    const witnesses = Option.match(policy, {
      onNone: () => [],
      onSome: (known) => WitnessPolicy.signersOf(known, signed)
    })
    return {
      ...checkpoint,
      note: `${checkpoint.note}${lines.join("")}`,
      witnesses,
      quorum: Option.map(policy, (known) => WitnessPolicy.satisfied(known, new Set(witnesses)))
    }
  }

  return ({
    tree,
    checkpoint
  }: SignedTree): Effect.Effect<Option.Option<PublishedCheckpoint>, StoreError> =>
    Effect.gen(function* () {
      if (Option.isSome(policy) && mode === "quorum") {
        const all = (yield* store.listCosigned(tree, LOOKED_AT)).map(made)
        return Option.fromNullable(all.find(({ quorum }) => Option.getOrElse(quorum, () => false)))
      }
      if (Option.isNone(checkpoint)) return Option.none()
      const { size } = checkpoint.value
      const found = Option.isSome(policy)
        ? yield* store.listCosignatures(tree, { after: size - 1, upTo: size })
        : []
      const lines = found.map(({ line }) => line)
      return Option.some(made({ checkpoint: checkpoint.value, lines }))
    })
})
