/** The contract of `DeniedAttemptStore`. */
import type { DeniedAttemptDraft } from "@attestry/core/DeniedAttempt"
import { DeniedAttemptStore } from "@attestry/core/DeniedAttemptStore"
import { ApiKeyId } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const newAttempt: Effect.Effect<DeniedAttemptDraft> = Effect.map(Fixture.freshId, (id) => ({
  actor: { kind: "user", id: `user-${id}`, name: "anna" },
  key_id: ApiKeyId.make(id),
  operation: "flow.put",
  org: `org-${id}`
}))

/** States the contract of `DeniedAttemptStore`. */
export const deniedAttemptStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`DeniedAttemptStore (${name})`, ports, options, (it) => {
    it.effect("stores one attempt for each actor, operation and minute", () =>
      Effect.gen(function* () {
        const store = yield* DeniedAttemptStore
        const attempt = yield* newAttempt
        const kept = yield* Effect.all(
          Array.from({ length: 8 }, () => store.insert(attempt)),
          { concurrency: "unbounded" }
        )
        const other = yield* store.insert({ ...attempt, operation: "flow.get" })
        assert.strictEqual(other, true)
        const found = yield* store.list({ org: attempt.org, limit: 100 })
        // A minute may have ended in between.
        const count = kept.filter((was) => was).length
        assert.include([1, 2], count)
        assert.strictEqual(found.length, count + 1)
        assert.deepStrictEqual(found.map(({ at: _at, ...draft }) => draft).at(-1), attempt)
      })
    )

    it.effect("keeps why a right key was not usable", () =>
      Effect.gen(function* () {
        const store = yield* DeniedAttemptStore
        const attempt = { ...(yield* newAttempt), reason: "network" } as const
        yield* store.insert(attempt)
        const found = yield* store.list({ org: attempt.org, limit: 1 })
        assert.deepStrictEqual(
          found.map(({ at: _at, ...draft }) => draft),
          [attempt]
        )
      })
    )

    it.effect("lists the newest first, of one org or of all, up to the limit", () =>
      Effect.gen(function* () {
        const store = yield* DeniedAttemptStore
        const [one, other] = [yield* newAttempt, yield* newAttempt]
        yield* store.insert(one)
        yield* store.insert(other)
        const [newest] = yield* store.list({ limit: 1 })
        assert.strictEqual(newest?.org, other.org)
        assert.deepStrictEqual(yield* store.list({ org: "nowhere", limit: 1 }), [])
        assert.strictEqual((yield* store.list({ org: one.org, limit: 1 })).length, 1)
      })
    )
  })
