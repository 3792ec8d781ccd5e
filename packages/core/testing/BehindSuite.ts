/**
 * Changes of policies that are attached to very many environments, on any store: environments are behind until they are
 * read, reported or reached in the background, and then have the verdicts that marks would have given them (G-15).
 */
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Environments } from "@attestry/core/Environments"
import { EnvironmentName } from "@attestry/core/Identifier"
import * as PendingWorker from "@attestry/core/PendingWorker"
import { MarkedConsumersMax, PolicyStore } from "@attestry/core/PolicyStore"
import type { Ports } from "@attestry/core/Ports"
import { Reports } from "@attestry/core/Reports"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "./Fixture.js"
import * as HistoryFixture from "./HistoryFixture.js"
import {
  allAre,
  as,
  BASE,
  GROUP,
  judged,
  many,
  marked,
  STRICT,
  save,
  services,
  work
} from "./internal/BehindFixture.js"
import { live, step } from "./internal/BehindLaw.js"
import * as ReportFixture from "./ReportFixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "./Suite.js"

/** A store on which a policy of any environment is one of very many. */
const wide = <E>(ports: Layer.Layer<Ports, E>): Layer.Layer<Ports, E> =>
  Layer.provide(ports, Layer.succeed(MarkedConsumersMax, 0))

const limits = (it: SuiteIt) => {
  it.effect("evaluates the consumers with the change up to the limit, and of more none", () =>
    Effect.gen(function* () {
      const narrow = yield* many(2)
      yield* as(narrow.org)(save(narrow.org, 1))
      assert.deepStrictEqual(yield* judged(narrow.org), allAre(2, [2, 2]))
      assert.deepStrictEqual(yield* as(narrow.org)(marked(narrow.org)), [])
      const { names, org } = yield* many(3)
      yield* as(org)(save(org, 1))
      assert.deepStrictEqual(yield* judged(org), allAre(3, [1, 1]))
      assert.deepStrictEqual(yield* as(org)(marked(org)), names)
    }).pipe(Effect.provide(services))
  )

  it.effect("evaluates one that is read or reported alone, and the others in the background", () =>
    Effect.gen(function* () {
      const { names, org } = yield* many(4)
      const [first = GROUP, second = GROUP, ...others] = names
      const environments = yield* Environments
      yield* Effect.gen(function* () {
        yield* save(org, 1)
        const view = yield* environments.get(org.name, first)
        assert.isUndefined(view.environment.verdict_pending)
        assert.strictEqual(view.environment.verdict, "NonCompliant")
        const said = ReportFixture.submitted("server", "one", [
          { name: "a", fingerprint: "a".repeat(64) }
        ])
        assert.strictEqual(yield* (yield* Reports).accept(org.name, second, said), "changed")
        assert.deepStrictEqual(yield* marked(org), others)
        yield* work
        assert.deepStrictEqual(yield* marked(org), [])
        assert.deepStrictEqual(yield* judged(org), allAre(4, [2, 2]))
        yield* work
        assert.deepStrictEqual(yield* judged(org), allAre(4, [2, 2]))
        // A new consumer is not behind the change of before.
        yield* environments.put(org.name, {
          name: EnvironmentName.make("new"),
          type: "server",
          policies: [BASE ?? ""]
        })
        assert.deepStrictEqual(yield* marked(org), [])
      }).pipe(as(org))
    }).pipe(Effect.provide(services))
  )

  it.effect("neither an archived environment nor one of another policy or org is behind", () =>
    Effect.gen(function* () {
      const [{ names, org }, other] = [yield* many(4), yield* many(4)]
      const [first = GROUP, second = GROUP, ...others] = names
      const environments = yield* Environments
      yield* Effect.gen(function* () {
        yield* HistoryFixture.happen(org, { _tag: "Save", policy: 1, text: 0 }, 0)
        yield* environments.patch(org.name, first, { policies: [STRICT ?? ""] })
        yield* save(org, 1)
        yield* environments.archive(org.name, others[1] ?? GROUP)
        assert.deepStrictEqual(yield* marked(org), [second, others[0]])
      }).pipe(as(org))
      assert.deepStrictEqual(yield* as(other.org)(marked(other.org)), [])
    }).pipe(Effect.provide(services))
  )
}

const store = (it: SuiteIt) => {
  it.effect("lists what is behind by kind, by place and among some, and forgets what is done", () =>
    Effect.gen(function* () {
      const { org } = yield* many(3)
      const environments = yield* EnvironmentStore
      const all = (yield* environments.list(org.id)).map(({ id }) => id).sort()
      const [first, second, third] = all
      const list = (query: Partial<Parameters<typeof environments.listBehind>[1]>) =>
        Effect.map(
          environments.listBehind(org.id, { kind: "physical", limit: 9, ...query }),
          (refs) => refs.map(({ environment }) => environment)
        )
      const isKnown = Effect.map(environments.listBehindOrgs, (orgs) =>
        orgs.some(({ id, lateMillis }) => id === org.id && lateMillis >= 0)
      )
      assert.deepStrictEqual([yield* list({}), yield* isKnown], [[], false])
      // A change as a crash leaves it, without what follows.
      const { run } = yield* Transaction
      const policies = yield* PolicyStore
      const [policy] = yield* policies.list(org.id)
      const known = yield* Option.fromNullable(policy)
      const next = { ...known, version: 2, policy_yaml: `${known.policy_yaml}# two\n` }
      const made = yield* run(org.id, () => policies.update(next, Fixture.policyVersion(next)))
      assert.strictEqual(made, 0)
      assert.deepStrictEqual([yield* list({}), yield* isKnown], [all, true])
      assert.deepStrictEqual(yield* environments.listPending(org.id), [])
      assert.deepStrictEqual(yield* environments.listStale(org.id), new Set(all))
      assert.deepStrictEqual(yield* list({ kind: "logical" }), [])
      assert.deepStrictEqual(yield* list({ limit: 2 }), [first, second])
      assert.deepStrictEqual(yield* list({ after: first }), [second, third])
      assert.deepStrictEqual(yield* list({ among: [all[2] ?? all[0]!] }), [third])
      yield* environments.forgetChanges(org.id)
      assert.isTrue(yield* isKnown)
      for (const environment of all) {
        const ref = { org: org.id, environment }
        const locked = Option.getOrThrow(yield* run(org.id, () => environments.lock(ref)))
        assert.isTrue(locked.isPending)
        assert.isTrue(Option.isNone(locked.reportDigests))
        assert.isUndefined(locked.environment.verdict_pending)
      }
      assert.deepStrictEqual(yield* list({}), [])
      const pending = yield* environments.listPending(org.id)
      assert.deepStrictEqual(
        pending.map(({ ref }) => ref.environment),
        all
      )
      yield* environments.forgetChanges(org.id)
      assert.isFalse(yield* isKnown)
    }).pipe(Effect.provide(services))
  )
}

const background = (it: SuiteIt) => {
  it.effect(
    "each is evaluated once, whatever workers are killed midway and how many work at a time",
    () =>
      Effect.gen(function* () {
        const { org } = yield* many(40)
        yield* as(org)(save(org, 1))
        for (const pause of [3, 8, 20, 5, 40, 1]) {
          const workers = yield* Effect.all([Effect.fork(work), Effect.fork(work)])
          yield* Effect.sleep(pause)
          yield* Effect.forEach(workers, Fiber.interrupt, { discard: true })
        }
        yield* Effect.all([work, work, work], { concurrency: 3, discard: true })
        assert.deepStrictEqual(yield* judged(org), allAre(40, [2, 2]))
        assert.deepStrictEqual(yield* as(org)(marked(org)), [])
      }).pipe(Effect.provide(services)),
    60_000
  )

  it.effect("a turn takes a slice of each org", () =>
    Effect.gen(function* () {
      const orgs = [yield* many(40), yield* many(3)]
      for (const { org } of orgs) yield* as(org)(save(org, 1))
      const turn = yield* PendingWorker.makeBehindTurn
      yield* turn
      const left = yield* Effect.forEach(orgs, ({ org }) =>
        Effect.map(as(org)(marked(org)), (names) => names.length)
      )
      assert.deepStrictEqual(left, [24, 0])
    }).pipe(Effect.provide(services))
  )
}

/** States what happens to environments that are behind, on a store with a layer that reads `MarkedConsumersMax`. */
export const behindSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  {
    lives,
    model,
    ...options
  }: SuiteOptions & {
    readonly lives: number
    /** An empty store in memory, which marks environments. */
    readonly model: Layer.Layer<Ports>
  }
): void => {
  const few = Layer.provide(ports, Layer.succeed(MarkedConsumersMax, 2))
  suite(`environments behind, of three (${name})`, few, options, limits)
  suite(`environments behind (${name})`, wide(ports), options, (it) => {
    store(it)
    background(it)
    it.effect.prop(
      "G-15: each is judged with its next report, read or turn, as if the change had marked it",
      { steps: FastCheck.array(step, { minLength: 10, maxLength: 25, size: "max" }) },
      ({ steps }) => live(steps, model).pipe(Effect.provide(services)),
      { fastCheck: { numRuns: lives }, timeout: 600_000 }
    )
  })
}
