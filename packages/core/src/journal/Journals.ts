/**
 * Records accepted writes, tells what happened to things, and checks the record.
 *
 * Every use case that changes state calls `record` once for each change, inside the transaction of that
 * change; a write that changes nothing records nothing.
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { whole } from "../shared/DamagedRecords.js"
import { OrgId } from "../shared/Identifier.js"
import { Secrets } from "../shared/Secrets.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { JournalActor, JournalDraft, JournalEntry, JournalSubject } from "./JournalEntry.js"
import { JournalStore } from "./JournalStore.js"

/** A change to record: who did what to which thing, and what was accepted. */
export interface JournalRecord {
  readonly org: OrgId
  readonly kind: string
  readonly subject: JournalSubject
  readonly actor: JournalActor
  readonly at: Timestamp
  /** Any JSON value; its canonical text is what is kept. */
  readonly content: unknown
}

/** Things of one type. */
export interface JournalSubjects {
  readonly type: string
  readonly ids: ReadonlyArray<string>
}

/** Entries about things of one type by the id of each, oldest first; ids of damaged histories are left out. */
export type Histories = ReadonlyMap<string, ReadonlyArray<JournalEntry>>

/** An entry's content is not what was recorded: somebody has changed it. */
export class JournalDamaged extends Schema.TaggedError<JournalDamaged>()("JournalDamaged", {
  org_id: OrgId,
  sequence: Schema.Int
}) {
  override get message(): string {
    return `journal entry ${this.sequence} of org \`${this.org_id}\` does not fit its digest`
  }
}

/** Entries are checked this many at a time. */
const VERIFIED_AT_ONCE = 1_000

type Verifying = Effect.Effect<number, StoreError | JournalDamaged>

/** Use cases: recording accepted writes, telling histories, checking that the record is what was recorded. */
export class Journals extends Effect.Service<Journals>()("@attestry/core/Journals", {
  effect: Effect.gen(function* () {
    const store = yield* JournalStore
    const secrets = yield* Secrets

    /** Goes on with the entry that a change makes. */
    const withDraft = <A, E>(
      change: JournalRecord,
      next: (draft: JournalDraft) => Effect.Effect<A, E>
    ): Effect.Effect<A, E> => {
      const content = CanonicalJson.print(change.content)
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

    const verifyAfter = (org: OrgId, after: number, checked: number): Verifying =>
      Effect.gen(function* () {
        const entries = yield* store.listAfter({ org, after, limit: VERIFIED_AT_ONCE })
        for (const { sequence, content, digest } of entries) {
          if ((yield* secrets.digest(content)) !== digest) {
            return yield* new JournalDamaged({ org_id: org, sequence })
          }
        }
        const last = entries.at(-1)
        return last === undefined
          ? checked
          : yield* verifyAfter(org, last.sequence, checked + entries.length)
      })

    /** How many entries an org has, after checking each against its digest; names the first bad one. */
    const verify = Effect.fn("Journals.verify")((org: OrgId) => verifyAfter(org, 0, 0))

    /** Appends one entry; fails only as the store does. */
    const record = (change: JournalRecord): Effect.Effect<JournalEntry, StoreError> =>
      withDraft(change, store.append)

    /** Appends entries of one org in this order, at the price of one. */
    const recordAll = (changes: ReadonlyArray<JournalRecord>): Effect.Effect<void, StoreError> =>
      Effect.flatMap(
        Effect.forEach(changes, (change) => withDraft(change, Effect.succeed)),
        store.appendAll
      )

    /**
     * What happened to each of some things, for showing them with it: read together, and one by one only
     * to find out which are damaged. A history is told whole or not at all: one with an entry that is
     * damaged is left out, where whoever shows a list has asked to go on without. DECISION B-119
     */
    const histories = (
      org: OrgId,
      { type, ids }: JournalSubjects
    ): Effect.Effect<Histories, StoreError> =>
      Effect.gen(function* () {
        const together = yield* whole(store.listBySubjects(org, { type, ids }))
        if (Option.isSome(together)) {
          const byId = Arr.groupBy(together.value, ({ subject }) => subject.id)
          return new Map(ids.map((id) => [id, byId[id] ?? []]))
        }
        const each = yield* Effect.forEach(ids, (id) =>
          Effect.map(
            whole(store.listBySubject(org, { type, id })),
            Option.map((entries) => [id, entries] as const)
          )
        )
        return new Map(Arr.getSomes(each))
      })

    return { record, recordAll, histories, verify } as const
  })
}) {}
