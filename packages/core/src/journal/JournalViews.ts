/**
 * Reads the journal of an org backwards, for its administrators.
 *
 * Not for following the journal: see `JournalStore`.
 */
import * as Effect from "effect/Effect"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { EntryIds, type LogOwner } from "../log/EntryIds.js"
import { LogStore } from "../log/LogStore.js"
import type { OrgName } from "../shared/Identifier.js"
import type { JournalEntry } from "./JournalEntry.js"
import * as JournalFilter from "./JournalFilter.js"
import { type JournalScan, JournalStore } from "./JournalStore.js"

/**
 * The most entries that one look with a filter reads. A rare kind in a long journal must not make one request read all
 * of it.
 */
export const READ_MAX = 10_000

/** Which entries are wanted, from where, and how many. */
export interface JournalQuestion extends Pick<JournalScan, "before" | "filter" | "limit"> {
  /** The origin that the log of the org begins with when it is new. */
  readonly origin: string
}

/** An entry with its id, and its place in the log; null while it has no leaf. */
export interface PlacedEntry {
  readonly entry: JournalEntry
  readonly id: string
  readonly index: number | null
  readonly prev: number | null
}

/** Use cases of reading the journal. */
export class JournalViews extends Effect.Service<JournalViews>()("@attestry/core/JournalViews", {
  effect: Effect.gen(function* () {
    const store = yield* JournalStore
    const logs = yield* LogStore
    const ids = yield* EntryIds

    /** The entries with their ids, and their places in the log as far as they have one. */
    const placed = (owner: LogOwner, entries: ReadonlyArray<JournalEntry>) =>
      Effect.gen(function* () {
        const sequences = entries.map(({ sequence }) => sequence)
        const names = yield* ids.of(owner, sequences)
        const places = yield* logs.listPlaces(owner.org, sequences)
        return entries.map((entry, at): PlacedEntry => {
          const { index, prev } = places.get(entry.sequence) ?? { index: null, prev: null }
          return { entry, id: names[at] ?? "", index, prev }
        })
      })

    /** Entries of an org, newest first, and where to go on. */
    const scanBack = Effect.fn("JournalViews.scanBack")(function* (
      org: OrgName,
      question: JournalQuestion
    ) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "journal.read")
      // WHY one more than the limit: it says whether an older entry is left.
      const readMax = JournalFilter.isEmpty(question.filter) ? question.limit + 1 : READ_MAX
      const { origin, ...look } = question
      const { entries, next } = yield* store.scanBack({ ...look, org: orgId, readMax })
      return { entries: yield* placed({ org: orgId, origin }, entries), next }
    })

    return { scanBack } as const
  })
}) {}
