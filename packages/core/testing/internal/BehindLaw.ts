/** G-15: generated lives of environments that are behind, against a model that marks each environment at once. */
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Environments } from "@attestry/core/Environments"
import { Flows } from "@attestry/core/Flows"
import type { EnvironmentName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import { PolicyAttachments } from "@attestry/core/PolicyAttachments"
import type { Ports } from "@attestry/core/Ports"
import { RecordVerification } from "@attestry/core/RecordVerification"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import { Snapshots } from "@attestry/core/Snapshots"
import * as TableFinding from "@attestry/core/TableFinding"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { BehindModel } from "../BehindModel.js"
import * as Fixture from "../Fixture.js"
import * as HistoryFixture from "../HistoryFixture.js"
import * as AsOfLaws from "../suite/AsOfLaws.js"
import * as VisibilityLaws from "../VisibilityLaws.js"
import { as, BASE, GROUP, marked, services, work } from "./BehindFixture.js"

const NAMES = [...HistoryFixture.ENVIRONMENTS, GROUP]

/** What happens in a life: commands, a read of an environment, a list, and the end of the background's work. */
export type Step =
  | HistoryFixture.HistoryCommand
  | { readonly _tag: "Look"; readonly environment: number }
  | { readonly _tag: "List" }
  | { readonly _tag: "Work" }

/** A step. */
export const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
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
 * WHY less of the logical one: in the background its members are evaluated in any order, and each appends a snapshot
 * whose rows say what changed.
 */
const compared = (name: EnvironmentName, history: History) => {
  const last = history.at(-1)
  if (name !== GROUP || last === undefined) return history
  const { rows, ...rest } = last
  return { ...rest, rows: rows.map(([row, verdict, _changed, reasons]) => [row, verdict, reasons]) }
}

/** Lives in a store and in the model, and compares what each environment has at the end. */
export const live = (steps: ReadonlyArray<Step>, model: Layer.Layer<Ports>) =>
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
