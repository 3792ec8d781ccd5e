/** When keys were used reaches the database in batches, and at the latest when the store closes. */
import { CredentialStore } from "@attestry/core/CredentialStore"
import * as Fixture from "@attestry/core/testing/Fixture"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

it.live("writes nothing at each use, and the latest when the store closes", () =>
  Effect.gen(function* () {
    const { url, query } = yield* PgLayer.TestDatabase
    const stored = (id: string) =>
      Effect.map(
        query("select last_used_at::float8 as at from api_key where key_id = $1", [id]),
        ([row]) => row?.at
      )
    const key = yield* Effect.gen(function* () {
      const store = yield* CredentialStore
      const made = yield* Fixture.newKey(Fixture.userOwner(yield* Fixture.user))
      yield* store.insertKey(made)
      for (let use = 0; use < 100; use++) yield* store.markKeyUsed(made.id, Fixture.AT)
      yield* store.markKeyUsed(made.id, Fixture.LATER)
      assert.strictEqual(yield* stored(made.id), null)
      return made
    }).pipe(Effect.provide(PgLayer.layerOn({ url })))
    assert.strictEqual(yield* stored(key.id), Fixture.LATER)
    yield* Effect.gen(function* () {
      const store = yield* CredentialStore
      yield* store.markKeyUsed(key.id, Fixture.AT)
    }).pipe(Effect.provide(PgLayer.layerOn({ url })))
    assert.strictEqual(yield* stored(key.id), Fixture.LATER)
  }).pipe(Effect.provide(PgLayer.layerDatabase))
)
