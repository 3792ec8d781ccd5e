/** How many backtests run at a time: two of an org, and as many of all orgs as the host says. */
import { CurrentActor } from "@attestry/core/Actor"
import type { Org } from "@attestry/core/Org"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { Backtests, TooManyBacktests } from "@attestry/policy-lab/Backtests"
import { BacktestsAtOnce } from "@attestry/policy-lab/BacktestsAtOnce"
import * as PolicyLab from "@attestry/policy-lab/PolicyLab"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope, Stream, TestClock } from "effect"
import * as MemoryStore from "../../src/MemoryStore.js"

const layer = (atOnce: number) =>
  PolicyLab.layer.pipe(
    Layer.provideMerge(UseCases.layer),
    Layer.provide(Layer.succeed(BacktestsAtOnce, atOnce)),
    Layer.provideMerge(MemoryStore.layer),
    Layer.provide(SecretsWebCrypto.layer)
  )

const REQUEST = {
  candidate: { policy_yaml: "_schema: https://example.org/policy/v1\nartifacts: {}\n" },
  evidence: "judged",
  verify: true,
  limit: 10
} as const

/** Begins a backtest that has given its first line; the answer closes it. */
const begin = (org: Org) =>
  Effect.gen(function* () {
    const lines = yield* (yield* Backtests).run(org.name, REQUEST)
    const scope = yield* Scope.make()
    const pull = yield* Scope.extend(Stream.toPull(lines), scope)
    yield* pull
    return Scope.close(scope, Exit.void)
  }).pipe(Effect.provideService(CurrentActor, Fixture.actor([org, "reader"])))

/** Why no backtest can begin; undefined where one does. */
const refusal = (org: Org) =>
  begin(org).pipe(
    Effect.as(undefined),
    Effect.catchTag("TooManyBacktests", (refused) => Effect.succeed(refused))
  )

it.effect("runs two of an org at a time, and the next when one has ended", () =>
  Effect.gen(function* () {
    const [one, other] = [yield* Fixture.org, yield* Fixture.org]
    const close = yield* begin(one)
    yield* begin(one)
    const refused = yield* refusal(one)
    assert.strictEqual(
      refused?.message,
      "2 backtests of this org are running: wait until one has ended"
    )
    yield* begin(other)
    yield* close
    yield* begin(one)
  }).pipe(Effect.provide(layer(4)))
)

it.effect("runs as many of all orgs as the host allows", () =>
  Effect.gen(function* () {
    const [one, other] = [yield* Fixture.org, yield* Fixture.org]
    const close = yield* begin(one)
    const refused = yield* refusal(other)
    assert.strictEqual(
      refused?.message,
      "1 backtests on this server are running: wait until one has ended"
    )
    yield* close
    yield* begin(other)
  }).pipe(Effect.provide(layer(1)))
)

it.effect("runs none if the host allows 0", () =>
  Effect.gen(function* () {
    const refused = yield* refusal(yield* Fixture.org)
    assert.instanceOf(refused, TooManyBacktests)
  }).pipe(Effect.provide(layer(0)))
)

it.effect("counts a backtest from its plan on, and no longer where its stream is never read", () =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    const backtests = yield* Backtests
    const plan = backtests
      .run(org.name, REQUEST)
      .pipe(Effect.provideService(CurrentActor, Fixture.actor([org, "reader"])))
    yield* plan
    assert.instanceOf(yield* refusal(org), TooManyBacktests)
    yield* TestClock.adjust("30 seconds")
    assert.instanceOf(yield* refusal(org), TooManyBacktests)
    yield* TestClock.adjust("1 millis")
    assert.isUndefined(yield* refusal(org))
  }).pipe(Effect.provide(layer(1)))
)

it.effect("gives the place of a request that is none back", () =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    const candidate = { policy_yaml: "artifacts: 1" }
    const asked = (yield* Backtests)
      .run(org.name, { ...REQUEST, candidate })
      .pipe(Effect.provideService(CurrentActor, Fixture.actor([org, "reader"])), Effect.flip)
    for (const _ of [1, 2, 3]) assert.strictEqual((yield* asked)._tag, "InvalidPolicyDocument")
    assert.isUndefined(yield* refusal(org))
  }).pipe(Effect.provide(layer(1)))
)
