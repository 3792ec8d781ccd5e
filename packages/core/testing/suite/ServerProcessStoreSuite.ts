/** The contract of `ServerProcessStore`. */
import type { Ports } from "@attestry/core/Ports"
import type { ServerProcessDraft } from "@attestry/core/ServerProcess"
import { ServerProcessStore } from "@attestry/core/ServerProcessStore"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const HOUR = 3_600_000

/** Two processes; the id of the second sorts behind that of the first. */
const pair: Effect.Effect<readonly [ServerProcessDraft, ServerProcessDraft]> = Effect.map(
  Fixture.freshId,
  (id) => [
    { id: `${id} a`, release: "1.4.0", role: "writer", forms: { decisions: 1 } },
    { id: `${id} b`, release: "1.5.0", role: "reader", forms: {} }
  ]
)

/** States the contract of `ServerProcessStore`. */
export const serverProcessStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`ServerProcessStore (${name})`, ports, options, (it) => {
    const drafts = (withinMillis: number) =>
      Effect.map(
        Effect.flatMap(ServerProcessStore, (store) => store.list(withinMillis)),
        (found) => found.map(({ started_at: _started, seen_at: _seen, ...draft }) => draft)
      )

    it.effect("lists processes as they were written, in the order of their starts", () =>
      Effect.gen(function* () {
        const store = yield* ServerProcessStore
        const [first, second] = yield* pair
        yield* store.put(first, 0)
        yield* store.put(second, HOUR)
        assert.deepStrictEqual(yield* drafts(HOUR), [first, second])
        assert.deepStrictEqual(yield* drafts(0), [])
      })
    )

    it.effect("keeps when a process started, and takes what it is now", () =>
      Effect.gen(function* () {
        const store = yield* ServerProcessStore
        const [first] = yield* pair
        yield* store.put(first, 0)
        const [before] = yield* store.list(HOUR)
        const changed = { ...first, role: "reader", forms: { decisions: 2 } } as const
        yield* store.put(changed, HOUR)
        const [after, ...others] = yield* store.list(HOUR)
        assert.deepStrictEqual(others, [])
        assert.deepInclude(after, changed)
        assert.strictEqual(after?.started_at, before?.started_at)
        assert.isAtLeast(Number(after?.seen_at), Number(before?.seen_at))
      })
    )

    it.effect("forgets a process that ends, and with each write those not seen for so long", () =>
      Effect.gen(function* () {
        const store = yield* ServerProcessStore
        const [first, second] = yield* pair
        yield* store.put(first, 0)
        yield* store.put(second, HOUR)
        yield* store.remove(first.id)
        yield* store.remove(first.id)
        assert.deepStrictEqual(yield* drafts(HOUR), [second])
        yield* store.put(first, 0)
        assert.deepStrictEqual(yield* drafts(HOUR), [first])
      })
    )

    it.effect("lets processes write at the same time", () =>
      Effect.gen(function* () {
        const store = yield* ServerProcessStore
        const [first, second] = yield* pair
        yield* store.put(first, 0)
        yield* Effect.forEach(
          Array.from({ length: 16 }, (_, at) => (at % 2 === 0 ? first : second)),
          (process) => store.put(process, HOUR),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(yield* drafts(HOUR), [first, second])
      })
    )
  })
