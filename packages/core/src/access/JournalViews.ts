/**
 * Reads the journal of an org backwards, for its administrators.
 *
 * WHY not in `journal`: access stands to the right of it. Not for following the journal: see `JournalStore`.
 */
import * as Effect from "effect/Effect"
import * as JournalFilter from "../journal/JournalFilter.js"
import { type JournalLook, JournalStore } from "../journal/JournalStore.js"
import type { OrgName } from "../shared/Identifier.js"
import * as Access from "./Access.js"
import { CurrentActor } from "./Actor.js"

/** The most entries that one look with a filter reads. DECISION B-271 */
export const READ_MAX = 10_000

/** Which entries are wanted, from where, and how many. */
export type JournalQuestion = Pick<JournalLook, "before" | "filter" | "limit">

/** Use cases of reading the journal. */
export class JournalViews extends Effect.Service<JournalViews>()("@attestry/core/JournalViews", {
  effect: Effect.map(JournalStore, (store) => {
    /** Entries of an org, newest first, and where to go on. */
    const lookBack = Effect.fn("JournalViews.lookBack")(function* (
      org: OrgName,
      question: JournalQuestion
    ) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "journal.read")
      // WHY one more than the limit: it says whether an older entry is left.
      const readMax = JournalFilter.isEmpty(question.filter) ? question.limit + 1 : READ_MAX
      return yield* store.lookBack({ ...question, org: orgId, readMax })
    })

    return { lookBack } as const
  })
}) {}
