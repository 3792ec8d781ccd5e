/** How connections are shared between orgs. */
import { OrgId } from "@attestry/core/Identifier"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as ConnectionShares from "../../src/internal/shared/ConnectionShares.js"

const [noisy, quiet, third] = ["noisy", "quiet", "third"].map((name) => OrgId.make(name))
type Org = OrgId

const limits = { max: 4, perOrg: 3, waitMillis: 5_000 }

/** Requests that hold a share until they are ended, and the order in which they got it. */
const requests = (shares: ConnectionShares.Shares) => {
  const granted: Array<string> = []
  const start = (org: Org | undefined, name: string) =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(
        Effect.scoped(
          Effect.gen(function* () {
            if (org !== undefined) yield* shares.take(org)
            granted.push(name)
            yield* Deferred.await(end)
          })
        )
      )
      yield* Effect.yieldNow()
      yield* Effect.yieldNow()
      return {
        fiber,
        end: Effect.zipRight(Deferred.succeed(end, undefined), Fiber.await(fiber))
      }
    })
  return { granted, start }
}

describe("ConnectionShares", () => {
  it.live("limits one org, and leaves connections to others", () =>
    Effect.gen(function* () {
      const { granted, start } = requests(ConnectionShares.make(limits))
      const first = yield* start(noisy, "noisy-1")
      for (const name of ["noisy-2", "noisy-3", "noisy-4"]) yield* start(noisy, name)
      yield* start(quiet, "quiet-1")
      assert.deepStrictEqual(granted, ["noisy-1", "noisy-2", "noisy-3", "quiet-1"])
      yield* first.end
      yield* Effect.yieldNow()
      assert.deepStrictEqual(granted.slice(4), ["noisy-4"])
    })
  )

  it.live("gives a free connection to the waiting org that holds the fewest", () =>
    Effect.gen(function* () {
      const { granted, start } = requests(ConnectionShares.make(limits))
      const held = [
        yield* start(noisy, "noisy-1"),
        yield* start(noisy, "noisy-2"),
        yield* start(quiet, "quiet-1"),
        yield* start(quiet, "quiet-2")
      ]
      yield* start(noisy, "noisy-3")
      yield* start(quiet, "quiet-3")
      yield* start(third, "third-1")
      assert.strictEqual(granted.length, 4)
      for (const request of held) yield* request.end
      yield* Effect.yieldNow()
      assert.deepStrictEqual(granted.slice(4), ["third-1", "noisy-3", "quiet-3"])
    })
  )

  it.live("takes nothing for a request that is interrupted while it waits", () =>
    Effect.gen(function* () {
      const { granted, start } = requests(ConnectionShares.make({ ...limits, max: 1, perOrg: 1 }))
      const first = yield* start(noisy, "noisy-1")
      const second = yield* start(noisy, "noisy-2")
      yield* start(quiet, "quiet-1")
      yield* Fiber.interrupt(second.fiber)
      yield* first.end
      yield* Effect.yieldNow()
      assert.deepStrictEqual(granted, ["noisy-1", "quiet-1"])
    })
  )

  it.live("gives back what is granted in the moment of an interruption", () =>
    Effect.gen(function* () {
      const { granted, start } = requests(ConnectionShares.make({ ...limits, max: 1, perOrg: 1 }))
      const first = yield* start(noisy, "noisy-1")
      const second = yield* start(noisy, "noisy-2")
      yield* Effect.all([first.end, Fiber.interrupt(second.fiber)], { concurrency: "unbounded" })
      yield* start(quiet, "quiet-1")
      assert.strictEqual(granted.at(-1), "quiet-1")
    })
  )

  it.live("fails a request that has waited too long", () =>
    Effect.gen(function* () {
      const shares = ConnectionShares.make({ max: 1, perOrg: 1, waitMillis: 20 })
      yield* requests(shares).start(noisy, "noisy-1")
      const failed = yield* Effect.flip(Effect.scoped(shares.take(OrgId.make("quiet"))))
      assert.strictEqual(String(failed.cause), "Error: no connection became free within 20 ms")
    })
  )

  it("leaves one connection for other work, and half of the rest for other orgs", () => {
    assert.deepStrictEqual(ConnectionShares.limitsOf(10), { max: 9, perOrg: 5 })
    assert.deepStrictEqual(ConnectionShares.limitsOf(2), { max: 1, perOrg: 1 })
    assert.deepStrictEqual(ConnectionShares.limitsOf(1), { max: 1, perOrg: 1 })
  })
})
