/**
 * Converts sequence numbers of journal entries to public ids. The key of an org is read once per process. An org
 * without a log gets one, because the key is created with the log.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import * as EntryId from "./internal/EntryId.js"
import { LogSequencer } from "./LogSequencer.js"
import { LogStore } from "./LogStore.js"

/** An org, and the origin for its log if the log must be created. */
export interface LogOwner {
  readonly org: OrgId
  readonly origin: string
}

/** Use case: the ids of journal entries. */
export class EntryIds extends Effect.Service<EntryIds>()("@attestry/core/EntryIds", {
  effect: Effect.gen(function* () {
    const store = yield* LogStore
    const sequencer = yield* LogSequencer
    // INVARIANT: every epoch of a log has the key of the first epoch, so the key never changes.
    const keys = new Map<OrgId, Uint8Array>()

    const readKey = ({ org, origin }: LogOwner) =>
      Effect.gen(function* () {
        if (Option.isNone(yield* store.find(org))) yield* sequencer.start(org, origin)
        const tree = yield* store.find(org)
        if (Option.isSome(tree)) keys.set(org, tree.value.entryKey)
        return Option.map(tree, ({ entryKey }) => entryKey)
      })

    /** The key that encrypts an org's sequence numbers. */
    const keyOf = (owner: LogOwner): Effect.Effect<Option.Option<Uint8Array>, StoreError> => {
      const known = keys.get(owner.org)
      return known === undefined ? readKey(owner) : Effect.succeedSome(known)
    }

    /** The ids of the entries with these sequence numbers, in the same order. */
    const of = (
      owner: LogOwner,
      sequences: ReadonlyArray<number>
    ): Effect.Effect<ReadonlyArray<string>, StoreError> =>
      Effect.map(
        keyOf(owner),
        Option.match({
          onNone: () => [],
          onSome: (key) => sequences.map((sequence) => EntryId.make(key, sequence))
        })
      )

    /** The sequence numbers of ids; none where a text is not the id of an entry of the org. */
    const read = (
      owner: LogOwner,
      ids: ReadonlyArray<string>
    ): Effect.Effect<Option.Option<ReadonlyArray<number>>, StoreError> =>
      Effect.map(keyOf(owner), (key) =>
        Option.flatMap(key, (known) => Option.all(ids.map((id) => EntryId.read(known, id))))
      )

    return { of, read, keyOf } as const
  })
}) {}
