/**
 * Ends grants, each with its journal entry. For use cases that have authorized the caller, inside of their
 * transactions.
 */
import * as Effect from "effect/Effect"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import { Journals } from "../../journal/Journals.js"
import type { StoreError } from "../../shared/StoreError.js"
import { ended } from "../../space/ThingPlace.js"
import type { Grant, GrantSubject } from "../Grant.js"
import { GrantStore } from "../GrantStore.js"

/** Writes grants. */
export class GrantRecords extends Effect.Service<GrantRecords>()("@attestry/core/GrantRecords", {
  effect: Effect.gen(function* () {
    const store = yield* GrantStore
    const journals = yield* Journals

    const record = (writer: WriteContext, kind: string, grant: Grant) =>
      journals.record({
        ...writer,
        kind,
        subject: { type: "grant", id: String(grant.number) },
        content: grant
      })

    /** Records a grant that was given. */
    const recordGiven = (writer: WriteContext, grant: Grant): Effect.Effect<void, StoreError> =>
      Effect.asVoid(record(writer, "grant_given", grant))

    /** Ends a grant, which the caller has locked. */
    const end = (writer: WriteContext, grant: Grant): Effect.Effect<Grant, StoreError> =>
      Effect.gen(function* () {
        const over: Grant = ended(grant, writer.at)
        yield* store.end(over)
        yield* record(writer, "grant_ended", over)
        return over
      })

    /** Ends every grant of a subject, which leaves the org or is deleted. */
    const endAll = (writer: WriteContext, subject: GrantSubject): Effect.Effect<void, StoreError> =>
      Effect.gen(function* () {
        for (const grant of yield* store.listOpen(writer.org, subject)) yield* end(writer, grant)
      })

    return { recordGiven, end, endAll } as const
  })
}) {}
