/** Deliveries for the suites of the outbox: waiting, claimed, settled. */
import type {
  ClaimedDelivery,
  Delivery,
  DeliveryKey,
  DeliveryOutcome
} from "@attestry/core/Delivery"
import type { EnvironmentNotification } from "@attestry/core/EnvironmentNotification"
import type { Org } from "@attestry/core/Org"
import { type ClaimRequest, OutboxStore } from "@attestry/core/OutboxStore"
import type { Ports } from "@attestry/core/Ports"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Fixture from "../Fixture.js"
import * as NotificationFixture from "../NotificationFixture.js"

/** One page for all rows of a test. */
export const ALL_PAGE = { page: 1, perPage: 100 }

/** Everything that is due, for ten minutes. */
export const ALL: ClaimRequest = { limit: 1_000, perQueue: 1_000, leaseMillis: 600_000 }

/** The outcome of an accepted delivery. */
export const DELIVERED: DeliveryOutcome = { _tag: "Delivered" }

/** Settles all claimed deliveries alike. */
export const settled = (
  outcome: DeliveryOutcome,
  ...claimed: ReadonlyArray<ClaimedDelivery>
): Effect.Effect<ReadonlyArray<DeliveryKey>, StoreError, OutboxStore> =>
  Effect.flatMap(OutboxStore, (store) =>
    store.settle(claimed.map(({ org_id, id, token }) => ({ org_id, id, token, outcome })))
  )

/** Delivers all that is due. WHY: claims span orgs, and would return deliveries of other tests. */
export const drained: Effect.Effect<void, unknown, OutboxStore> = Effect.gen(function* () {
  const claimed = yield* (yield* OutboxStore).claim(ALL)
  if (claimed.length === 0) return
  yield* settled(DELIVERED, ...claimed)
  yield* drained
})

/** An org with a subscription, and the deliveries of its targets. */
export interface Waiting {
  readonly org: Org
  readonly subscription: EnvironmentNotification
  readonly deliveries: ReadonlyArray<Delivery>
}

/** An org with a subscription, and that many deliveries for each of its targets. */
export const waiting = (
  targets: number,
  perTarget: number
): Effect.Effect<Waiting, unknown, Ports> =>
  Effect.gen(function* () {
    yield* drained
    const store = yield* OutboxStore
    const org = yield* Fixture.org
    const subscription = yield* NotificationFixture.subscription(org, targets)
    const deliveries = yield* Effect.forEach(subscription.targets, (target) =>
      Effect.replicateEffect(NotificationFixture.newDelivery(org, target), perTarget)
    )
    const flat = deliveries.flat()
    yield* store.append(flat)
    return { org, subscription, deliveries: flat }
  })

/** Ids in their order. */
export const idsOf = (deliveries: ReadonlyArray<{ readonly id: string }>) =>
  deliveries.map(({ id }) => id).sort()

/** The only element. */
export const one = <A>([first]: ReadonlyArray<A>): A => {
  if (first === undefined) throw new Error("nothing was there")
  return first
}
