/**
 * Changes of policies that are attached to very many environments, on any store: environments are behind until they are
 * read, reported or reached in the background, and then have the verdicts that marks would have given them (G-15).
 */
import { CurrentActor } from "@attestry/core/Actor"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Environments } from "@attestry/core/Environments"
import { Flows } from "@attestry/core/Flows"
import { EnvironmentName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import * as PendingWorker from "@attestry/core/PendingWorker"
import { PolicyAttachments } from "@attestry/core/PolicyAttachments"
import { MarkedConsumersMax, PolicyStore } from "@attestry/core/PolicyStore"
import type { Ports } from "@attestry/core/Ports"
import { RecordVerification } from "@attestry/core/RecordVerification"
import { Reports } from "@attestry/core/Reports"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import { Snapshots } from "@attestry/core/Snapshots"
import * as TableFinding from "@attestry/core/TableFinding"
import { Transaction } from "@attestry/core/Transaction"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { BehindModel } from "./BehindModel.js"
import * as Fixture from "./Fixture.js"
import * as HistoryFixture from "./HistoryFixture.js"
import * as ReportFixture from "./ReportFixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "./Suite.js"
import * as AsOfLaws from "./suite/AsOfLaws.js"
import * as VisibilityLaws from "./VisibilityLaws.js"

const services = UseCases.layer.pipe(Layer.provide(SecretsWebCrypto.layer))

const GROUP = EnvironmentName.make("group")
const NAMES = [...HistoryFixture.ENVIRONMENTS, GROUP]
const [BASE, STRICT] = HistoryFixture.POLICIES

/** A store on which a policy of any environment is one of very many. */
const wide = <E>(ports: Layer.Layer<Ports, E>): Layer.Layer<Ports, E> =>
  Layer.provide(ports, Layer.succeed(MarkedConsumersMax, 0))

const as = (org: Org) => Effect.provideService(CurrentActor, Fixture.actor([org, "admin"]))

/** What happens in a life: commands, a read of an environment, a list, and the end of the background's work. */
type Step =
  | HistoryFixture.HistoryCommand
  | { readonly _tag: "Look"; readonly environment: number }
  | { readonly _tag: "List" }
  | { readonly _tag: "Work" }

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  { weight: 10, arbitrary: HistoryFixture.command },
  {
    weight: 4,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Save" as const),
      policy: FastCheck.nat(1),
      text: FastCheck.nat(2)
    })
  },
  {
    weight: 3,
    arbitrary: FastCheck.nat(2).map((environment): Step => ({ _tag: "Look", environment }))
  },
  { weight: 1, arbitrary: FastCheck.constant<Step>({ _tag: "List" }) },
  { weight: 1, arbitrary: FastCheck.constant<Step>({ _tag: "Work" }) }
)

/** An org with two environments with both policies, and a logical one above them with one. */
const begin = (org: Org) =>
  Effect.gen(function* () {
    const environments = yield* Environments
    const attachments = yield* PolicyAttachments
    for (const [index] of HistoryFixture.POLICIES.entries())
      yield* HistoryFixture.happen(org, { _tag: "Save", policy: index, text: index }, 0)
    for (const name of HistoryFixture.FLOWS)
      yield* (yield* Flows).put(org.name, { name, description: "" })
    for (const name of HistoryFixture.ENVIRONMENTS) {
      yield* environments.put(org.name, { name, type: "server" })
      yield* attachments.attach(org.name, name, [...HistoryFixture.POLICIES])
    }
    yield* environments.put(org.name, {
      name: GROUP,
      type: "logical",
      included_environments: [...HistoryFixture.ENVIRONMENTS]
    })
    yield* attachments.attach(org.name, GROUP, [BASE ?? ""])
  })

/** Works until no environment is behind. */
const work = Effect.flatMap(PendingWorker.makeBehindTurn, (turn) =>
  Effect.repeat(turn, { while: (isBusy) => isBusy })
)

/** The marks of a list. */
const marked = (org: Org) =>
  Effect.map(
    Effect.flatMap(Environments, (environments) =>
      environments.list(org.name, { descending: false }, Option.none())
    ),
    ({ items }) =>
      items.flatMap(({ environment: { name, verdict_pending } }) =>
        verdict_pending === true ? [name] : []
      )
  )

const nameAt = (index: number) => NAMES[index] ?? GROUP

/** Takes a step in the store and in the model. */
const take = (org: Org, model: BehindModel, said: Step, count: number) =>
  Effect.gen(function* () {
    switch (said._tag) {
      case "Look":
        yield* (yield* Environments).get(org.name, nameAt(said.environment))
        return yield* model.look(nameAt(said.environment))
      case "List":
        yield* model.list
        return assert.deepStrictEqual(yield* marked(org), yield* model.marks)
      case "Work":
        yield* work
        return yield* model.work
      default:
        yield* HistoryFixture.happen(org, said, count)
        return yield* model.happen(said, count)
    }
  })

/** The snapshots of an environment: verdicts, versions of policies, and rows with their reasons. */
const historyOf = (org: Org, name: EnvironmentName) =>
  Effect.gen(function* () {
    const found = yield* (yield* EnvironmentStore).findByName({ org: org.id, name })
    const { environment } = yield* found
    const store = yield* SnapshotStore
    const ref = { org: org.id, environment: environment.id }
    const last = Option.match(yield* store.latest(ref), {
      onNone: () => 0,
      onSome: ({ index }) => index
    })
    const snapshots = yield* Snapshots
    return yield* Effect.forEach(
      Array.from({ length: last }, (_, index) => index + 1),
      (n) =>
        Effect.map(snapshots.get(org.name, name, { _tag: "Index", n }), ({ rows, snapshot }) => ({
          index: n,
          verdict: snapshot.verdict,
          policies: snapshot.policies.map((each) => [each.name, each.version]),
          rows: rows
            .map((row) => [
              row.name,
              row.verdict,
              row.annotation.type,
              row.reasons.map(({ type, rule_index, policy_name }) => [
                policy_name,
                rule_index,
                type
              ])
            ])
            .sort()
        }))
    )
  })

type History = Effect.Effect.Success<ReturnType<typeof historyOf>>

/**
 * WHY less of the logical one: in the background its members are evaluated in any order, and each appends a snapshot whose
 * rows say what changed.
 */
const compared = (name: EnvironmentName, history: History) => {
  const last = history.at(-1)
  if (name !== GROUP || last === undefined) return history
  const { rows, ...rest } = last
  return { ...rest, rows: rows.map(([row, verdict, _changed, reasons]) => [row, verdict, reasons]) }
}

const live = (steps: ReadonlyArray<Step>, model: Layer.Layer<Ports>) =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    yield* as(org)(begin(org))
    const context = yield* Layer.build(Layer.provideMerge(services, model))
    const other = yield* Effect.provide(Fixture.org, context)
    yield* Effect.provide(as(other)(begin(other)), context)
    const played = new BehindModel(other, context, NAMES)
    for (const [count, said] of steps.entries()) yield* as(org)(take(org, played, said, count))
    // The end: everything is evaluated.
    for (const index of [0, 1, 2])
      yield* as(org)(take(org, played, { _tag: "Look", environment: index }, 0))
    for (const name of NAMES) {
      const expected = yield* Effect.provide(as(other)(historyOf(other, name)), context)
      const seen = yield* as(org)(historyOf(org, name))
      assert.deepStrictEqual(compared(name, seen), compared(name, expected), name)
    }
    yield* work
    const store = yield* EnvironmentStore
    const behind = yield* store.listBehindOrgs
    assert.notInclude(
      behind.map(({ id }) => id),
      org.id
    )
    yield* as(org)(reproduces(org))
  }).pipe(Effect.scoped)

/** HIST-1 to HIST-5: which version judged, since when and by what evidence, is as it was. */
const reproduces = (org: Org) =>
  Effect.gen(function* () {
    yield* AsOfLaws.seesTheSame(org, HistoryFixture.CONTENTS, new Map())
    yield* VisibilityLaws.check(org.id, HistoryFixture.CONTENTS)
    const found = yield* (yield* RecordVerification).verify(org.id, 5)
    const verdicts = found.filter(({ _tag }) => _tag === "VerdictChanged")
    assert.deepStrictEqual(verdicts.map(TableFinding.print), [], "verification at level 5")
    yield* AsOfLaws.check(org, HistoryFixture.CONTENTS)
  })

const save = (org: Org, text: number) =>
  HistoryFixture.happen(org, { _tag: "Save", policy: 0, text }, 0)

/** An org with so many environments that one policy evaluates, each with a snapshot of one row. */
const many = (count: number) =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    const names = Array.from({ length: count }, (_, index) => EnvironmentName.make(`e-${index}`))
    yield* Effect.gen(function* () {
      yield* save(org, 0)
      for (const name of names) {
        const environments = yield* Environments
        yield* environments.put(org.name, { name, type: "server", policies: [BASE ?? ""] })
        yield* (yield* Reports).accept(
          org.name,
          name,
          ReportFixture.submitted("server", "one", [{ name: "a", fingerprint: "a".repeat(64) }])
        )
      }
    }).pipe(as(org))
    return { org, names }
  })

/** The index of the newest snapshot of each environment, and the version of the policy that judged it. */
const judged = (org: Org) =>
  Effect.gen(function* () {
    const store = yield* SnapshotStore
    const environments = yield* (yield* EnvironmentStore).list(org.id)
    return yield* Effect.forEach(environments, ({ id }) =>
      Effect.map(store.latest({ org: org.id, environment: id }), (latest) => {
        const { index, policies } = Option.getOrThrow(latest)
        return [index, policies[0]?.version]
      })
    )
  })

const allAre = (count: number, value: readonly [index: number, version: number]) =>
  Array.from({ length: count }, (): Array<number | undefined> => [...value])

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
