/** Expired idempotency keys are deleted. */
import { IdempotencyStore } from "@attestry/core/IdempotencyStore"
import * as Fixture from "@attestry/core/testing/Fixture"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

const answered = (org: Parameters<typeof claimOf>[0], count: number, seconds: number) =>
  Effect.gen(function* () {
    const store = yield* IdempotencyStore
    for (let index = 0; index < count; index++) {
      const claim = yield* claimOf(org)
      yield* store.claim(claim)
      const response = Option.some({
        code: 200,
        mediaType: "text/plain",
        text: "OK",
        entries: null
      })
      assert.isTrue(yield* store.complete(claim, { response, seconds }))
    }
  })

const claimOf = (org: Effect.Effect.Success<typeof Fixture.org>["id"]) =>
  Effect.map(Fixture.freshId, (request) => ({
    org,
    request,
    token: request,
    content: "c",
    seconds: 60
  }))

const counted = Effect.gen(function* () {
  const database = yield* PgLayer.TestDatabase
  const rows = yield* database.query("select count(*)::int4 as count from attestry.idempotency")
  return rows[0]?.count
})

layer(PgLayer.layer, { excludeTestServices: true })("IdempotencyStoreSql", (it) => {
  it.effect("deletes expired keys of any org, a hundred at a time", () =>
    Effect.gen(function* () {
      const database = yield* PgLayer.TestDatabase
      const [silent, busy] = [(yield* Fixture.org).id, (yield* Fixture.org).id]
      yield* answered(silent, 130, 3600)
      assert.strictEqual(yield* counted, 130)
      yield* database.query("update attestry.idempotency set ends_at = 0")
      yield* answered(busy, 1, 3600)
      assert.strictEqual(yield* counted, 31)
      yield* answered(busy, 1, 3600)
      assert.strictEqual(yield* counted, 2)
    })
  )
})
