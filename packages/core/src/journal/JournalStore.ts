/** Port: the append-only journal of an org. There is no way to change or remove an entry. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { JournalDraft, JournalEntry, JournalSubject } from "./JournalEntry.js"

/** Where a reader of the whole journal stands, and how many entries it wants. */
export interface JournalCursor {
  readonly org: OrgId
  /** Entries after this sequence number; 0 for the beginning. */
  readonly after: number
  readonly limit: number
}

/** Port: the journal. */
export class JournalStore extends Context.Tag("@attestry/core/JournalStore")<
  JournalStore,
  {
    /**
     * Appends and returns the entry with its sequence number: larger than that of every entry that the
     * caller could see. Entries of one subject are in the order of its accepted writes as long as
     * writers hold the subject's lock.
     */
    readonly append: (draft: JournalDraft) => Effect.Effect<JournalEntry, StoreError>
    /** Appends entries of one org, in this order and together; no entries are nothing to do. */
    readonly appendAll: (drafts: ReadonlyArray<JournalDraft>) => Effect.Effect<void, StoreError>
    /** Every entry about a subject, oldest first. */
    readonly listBySubject: (
      org: OrgId,
      subject: JournalSubject
    ) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreError>
    /**
     * Entries after a sequence number, oldest first. For reading history, not for following it: a write
     * that is still under way may appear later, with a lower number than entries that were seen.
     */
    readonly listAfter: (
      cursor: JournalCursor
    ) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreError>
  }
>() {}
