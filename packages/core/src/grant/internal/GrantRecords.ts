/**
 * Ends grants, each with its journal entry, and tells what changes in the whole org. For use cases that have authorized
 * the caller, inside of their transactions.
 */
import * as Effect from "effect/Effect"
import { type AccessChangeNotice, AccessNotices } from "../../access/AccessNotices.js"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import { Journals } from "../../journal/Journals.js"
import type { StoreError } from "../../shared/StoreError.js"
import { rootOf } from "../../space/Space.js"
import { ended } from "../../space/ThingPlace.js"
import type { Grant, GrantSubject } from "../Grant.js"
import { GrantStore } from "../GrantStore.js"

/** Writes grants. */
export class GrantRecords extends Effect.Service<GrantRecords>()("@attestry/core/GrantRecords", {
  effect: Effect.gen(function* () {
    const store = yield* GrantStore
    const journals = yield* Journals
    const notices = yield* AccessNotices

    const record = (writer: WriteContext, kind: string, grant: Grant) =>
      journals.record({
        ...writer,
        kind,
        subject: { type: "grant", id: String(grant.number) },
        content: grant
      })

    /** Tells a change of a grant in the whole org; one in a space below it is not told. */
    const tell = (
      { actor, at, org }: WriteContext,
      { eligible, reason, role, space_id, subject }: Grant,
      changed: Pick<AccessChangeNotice, "change" | "previous_role">
    ) =>
      space_id === rootOf(org)
        ? notices.add(org, at, {
            _tag: "AccessChange",
            ...changed,
            by: actor.name,
            subject,
            role,
            eligible,
            settings: [],
            reason
          })
        : Effect.void

    /** Records a grant that was given, in place of one that the caller has replaced. */
    const recordGiven = (
      writer: WriteContext,
      grant: Grant,
      replaced?: Grant
    ): Effect.Effect<void, StoreError> =>
      Effect.zipRight(
        record(writer, "grant_given", grant),
        tell(writer, grant, { change: "grant-given", previous_role: replaced?.role ?? null })
      )

    /** Ends a grant, which the caller has locked and for which another is given. */
    const replace = (writer: WriteContext, grant: Grant): Effect.Effect<Grant, StoreError> =>
      Effect.gen(function* () {
        const over: Grant = ended(grant, writer.at)
        yield* store.end(over)
        yield* record(writer, "grant_ended", over)
        return over
      })

    /** Ends a grant, which the caller has locked. */
    const end = (writer: WriteContext, grant: Grant): Effect.Effect<Grant, StoreError> =>
      Effect.tap(replace(writer, grant), (over) =>
        tell(writer, over, { change: "grant-ended", previous_role: over.role })
      )

    /** Ends every grant of a subject, which leaves the org or is deleted. */
    const endAll = (writer: WriteContext, subject: GrantSubject): Effect.Effect<void, StoreError> =>
      Effect.gen(function* () {
        for (const grant of yield* store.listOpen(writer.org, subject)) yield* end(writer, grant)
      })

    return { recordGiven, replace, end, endAll } as const
  })
}) {}
