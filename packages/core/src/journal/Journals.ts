/**
 * Journals accepted writes, reads histories, and verifies the journal.
 *
 * Every use case calls `record` once for each change, inside the transaction of the change; a write without an
 * effect records nothing.
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { type DamagedRow, whole } from "../shared/DamagedRecords.js"
import type { OrgId } from "../shared/Identifier.js"
import { Secrets } from "../shared/Secrets.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import * as CurrentProposal from "./CurrentProposal.js"
import * as ErasedMembers from "./ErasedMembers.js"
import * as PersonalNames from "./internal/PersonalNames.js"
import * as WholeJournal from "./internal/WholeJournal.js"
import type { JournalActor, JournalDraft, JournalEntry, JournalSubject } from "./JournalEntry.js"
import * as JournalSequences from "./JournalSequences.js"
import { JournalStore, type JournalSubjects } from "./JournalStore.js"

/** A change to record: actor, kind, subject and content. */
export interface JournalRecord {
  readonly org: OrgId
  readonly kind: string
  readonly subject: JournalSubject
  readonly actor: JournalActor
  readonly at: Timestamp
  /** Any JSON value; its canonical text is stored. */
  readonly content: unknown
}

/** Entries of subjects of one type by id, oldest first; ids with a damaged entry are left out. */
export type Histories = ReadonlyMap<string, ReadonlyArray<JournalEntry>>

/** What verifying a journal by its digests gave. */
export interface VerifiedJournal {
  /** How many entries fit their digests. */
  readonly entries: number
  /** Rows that do not, or cannot be read; at most `DAMAGED_MAX`. */
  readonly damaged: ReadonlyArray<DamagedRow>
}

/** The most damaged rows that are told. */
export const DAMAGED_MAX = 1_000

/** Whether a content is JSON, as every recorded one is. */
const isJson = (content: string): boolean => {
  try {
    JSON.parse(content)
    return true
  } catch {
    return false
  }
}

const damagedContent = (sequence: number): DamagedRow => ({
  kind: "entry",
  table: "journal",
  key: String(sequence),
  column: "content"
})

/** The number of entries that are verified at a time. */
const VERIFIED_AT_ONCE = 1_000

/** Use cases: journalling writes, reading histories, verifying the journal. */
export class Journals extends Effect.Service<Journals>()("@attestry/core/Journals", {
  effect: Effect.gen(function* () {
    const store = yield* JournalStore
    const secrets = yield* Secrets

    const draft = <A, E>(
      change: JournalRecord,
      next: (draft: JournalDraft) => Effect.Effect<A, E>
    ): Effect.Effect<A, E> => {
      const content = CanonicalJson.print(PersonalNames.conceal(change.kind, change.content))
      return Effect.flatMap(secrets.digest(content), (digest) =>
        next({
          org_id: change.org,
          kind: change.kind,
          subject: change.subject,
          actor: change.actor,
          at: change.at,
          content,
          digest
        })
      )
    }

    /** Continues with the draft of a change; that of an approved proposal has the proposal. */
    const withDraft = <A, E>(
      change: JournalRecord,
      next: (draft: JournalDraft) => Effect.Effect<A, E>
    ): Effect.Effect<A, E> =>
      Effect.flatMap(CurrentProposal.CurrentProposal, (mark) =>
        draft(mark === undefined ? change : CurrentProposal.marked(change, mark), next)
      )

    /** Verifies each entry of an org by its digest, and goes on after one that does not fit. */
    const verify = Effect.fn("Journals.verify")(function* (
      org: OrgId
    ): Effect.fn.Return<VerifiedJournal, StoreError> {
      const damaged: Array<DamagedRow> = []
      let checked = 0
      yield* WholeJournal.forEachPage(store, { org, rows: VERIFIED_AT_ONCE }, (page) =>
        Effect.gen(function* () {
          damaged.push(...page.unreadable)
          for (const { sequence, content, digest } of page.entries) {
            const fits = (yield* secrets.digest(content)) === digest && isJson(content)
            if (fits) checked += 1
            else damaged.push(damagedContent(sequence))
          }
        })
      )
      return { entries: checked, damaged: damaged.slice(0, DAMAGED_MAX) }
    })

    /** Appends one entry; fails only as the store does. */
    const record = (change: JournalRecord): Effect.Effect<JournalEntry, StoreError> =>
      Effect.tap(withDraft(change, store.append), (entry) => JournalSequences.add(entry))

    /**
     * Appends entries of one org, in this order, in one call of the store. The numbers are there after the next read
     * of the transaction, and at its end.
     */
    const recordAll = (
      changes: ReadonlyArray<JournalRecord>
    ): Effect.Effect<ReadonlyArray<JournalSequences.JournalSequence>, StoreError> =>
      Effect.gen(function* () {
        const drafts = yield* Effect.forEach(changes, (change) => withDraft(change, Effect.succeed))
        const recorded = yield* store.appendAll(drafts)
        yield* JournalSequences.add(...recorded)
        return recorded
      })

    /**
     * The histories of some subjects. They are read together, and one by one only to find damaged ones. A
     * history with a damaged entry is left out where the caller provides `DamagedRecords`, and fails otherwise.
     * A history with a gap would deny that something happened.
     */
    const histories = (
      org: OrgId,
      { type, ids }: JournalSubjects
    ): Effect.Effect<Histories, StoreError> =>
      Effect.gen(function* () {
        const together = yield* whole(store.listBySubject(org, { type, ids }))
        if (Option.isSome(together)) {
          const byId = Arr.groupBy(
            together.value.map(ErasedMembers.shown),
            ({ subject }) => subject.id
          )
          return new Map(ids.map((id) => [id, byId[id] ?? []]))
        }
        const each = yield* Effect.forEach(ids, (id) =>
          Effect.map(
            whole(store.listBySubject(org, { type, id })),
            Option.map((entries) => [id, entries.map(ErasedMembers.shown)] as const)
          )
        )
        return new Map(Arr.getSomes(each))
      })

    return { record, recordAll, histories, verify } as const
  })
}) {}
