/** A damaged delivery delays no other. */
import { OutboxStore } from "@attestry/core/OutboxStore"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as NotificationFixture from "@attestry/core/testing/NotificationFixture"
import { assert, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import * as PgLayer from "./shared/PgLayer.js"

const CLAIM = { limit: 100, perQueue: 10, leaseMillis: 60_000 }

it.layer(PgLayer.layer)("a damaged delivery", (it) => {
  it.effect("becomes a dead letter, and the deliveries claimed with it are returned", () =>
    Effect.gen(function* () {
      const outbox = yield* OutboxStore
      const { query } = yield* PgLayer.TestDatabase
      const org = yield* Fixture.org
      const { targets } = yield* NotificationFixture.subscription(org, 3)
      const deliveries = yield* Effect.forEach(targets, (target) =>
        NotificationFixture.newDelivery(org, target)
      )
      yield* outbox.append(deliveries)
      const [first, second, third] = deliveries.map(({ id }) => id)
      yield* query(
        `update attestry.outbox set notification = '{"type":"?"}' where delivery_id = $1`,
        [second]
      )
      const claimed = yield* outbox.claim(CLAIM)
      assert.deepStrictEqual(
        claimed.map(({ id }) => id),
        [first, third]
      )
      const rows = yield* query(
        `select delivery_id, error from attestry.outbox where dead_at is not null`
      )
      assert.deepStrictEqual(rows, [
        { delivery_id: second, error: "the stored delivery is damaged" }
      ])
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
  )
})
