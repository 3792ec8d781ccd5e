/**
 * Records accepted writes. Every use case that changes state calls `record` once for each change, inside
 * the transaction of that change; a write that changes nothing records nothing.
 */
import * as Effect from "effect/Effect"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import type { OrgId } from "../shared/Identifier.js"
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

/** Use case: recording accepted writes. */
export class Journals extends Effect.Service<Journals>()("@attestry/core/Journals", {
  effect: Effect.gen(function* () {
    const store = yield* JournalStore
    const secrets = yield* Secrets

    const draftOf = (change: JournalRecord): Effect.Effect<JournalDraft> => {
      const content = CanonicalJson.print(change.content)
      return Effect.map(secrets.digest(content), (digest) => ({
        org_id: change.org,
        kind: change.kind,
        subject: change.subject,
        actor: change.actor,
        at: change.at,
        content,
        digest
      }))
    }

    /** Appends one entry; fails only as the store does. */
    const record = (change: JournalRecord): Effect.Effect<JournalEntry, StoreError> =>
      Effect.flatMap(draftOf(change), store.append)

    /** Appends entries of one org in this order, at the price of one. */
    const recordAll = (changes: ReadonlyArray<JournalRecord>): Effect.Effect<void, StoreError> =>
      Effect.flatMap(Effect.forEach(changes, draftOf), store.appendAll)

    return { record, recordAll } as const
  })
}) {}
