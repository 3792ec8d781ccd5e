/** Port: the journal of an org. Entries are appended; only an erasure changes one, and none is removed. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { JournalDraft, JournalEntry, JournalSubject } from "./JournalEntry.js"
import type { JournalFilter } from "./JournalFilter.js"
import type { JournalSequence } from "./JournalSequences.js"

/** The position of a reader of the whole journal, and the number of entries to read. */
export interface JournalCursor {
  readonly org: OrgId
  /** Entries after this sequence number; 0 for the beginning. */
  readonly after: number
  readonly limit: number
}

/** Entries of one kind about one subject around an instant. */
export interface JournalMoment {
  readonly org: OrgId
  readonly subject: JournalSubject
  readonly kind: string
  readonly at: Timestamp
  /** At most so many entries are returned. */
  readonly limit: number
}

/** Subjects of one type. */
export interface JournalSubjects {
  readonly type: string
  readonly ids: ReadonlyArray<string>
}

/** Which entries to read backwards, and how far. */
export interface JournalScan {
  readonly org: OrgId
  /** Entries below this sequence number; the newest ones without it. */
  readonly before?: number
  readonly filter: JournalFilter
  /** At most so many entries are returned. */
  readonly limit: number
  /** At most so many entries are read to find them. */
  readonly readMax: number
}

/** Entries that a look found, newest first. */
export interface JournalFound {
  readonly entries: ReadonlyArray<JournalEntry>
  /** Where the next look begins, as its `before`; none when no older entry is left. */
  readonly next: Option.Option<number>
}

/** Port: the journal. */
export class JournalStore extends Context.Tag("@attestry/core/JournalStore")<
  JournalStore,
  {
    /**
     * Appends an entry and returns it with its sequence number, which is larger than that of every entry the
     * caller could see. Entries of one subject are in the order of its accepted writes as long as writers hold
     * the subject's lock. The actor of an entry of a user gets the number of its break-glass that counts at the time of
     * the entry (`BreakGlassStore.findAt`); the store sets it, so that no write is without it.
     */
    readonly append: (draft: JournalDraft) => Effect.Effect<JournalEntry, StoreError>
    /**
     * Appends entries of one org, in this order, all or none; does nothing without entries. Returns places for their
     * numbers, in the same order. The places are filled after the next read of the transaction, and at its end: a store
     * may send the entries with the statements that follow.
     */
    readonly appendAll: (
      drafts: ReadonlyArray<JournalDraft>
    ) => Effect.Effect<ReadonlyArray<JournalSequence>, StoreError>
    /** Every entry of a subject, or of any of these subjects of one type, oldest first. */
    readonly listBySubject: (
      org: OrgId,
      subject: JournalSubject | JournalSubjects
    ) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreError>
    /** The entries of a kind about a subject with the times nearest to an instant, nearest first, then oldest. */
    readonly listNearest: (
      moment: JournalMoment
    ) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreError>
    /**
     * At most `limit` entries after a sequence number, oldest first. Not for following the journal: a
     * concurrent write may appear later with a lower number than entries that were read.
     */
    readonly listAfter: (
      cursor: JournalCursor
    ) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreError>
    /** The sequence numbers of the entries that `listAfter` gives. */
    readonly listNumbersAfter: (
      cursor: JournalCursor
    ) => Effect.Effect<ReadonlyArray<number>, StoreError>
    /**
     * The newest entries that the filter accepts, newest first. It reads at most `readMax` entries, so that the cost
     * does not depend on how rare they are: it can return few or none, and `next` says where to go on. Entries that
     * were returned are not returned again by the looks that follow, and none that was there at the first look is
     * left out.
     */
    readonly scanBack: (look: JournalScan) => Effect.Effect<JournalFound, StoreError>
  }
>() {}
