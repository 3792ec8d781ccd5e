/** The cached rows of a snapshot are those that PostgreSQL has. */
import { ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { EnvironmentId, OrgId } from "@attestry/core/Identifier"
import { keyOf } from "@attestry/core/RunningRow"
import type { SnapshotRow } from "@attestry/core/Snapshot"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import { fromMicros } from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as Generated from "@attestry/core/testing/Snapshot"
import { assert, describe, it, layer } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, FastCheck } from "effect"
import * as LockedEnvironment from "../../src/internal/environment/LockedEnvironment.js"
import * as SnapshotRowCache from "../../src/internal/snapshot/SnapshotRowCache.js"
import * as PgLayer from "../shared/PgLayer.js"

const [history = []] = FastCheck.sample(Generated.snapshotHistory(60), { numRuns: 1, seed: 11 })
const some = history.find(({ running }) => running.length >= 3)?.running.slice(0, 3) ?? []

const known = (environment: string, rows: ReadonlyArray<SnapshotRow>, at = 1) => ({
  environment,
  timestamp: fromMicros(at),
  rows
})

describe("SnapshotRowCache", () => {
  it("gives the snapshot that was set last, by id and by name", () => {
    const cache = SnapshotRowCache.make()
    const environment = EnvironmentId.make("a")
    const org = OrgId.make("org")
    cache.set(known("a", some))
    cache.set(known("a", [], 2))
    cache.setName({ org, environment }, "prod")
    assert.deepStrictEqual(cache.get(org, { id: "a" }), known("a", [], 2))
    assert.deepStrictEqual(cache.get(org, { name: "prod" }), known("a", [], 2))
    assert.strictEqual(cache.get("another", { name: "prod" }), undefined)
    assert.strictEqual(cache.get(org, { id: "prod" }), undefined)
  })

  it("evicts the oldest when there are too many rows", () => {
    const cache = SnapshotRowCache.make(6)
    for (const id of ["a", "b", "a", "c"]) cache.set(known(id, some))
    assert.deepStrictEqual(
      ["a", "b", "c"].map((id) => cache.get("org", { id }) !== undefined),
      [true, false, true]
    )
    cache.set(known("d", [...some, ...some, ...some]))
    assert.deepStrictEqual(
      ["a", "c", "d"].map((id) => cache.get("org", { id })),
      [undefined, undefined, undefined]
    )
  })
})

const inOrder = (rows: ReadonlyArray<SnapshotRow>) =>
  [...rows].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))

layer(PgLayer.layer, { excludeTestServices: true })("SnapshotRowCache (PostgreSQL)", (it) => {
  it.effect(
    "answers what was appended, by this process or another, and nothing that was undone",
    () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const environments = yield* EnvironmentStore
        const store = yield* SnapshotStore
        const made = yield* Fixture.environment(yield* Fixture.org)
        const environment = ref(made)
        const { org } = environment
        const lock = environments.lock({ org, name: made.name })
        for (const [step, { draft: changed, running }] of history.entries()) {
          const draft = { ...changed, running }
          const append = Effect.zipRight(
            Effect.zipRight(lock, store.running(environment)),
            store.append(environment, draft)
          )
          if (step % 5 === 3) {
            yield* Effect.flip(run(org, () => Effect.zipRight(append, Effect.fail("undone"))))
            yield* run(org, () =>
              Effect.ignore(run(org, () => Effect.zipRight(append, Effect.fail("undone"))))
            )
          }
          // WHY: without the lock nothing is cached, as when another process appends.
          yield* step % 7 === 5 ? store.append(environment, draft) : run(org, () => append)
          const found = yield* run(org, () => Effect.zipRight(lock, store.running(environment)))
          deepStrictEqual(inOrder(found), inOrder(running))
          deepStrictEqual(inOrder(yield* store.running(environment)), inOrder(running))
        }
      })
  )

  it.effect("leaves the rows of a cached snapshot out of the lock", () =>
    Effect.gen(function* () {
      const { run } = yield* Transaction
      const environments = yield* EnvironmentStore
      const store = yield* SnapshotStore
      const made = yield* Fixture.environment(yield* Fixture.org)
      const environment = ref(made)
      const { org } = environment
      const lock = environments.lock({ org, name: made.name })
      const [first] = history.filter(({ running }) => running.length > 0)
      if (first === undefined) return yield* Effect.dieMessage("no snapshot")
      yield* store.append(environment, {
        ...first.draft,
        index: 1,
        ended: [],
        begun: first.running,
        events: []
      })
      const readRows = run(org, () =>
        Effect.gen(function* () {
          yield* lock
          const locked = yield* LockedEnvironment.getSnapshot(environment)
          yield* store.running(environment)
          return locked?.rows?.length
        })
      )
      assert.strictEqual(yield* readRows, first.running.length)
      assert.strictEqual(yield* readRows, undefined)
    })
  )
})
