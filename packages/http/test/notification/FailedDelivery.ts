/** Ends deliveries as a worker does: they fail for good after the last attempt, or arrive. */
import type { DeliveryOutcome } from "@attestry/core/Delivery"
import { OutboxStore } from "@attestry/core/OutboxStore"
import { Effect } from "effect"

const endEverything = (outcome: DeliveryOutcome) =>
  Effect.gen(function* () {
    const outbox = yield* OutboxStore
    const claimed = yield* outbox.claim({ limit: 100, perQueue: 100, leaseMillis: 60_000 })
    const settled = yield* outbox.settle(
      claimed.map(({ org_id, id, token }) => ({ org_id, id, token, outcome }))
    )
    return settled.length
  })

/** Gives every delivery up that is due, and returns how many. */
export const failEverything = endEverything({ _tag: "Dead", error: "status 500" })

/** Delivers everything that is due, and returns how many. */
export const succeedEverything = endEverything({ _tag: "Delivered" })
