/** The year of the demo: the same for the same seed, in order, and accepted by the API as a whole. */
import * as WebHandler from "@attestry/http/WebHandler"
import { Effect, Option, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import * as Application from "../../src/internal/Application.js"
import * as Demo from "../../src/internal/demo/Demo.js"
import * as DemoClock from "../../src/internal/demo/DemoClock.js"
import { DAY } from "../../src/internal/demo/DemoRequest.js"
import * as DemoWorld from "../../src/internal/demo/DemoWorld.js"
import * as ServerConfig from "../../src/ServerConfig.js"
import * as ServerLayer from "../../src/ServerLayer.js"

const UNTIL = Date.parse("2026-06-01T12:00:00Z")
const world = (seed: number) => DemoWorld.requestsOf({ seed, until: UNTIL })

const config = ServerConfig.read({
  file: new Map(),
  flags: new Map(),
  variables: { ATTESTRY_WEB: "off", ATTESTRY_BOOTSTRAP_ORG: "demo" }
})

/** The environments of a demo world as the API describes them, by name. */
const played = (clock: DemoClock.DemoClock, seed: number) =>
  Effect.gen(function* () {
    const settings = Demo.configOf(yield* config)
    const dispatch = yield* Application.dispatch(settings, "http://attestry.test")
    const first = Option.getOrThrow(yield* Application.bootstrap(settings))
    yield* Demo.fill(dispatch, first, { clock, requests: world(seed), prefix: "/api/v2" })
    clock.stopAt(UNTIL)
    const handle = yield* WebHandler.make(dispatch)
    return (path: string) =>
      handle(
        new Request(`http://attestry.test/api/v2${path}`, {
          headers: { authorization: `Bearer ${Redacted.value(first.key)}` }
        })
      ).then((response) => response.json())
  })

describe("the world of the demo", () => {
  it("follows from its seed and its end", () => {
    assert.deepStrictEqual(world(1), world(1))
    assert.notDeepEqual(world(1), world(2))
  })

  it("is in the order of time, within a year", () => {
    for (const seed of [1, 2, 3]) {
      const times = world(seed).map(({ at }) => at)
      assert.deepStrictEqual(
        times,
        [...times].sort((left, right) => left - right)
      )
      assert.isAtLeast(times[0] ?? 0, UNTIL - 366 * DAY)
      assert.isAtMost(times.at(-1) ?? 0, UNTIL)
      assert.isAbove(times.length, 2_000)
    }
  })

  it("is accepted by the API, and ends with drift, silence and an environment without a policy", async () => {
    const clock = DemoClock.make()
    clock.stopAt(UNTIL - 366 * DAY)
    const settings = Demo.configOf(Effect.runSync(config))
    await Effect.gen(function* () {
      const get = yield* played(clock, DemoWorld.SEED)
      const environments: ReadonlyArray<{ name: string; state: boolean | null }> =
        yield* Effect.promise(() => get("/environments/demo"))
      const states = Object.fromEntries(environments.map(({ name, state }) => [name, state]))
      assert.deepInclude(states, { production: false, "production-eu": false, sandbox: null })
      const hosts = yield* Effect.promise(() => get("/environments/demo/ledger-hosts"))
      assert.isBelow(hosts.last_reported_at, (UNTIL - 3 * DAY) / 1000)
      const policy = yield* Effect.promise(() => get("/policies/demo/production-requirements"))
      assert.lengthOf(policy.versions, 3)
      const log = yield* Effect.promise(() => get("/log/demo"))
      assert.notInclude(["unsigned", "stopped"], log.state)
    }).pipe(
      Effect.scoped,
      Effect.provide(ServerLayer.layer(settings)),
      Effect.withClock(clock.clock),
      Effect.runPromise
    )
  }, 120_000)
})
