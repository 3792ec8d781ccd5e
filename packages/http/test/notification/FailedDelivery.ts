/** Makes deliveries fail for good, as a worker does after its last attempt. */
import { OutboxStore } from "@attestry/core/OutboxStore"
import { Effect } from "effect"

/** Gives every delivery up that is due, and returns how many. */
export const failEverything = Effect.gen(function* () {
  const outbox = yield* OutboxStore
  const claimed = yield* outbox.claim({ limit: 100, perQueue: 100, leaseMillis: 60_000 })
  const settled = yield* outbox.settle(
    claimed.map(({ org_id, id, token }) => ({
      org_id,
      id,
      token,
      outcome: { _tag: "Dead", error: "status 500" }
    }))
  )
  return settled.length
})
