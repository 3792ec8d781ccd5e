/** Reads the whole journal of an org for verification, oldest entry first; rows that cannot be read are told. */
import * as Effect from "effect/Effect"
import { type DamagedRow, noting } from "../../shared/DamagedRecords.js"
import type { OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { JournalEntry } from "../JournalEntry.js"
import type { JournalStore } from "../JournalStore.js"

/** A page of the journal: its entries, and the rows of it that cannot be read. */
export interface JournalPage {
  readonly entries: ReadonlyArray<JournalEntry>
  readonly unreadable: ReadonlyArray<DamagedRow>
}

/**
 * Gives every page to a function.
 *
 * WHY numbers besides: a page whose last rows cannot be read does not say where the next one begins.
 */
export const forEachPage = <E, R>(
  journal: Pick<JournalStore["Type"], "listAfter" | "listNumbersAfter">,
  { org, rows }: { readonly org: OrgId; readonly rows: number },
  accept: (page: JournalPage) => Effect.Effect<void, E, R>
): Effect.Effect<void, StoreError | E, R> =>
  Effect.gen(function* () {
    let after = Number.MIN_SAFE_INTEGER
    for (;;) {
      const cursor = { org, after, limit: rows }
      const [numbers, unnumbered] = yield* noting(journal.listNumbersAfter(cursor))
      const last = numbers.at(-1)
      if (last === undefined) return yield* accept({ entries: [], unreadable: unnumbered })
      const [entries, unreadable] = yield* noting(journal.listAfter(cursor))
      // What was written meanwhile belongs to the next page.
      yield* accept({ entries: entries.filter(({ sequence }) => sequence <= last), unreadable })
      after = last
    }
  })
