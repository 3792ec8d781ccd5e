/**
 * Lists, replays and deletes dead letters, for administrators of the deployment.
 *
 * Like deliveries themselves, the deletion is not journalled.
 */
import * as Effect from "effect/Effect"
import type { JournalActor } from "../journal/JournalEntry.js"
import { Journals } from "../journal/Journals.js"
import type { DeliveryId, OrgId } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import { Transaction } from "../shared/Transaction.js"
import type { Audience } from "./Audience.js"
import { OutboxStore } from "./OutboxStore.js"

/** The dead letters to replay, and the actor. */
export interface ReplayRequest {
  readonly org: OrgId
  readonly ids: ReadonlyArray<DeliveryId> | "all"
  readonly by: JournalActor
  /** Only those for one of these audiences; absent for all. */
  readonly audiences?: ReadonlyArray<Audience>
}

/** The most dead letters that one transaction deletes. */
export const PRUNED_AT_ONCE = 1_000

/** Use cases of dead letters. */
export class DeadLetters extends Effect.Service<DeadLetters>()("@attestry/core/DeadLetters", {
  effect: Effect.gen(function* () {
    const outbox = yield* OutboxStore
    const transaction = yield* Transaction
    const journals = yield* Journals

    /** One page of an org's dead letters, newest failure first. */
    const list = Effect.fn("DeadLetters.list")((org: OrgId, page: Page) =>
      Effect.map(outbox.listDead(org, page), ({ items }) => items)
    )

    /** Makes dead letters due again under their ids; returns the ids of those that were dead letters. */
    const replay = Effect.fn("DeadLetters.replay")(({ audiences, by, ids, org }: ReplayRequest) =>
      transaction.run(org, (scope) =>
        Effect.flatMap(scope.now, (now) =>
          Effect.tap(outbox.replay(org, ids, audiences), (replayed) =>
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

    /** Deletes dead letters that failed longer ago than this, in small transactions; returns their number. */
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
