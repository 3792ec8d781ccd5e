/** Port: the append-only journal of an org. Entries are never changed or removed. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { JournalDraft, JournalEntry, JournalSubject } from "./JournalEntry.js"

/** The position of a reader of the whole journal, and the number of entries to read. */
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
     * Appends an entry and returns it with its sequence number, which is larger than that of every entry the
     * caller could see. Entries of one subject are in the order of its accepted writes as long as writers hold
     * the subject's lock.
     */
    readonly append: (draft: JournalDraft) => Effect.Effect<JournalEntry, StoreError>
    /** Appends entries of one org, in this order, all or none; does nothing without entries. */
    readonly appendAll: (drafts: ReadonlyArray<JournalDraft>) => Effect.Effect<void, StoreError>
    /** Every entry of a subject, oldest first. */
    readonly listBySubject: (
      org: OrgId,
      subject: JournalSubject
    ) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreError>
    /** Every entry of any of these subjects of one type, oldest first. */
    readonly listBySubjects: (
      org: OrgId,
      subjects: { readonly type: string; readonly ids: ReadonlyArray<string> }
    ) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreError>
    /**
     * At most `limit` entries after a sequence number, oldest first. Not for following the journal: a
     * concurrent write may appear later with a lower number than entries that were read.
     */
    readonly listAfter: (
      cursor: JournalCursor
    ) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreError>
  }
>() {}
