/**
 * Runs a write to its end and undoes it: everything is checked, and nothing is stored. DECISIONS.md, "A dry run is a
 * write that is rolled back"
 *
 * The transactions of the write join one that is rolled back, so that its failures are those of the real write.
 */
import * as Effect from "effect/Effect"
import type { OrgName } from "../shared/Identifier.js"
import { DryRun } from "../shared/internal/DryRun.js"
import type { StoreError } from "../shared/StoreError.js"
import { Transaction } from "../shared/Transaction.js"
import * as Access from "./Access.js"
import { CurrentActor } from "./Actor.js"

/** The value of a write; a transaction that fails with it is rolled back. */
class Undone<A> {
  constructor(readonly value: A) {}
}

/** Use case of dry runs. */
export class DryRuns extends Effect.Service<DryRuns>()("@attestry/core/DryRuns", {
  effect: Effect.map(Transaction, (transaction) => {
    /** Runs a write in an org without storing anything; its value or failure is that of the write. */
    const run = <A, E, R>(
      org: OrgName,
      write: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | Access.AccessDenied | StoreError, R | CurrentActor> =>
      Effect.gen(function* () {
        const { orgId } = yield* Access.authorizeMember(yield* CurrentActor, org)
        const undone = transaction.run(orgId, () =>
          Effect.flatMap(Effect.provideService(write, DryRun, true), (value) =>
            Effect.fail(new Undone(value))
          )
        )
        return yield* Effect.catchIf(
          undone,
          (failure): failure is Undone<A> => failure instanceof Undone,
          ({ value }) => Effect.succeed(value)
        )
      })
    return { run } as const
  })
}) {}
