/**
 * What happened to each of some things, for showing them with it.
 *
 * A history is told whole or not at all: of a thing whose entry is damaged nothing is told, where whoever
 * shows a list has asked to go on without it. DECISION A-19, B-119
 */
import * as Arr from "effect/Array"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { whole } from "../shared/DamagedRecords.js"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { JournalEntry } from "./JournalEntry.js"
import type { JournalStore } from "./JournalStore.js"

/** Entries about things of one type by the id of each, oldest first; ids of damaged histories are left out. */
export type Histories = ReadonlyMap<string, ReadonlyArray<JournalEntry>>

/** Things of one type. */
export interface Subjects {
  readonly type: string
  readonly ids: ReadonlyArray<string>
}

/** The histories of all, at the price of one; each is read by itself only to find out which are damaged. */
export const read = (
  journal: Context.Tag.Service<JournalStore>,
  org: OrgId,
  { type, ids }: Subjects
): Effect.Effect<Histories, StoreError> =>
  Effect.gen(function* () {
    const together = yield* whole(journal.listBySubjects(org, { type, ids }))
    if (Option.isSome(together)) {
      const byId = Arr.groupBy(together.value, ({ subject }) => subject.id)
      return new Map(ids.map((id) => [id, byId[id] ?? []]))
    }
    const each = yield* Effect.forEach(ids, (id) =>
      Effect.map(
        whole(journal.listBySubject(org, { type, id })),
        Option.map((entries) => [id, entries] as const)
      )
    )
    return new Map(Arr.getSomes(each))
  })
