/** The header with the ids of the entries that a write recorded. SPEC §1.5 */

import { type Actor, CurrentActor } from "@attestry/core/Actor"
import type { EntryIds, LogOwner } from "@attestry/core/EntryIds"
import * as JournalSequences from "@attestry/core/JournalSequences"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { ENTRIES_HEADER, type OutgoingResponse } from "../HttpMessage.js"

/** The name of the header. */
export const HEADER = "Attestry-Entries"

/** The name as headers of responses have it. */
export const NAME = ENTRIES_HEADER

/** The most ids that the header has. */
export const IDS_MAX = 20

/** WHY no failure: the write is committed, and its answer is valid without the header. */
const idsOf = (ids: EntryIds, owner: LogOwner, sequences: ReadonlyArray<number>) =>
  Effect.catchTag(ids.of(owner, sequences.slice(0, IDS_MAX)), "StoreError", (error) =>
    Effect.as(Effect.logWarning("the ids of entries could not be read", error), [])
  )

/** The response of a write by an actor, with the ids of what it recorded. */
export const put = <E>(
  ids: EntryIds,
  { owner, actor }: { readonly owner: LogOwner; readonly actor: Actor },
  response: Effect.Effect<OutgoingResponse, E, CurrentActor>
): Effect.Effect<OutgoingResponse, E> =>
  Effect.flatMap(
    JournalSequences.withSequences(response, Context.make(CurrentActor, actor)),
    ({ value, sequences }) =>
      sequences.length === 0
        ? Effect.succeed(value)
        : Effect.map(idsOf(ids, owner, sequences), (found) =>
            found.length === 0
              ? value
              : { ...value, headers: { ...value.headers, [NAME]: found.join(", ") } }
          )
  )
