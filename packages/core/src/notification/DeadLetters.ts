/**
 * Shows deliveries that were given up, has them sent again, and forgets them in the end.
 *
 * For administrators of the deployment. Like the sending itself, forgetting is not journaled.
 */
import * as Effect from "effect/Effect"
import type { JournalActor } from "../journal/JournalEntry.js"
import { Journals } from "../journal/Journals.js"
import type { DeliveryId, OrgId } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import { Transaction } from "../shared/Transaction.js"
import { OutboxStore } from "./OutboxStore.js"

/** Which dead letters are to be sent again, and who wants it. */
export interface ReplayRequest {
  readonly org: OrgId
  readonly ids: ReadonlyArray<DeliveryId> | "all"
  readonly by: JournalActor
}

/** Dead letters that are removed in one transaction. */
export const PRUNED_AT_ONCE = 1_000

/** Use cases of dead letters. */
export class DeadLetters extends Effect.Service<DeadLetters>()("@attestry/core/DeadLetters", {
  effect: Effect.gen(function* () {
    const outbox = yield* OutboxStore
    const transaction = yield* Transaction
    const journals = yield* Journals

    /** One page of an org's dead letters, newest failure first. */
    const list = Effect.fn("DeadLetters.list")((org: OrgId, page: Page) =>
      outbox.listDead(org, page)
    )

    /** Makes dead letters due again, under their ids; answers those that were dead letters. */
    const replay = Effect.fn("DeadLetters.replay")(({ org, ids, by }: ReplayRequest) =>
      transaction.run(org, (scope) =>
        Effect.flatMap(scope.now, (now) =>
          Effect.tap(outbox.replay(org, ids), (replayed) =>
            replayed.length === 0
              ? Effect.void
              : journals.record({
                  org,
                  kind: "deliveries_replayed",
                  subject: { type: "outbox", id: org },
                  actor: by,
                  at: now,
                  content: { deliveries: replayed }
                })
          )
        )
      )
    )

    /** Forgets what failed longer ago than this, in small transactions; answers how many it were. */
    const prune = Effect.fn("DeadLetters.prune")((olderThanMillis: number) =>
      Effect.iterate(
        { pruned: 0, last: PRUNED_AT_ONCE },
        {
          while: ({ last }) => last === PRUNED_AT_ONCE,
          body: ({ pruned }) =>
            Effect.map(outbox.prune({ olderThanMillis, limit: PRUNED_AT_ONCE }), (last) => ({
              pruned: pruned + last,
              last
            }))
        }
      ).pipe(Effect.map(({ pruned }) => pruned))
    )

    return { list, replay, prune } as const
  })
}) {}
