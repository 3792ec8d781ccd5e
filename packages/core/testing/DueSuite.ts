/**
 * Verdicts that change by time alone, on any store: the snapshots of an environment do not depend on when it was looked
 * at, and each due instant is evaluated once.
 *
 * Two orgs live the same life. The first is evaluated after each wait, the second only when somebody reads it.
 */
import { CurrentActor } from "@attestry/core/Actor"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Environments } from "@attestry/core/Environments"
import * as FastReportReader from "@attestry/core/FastReportReader"
import { Flows } from "@attestry/core/Flows"
import { EnvironmentName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import * as PendingWorker from "@attestry/core/PendingWorker"
import { Policies } from "@attestry/core/Policies"
import { PolicyAttachments } from "@attestry/core/PolicyAttachments"
import type { Ports } from "@attestry/core/Ports"
import { RecordVerification } from "@attestry/core/RecordVerification"
import { Reevaluations } from "@attestry/core/Reevaluations"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import { Snapshots } from "@attestry/core/Snapshots"
import * as TableFinding from "@attestry/core/TableFinding"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "./Fixture.js"
import * as HistoryFixture from "./HistoryFixture.js"
import { type SuiteOptions, suite } from "./Suite.js"
import * as AsOfLaws from "./suite/AsOfLaws.js"
import * as VisibilityLaws from "./VisibilityLaws.js"

const yaml = (artifacts: string): string =>
  `_schema: https://example.org/policy/v2\nartifacts:\n${artifacts}`

/** Texts of policies with ages, and one without. */
const TEXTS = [
  yaml("  attestations: [{type: generic, name: scan, max_age: 2h}]\n"),
  yaml("  provenance: {required: true, max_age: 3h}\n  trail-compliance: {required: true}\n"),
  yaml(`  provenance: {required: true}
  attestations: [{type: generic, name: review, max_age: 1h}, {type: generic, name: scan}]\n`)
]

type Step =
  | HistoryFixture.HistoryCommand
  | { readonly _tag: "Wait"; readonly minutes: number }
  | { readonly _tag: "Look"; readonly environment: number }
  | { readonly _tag: "Write"; readonly policy: number; readonly text: number }

const upTo = (length: number) => FastCheck.integer({ min: 0, max: length - 1 })

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  { weight: 4, arbitrary: HistoryFixture.report },
  { weight: 4, arbitrary: HistoryFixture.evidence },
  {
    weight: 5,
    arbitrary: FastCheck.constantFrom(30, 45, 70, 130, 400).map(
      (minutes): Step => ({ _tag: "Wait", minutes })
    )
  },
  {
    weight: 1,
    arbitrary: upTo(2).map((environment): Step => ({ _tag: "Look", environment }))
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({ policy: upTo(2), text: upTo(TEXTS.length) }).map(
      (write): Step => ({ _tag: "Write", ...write })
    )
  },
  {
    weight: 1,
    arbitrary: HistoryFixture.command.filter(({ _tag }) =>
      ["Attach", "Detach", "Allow", "Disallow"].includes(_tag)
    )
  }
)

const services = UseCases.layer.pipe(
  Layer.provide(SecretsWebCrypto.layer),
  Layer.provide(FastReportReader.layer)
)

/** How a store's time passes. */
export interface TimeTravel {
  /** Lets so many minutes pass; a negative number sets the clock back. */
  readonly wait: (minutes: number) => Effect.Effect<void, unknown, Ports>
}

const write = (org: Org, policy: number, text: number) =>
  Effect.flatMap(Policies, (policies) =>
    policies.put(org.name, {
      name: HistoryFixture.POLICIES[policy] ?? HistoryFixture.POLICIES[0]!,
      description: "",
      comment: "",
      policy_yaml: TEXTS[text] ?? ""
    })
  )

const GROUP = EnvironmentName.make("group")

/** An org with two environments that have policies with ages, and a logical one above them. */
const found = Effect.gen(function* () {
  const org = yield* Fixture.org
  const environments = yield* Environments
  const begin = Effect.gen(function* () {
    for (const [index] of HistoryFixture.POLICIES.entries()) yield* write(org, index, index)
    for (const name of HistoryFixture.FLOWS)
      yield* (yield* Flows).put(org.name, { name, description: "" })
    for (const name of HistoryFixture.ENVIRONMENTS) {
      yield* environments.put(org.name, { name, type: "server" })
      yield* (yield* PolicyAttachments).attach(org.name, name, [...HistoryFixture.POLICIES])
    }
    yield* environments.put(org.name, {
      name: GROUP,
      type: "logical",
      included_environments: [...HistoryFixture.ENVIRONMENTS]
    })
  })
  yield* Effect.provideService(begin, CurrentActor, Fixture.actor([org, "admin"]))
  return org
})

const look = (org: Org, environment: number) =>
  Effect.flatMap(Environments, (environments) =>
    environments.get(org.name, HistoryFixture.ENVIRONMENTS[environment] ?? GROUP)
  )

const take = (org: Org, said: Step, count: number) => {
  switch (said._tag) {
    case "Wait":
      return Effect.void
    case "Look":
      return look(org, said.environment)
    case "Write":
      return write(org, said.policy, said.text)
    default:
      return HistoryFixture.happen(org, said, count)
  }
}

/** The snapshots of an environment: instants in whole minutes after the first, verdicts, and reasons. */
const historyOf = (org: Org, name: EnvironmentName) =>
  Effect.gen(function* () {
    const { environment } = yield* (yield* Environments).get(org.name, name)
    const store = yield* SnapshotStore
    const ref = { org: org.id, environment: environment.id }
    const latest = yield* store.latest(ref)
    const count = Option.match(latest, { onNone: () => 0, onSome: ({ index }) => index })
    const heads = yield* store.heads(ref, { first: 1, last: count })
    const oldest = heads.at(-1)?.timestamp ?? 0
    const snapshots = yield* Snapshots
    return yield* Effect.forEach([...heads].reverse(), ({ index, timestamp, verdict }) =>
      Effect.map(snapshots.get(org.name, name, { _tag: "Index", n: index }), ({ rows }) => ({
        index,
        minutes: Math.round((timestamp - oldest) / 60_000_000),
        verdict,
        rows: rows
          .map((row) => [
            row.name,
            row.verdict,
            row.annotation.type,
            row.reasons.map(({ type, rule_index, policy_name }) => [policy_name, rule_index, type])
          ])
          .sort()
      }))
    )
  })

/** A law about an org at the end of its life. */
export type LawAfter = (
  org: Org
) => Effect.Effect<unknown, unknown, Ports | UseCases.UseCases | CurrentActor>

/** HIST-1 to HIST-5, HIST-7, HIST-30 to HIST-34: every decision is reproduced at its instant. */
const reproduces: LawAfter = (org) =>
  Effect.gen(function* () {
    yield* AsOfLaws.seesTheSame(org, HistoryFixture.CONTENTS, new Map())
    yield* VisibilityLaws.check(org.id, HistoryFixture.CONTENTS)
    const found = yield* (yield* RecordVerification).verify(org.id, 5)
    const verdicts = found.filter(({ _tag }) => _tag === "VerdictChanged")
    assert.deepStrictEqual(verdicts.map(TableFinding.print), [], "verification at level 5")
    yield* AsOfLaws.check(org, HistoryFixture.CONTENTS)
  })

const live = (steps: ReadonlyArray<Step>, { wait }: TimeTravel, after: LawAfter) =>
  Effect.gen(function* () {
    const [watched, unwatched] = [yield* found, yield* found]
    const reevaluations = yield* Reevaluations
    const as = (org: Org) => Effect.provideService(CurrentActor, Fixture.actor([org, "admin"]))
    for (const [count, said] of steps.entries()) {
      if (said._tag === "Wait") {
        yield* wait(said.minutes)
        yield* reevaluations.drain(watched.id)
      }
      yield* as(watched)(take(watched, said, count))
      yield* as(unwatched)(take(unwatched, said, count))
    }
    for (const name of [...HistoryFixture.ENVIRONMENTS, GROUP]) {
      const seen = yield* as(watched)(historyOf(watched, name))
      assert.deepStrictEqual(yield* as(unwatched)(historyOf(unwatched, name)), seen)
    }
    const store = yield* EnvironmentStore
    assert.deepStrictEqual(yield* store.listPending(watched.id), [])
    assert.deepStrictEqual(yield* store.listPending(unwatched.id), [])
    // WHY one org: the histories of the two are equal.
    yield* as(unwatched)(reproduces(unwatched))
    yield* as(unwatched)(after(unwatched))
  })

const ago = (steps: ReadonlyArray<Step>, { wait }: TimeTravel) =>
  Effect.gen(function* () {
    const org = yield* found
    const as = Effect.provideService(CurrentActor, Fixture.actor([org, "admin"]))
    for (const [count, said] of steps.entries()) {
      if (said._tag === "Wait") yield* wait(said.minutes)
      yield* as(take(org, said, count))
    }
    return { org, as }
  })

/** A scan and a review of what runs, which are too old after two hours and after one. */
const RUNNING: ReadonlyArray<Step> = [
  { _tag: "Write", policy: 1, text: 2 },
  { _tag: "Build", flow: 0, trail: 0, content: 0 },
  {
    _tag: "Attest",
    flow: 0,
    trail: 0,
    content: 0,
    isCompliant: true,
    isOverride: false
  },
  { _tag: "Attest", flow: 0, trail: 0, content: null, isCompliant: true, isOverride: false },
  { _tag: "Report", environment: 0, contents: [0] }
]

/** The minutes of a day. */
const DAY = 1_440

/** States the laws of due instants on a store. */
export const dueSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  {
    after = () => Effect.void,
    lives,
    travel,
    ...options
  }: SuiteOptions & {
    readonly lives: number
    readonly travel: TimeTravel
    /** What else holds at the end of each life. */
    readonly after?: LawAfter
  }
): void =>
  suite(`verdicts that change by time alone (${name})`, ports, options, (it) => {
    it.effect(
      "F-6: each due instant that has passed has a snapshot of its own, oldest first",
      () =>
        Effect.gen(function* () {
          const { as, org } = yield* ago([...RUNNING, { _tag: "Wait", minutes: 600 }], travel)
          const [prod = GROUP] = HistoryFixture.ENVIRONMENTS
          const seen = yield* as(historyOf(org, prod))
          assert.deepStrictEqual(
            seen.map(({ index, minutes, verdict }) => [index, minutes, verdict]),
            [
              [1, 0, "Compliant"],
              [2, 60, "NonCompliant"],
              [3, 120, "NonCompliant"]
            ]
          )
          const group = yield* as(historyOf(org, GROUP))
          assert.deepStrictEqual(
            group.slice(-2).map(({ verdict }) => verdict),
            ["NonCompliant", "NonCompliant"]
          )
        }).pipe(Effect.provide(services)),
      60_000
    )

    it.effect(
      "the background turn evaluates what is due, once, and says when the next is",
      () =>
        Effect.gen(function* () {
          const { as, org } = yield* ago([...RUNNING, { _tag: "Wait", minutes: 61 }], travel)
          const [prod = GROUP] = HistoryFixture.ENVIRONMENTS
          const store = yield* SnapshotStore
          const { environment } = Option.getOrThrow(
            yield* (yield* EnvironmentStore).findByName({ org: org.id, name: prod })
          )
          const ref = { org: org.id, environment: environment.id }
          const indexOf = Effect.map(
            store.latest(ref),
            Option.match({ onNone: () => 0, onSome: ({ index }) => index })
          )
          assert.strictEqual(yield* indexOf, 1)
          const turn = yield* PendingWorker.makeDueTurn
          yield* Effect.all([turn, turn], { concurrency: 2 })
          yield* turn
          assert.strictEqual(yield* indexOf, 2)
          const view = yield* as(look(org, 0))
          assert.strictEqual(view.environment.verdict, "NonCompliant")
          assert.isDefined(view.environment.due_at)
        }).pipe(Effect.provide(services)),
      60_000
    )

    it.effect(
      "evaluates each due instant once while the clock is set back and forward by a day",
      () =>
        Effect.gen(function* () {
          const { as, org } = yield* ago(RUNNING, travel)
          const [prod = GROUP] = HistoryFixture.ENVIRONMENTS
          const reevaluations = yield* Reevaluations
          const seen = Effect.map(as(historyOf(org, prod)), (heads) =>
            heads.map(({ index, verdict }) => [index, verdict])
          )
          const turn = (minutes: number) =>
            Effect.zipRight(travel.wait(minutes), reevaluations.drain(org.id))
          const fresh = [[1, "Compliant"]]
          yield* turn(-DAY)
          assert.deepStrictEqual(yield* seen, fresh)
          yield* turn(DAY)
          assert.deepStrictEqual(yield* seen, fresh)
          yield* turn(61)
          const aged = [...fresh, [2, "NonCompliant"]]
          assert.deepStrictEqual(yield* seen, aged)
          yield* turn(-DAY)
          assert.deepStrictEqual(yield* seen, aged)
          yield* turn(DAY)
          assert.deepStrictEqual(yield* seen, aged)
          yield* turn(DAY)
          yield* reevaluations.drain(org.id)
          assert.deepStrictEqual(yield* seen, [...aged, [3, "NonCompliant"]])
          assert.deepStrictEqual(yield* (yield* EnvironmentStore).listPending(org.id), [])
        }).pipe(Effect.provide(services)),
      60_000
    )

    it.effect.prop(
      "F-6: snapshots do not depend on when an environment is looked at, and every decision is reproduced",
      { steps: FastCheck.array(step, { minLength: 8, maxLength: 25, size: "max" }) },
      ({ steps }) => live([...RUNNING, ...steps], travel, after).pipe(Effect.provide(services)),
      { fastCheck: { numRuns: lives }, timeout: 600_000 }
    )
  })
