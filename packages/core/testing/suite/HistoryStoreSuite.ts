/** The contract of `HistoryStore`, and of what other ports write for it. */

import * as Environment from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { FlowStore } from "@attestry/core/FlowStore"
import { HistoryStore } from "@attestry/core/HistoryStore"
import {
  EnvironmentId,
  EnvironmentName,
  FlowId,
  FlowName,
  PolicyId
} from "@attestry/core/Identifier"
import { SEMANTICS } from "@attestry/core/PolicySemantics"
import type { Ports } from "@attestry/core/Ports"
import { type SnapshotDraft, SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const draft = (index: number, evaluated_all: boolean): SnapshotDraft => ({
  index,
  timestamp: Timestamp.plusSeconds(Fixture.AT, index),
  verdict: "Unknown",
  counts: { true: 0, false: 0, null: 0 },
  policies: [],
  ended: [],
  begun: [],
  events: [],
  evaluated_all,
  semantics: SEMANTICS
})

const isRising = (numbers: ReadonlyArray<number | null>): boolean =>
  numbers.every((each, at) => at === 0 || (numbers[at - 1] ?? 0) < (each ?? 0))

/** States the contract of `HistoryStore`. */
export const historyStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`HistoryStore (${name})`, ports, options, (it) => {
    it.effect("keeps each version of a flow, and none where nothing of it changed", () =>
      Effect.gen(function* () {
        const [flows, history] = [yield* FlowStore, yield* HistoryStore]
        const org = yield* Fixture.org
        const flow = yield* Fixture.flow(org)
        const tagged = { ...flow, tags: { risk: "high" }, last_modified_at: Fixture.LATER }
        yield* flows.update(tagged)
        yield* flows.update({ ...tagged, description: "other" })
        const other = FlowId.make("none")
        const found = yield* history.flowVersions(org.id, [flow.id, other, flow.id])
        const versions = found.get(flow.id) ?? []
        assert.deepStrictEqual(
          versions.map(({ name, tags, template_id }) => [name, tags, template_id]),
          [
            [flow.name, {}, flow.template_id],
            [flow.name, { risk: "high" }, flow.template_id]
          ]
        )
        assert.isTrue(isRising(versions.map(({ position }) => position)))
        assert.isUndefined(found.get(other))
        const { position } = yield* history.horizon(org.id)
        assert.isAtLeast(position ?? 0, versions.at(-1)?.position ?? 0)
        const inside = <A, E, R>(work: Effect.Effect<A, E, R>) =>
          Effect.flatMap(Transaction, ({ run }) => run(org.id, () => work))
        const next = FlowName.make("renamed")
        assert.isTrue(yield* inside(flows.rename(tagged, next, true)))
        yield* inside(flows.update({ ...tagged, name: next, last_modified_at: Fixture.LATER }))
        for (const name of [flow.name, next])
          assert.deepStrictEqual(yield* history.flowsNamed(org.id, name), [flow.id])
        assert.deepStrictEqual(yield* history.flowsNamed(org.id, FlowName.make("none")), [])
      })
    )

    it.effect("keeps each version of the settings of an environment", () =>
      Effect.gen(function* () {
        const [environments, history] = [yield* EnvironmentStore, yield* HistoryStore]
        const made = yield* Fixture.environment(yield* Fixture.org, "before")
        const ref = Environment.ref(made)
        const inside = <A, E, R>(work: Effect.Effect<A, E, R>) =>
          Effect.flatMap(Transaction, ({ run }) => run(ref.org, () => work))
        const stricter = {
          ...made,
          require_provenance: true,
          tags: { tier: "one" },
          last_modified_at: Fixture.LATER
        }
        yield* inside(environments.update(stricter))
        yield* inside(environments.update({ ...stricter, policies: [PolicyId.make("one")] }))
        yield* inside(environments.change(ref, { at: Fixture.LATER, verdict: "Compliant" }))
        const renamed = { ...stricter, name: EnvironmentName.make("after") }
        yield* inside(environments.rename(renamed, made.name))
        yield* inside(environments.rename({ ...renamed, archived_at: Fixture.LATER }, renamed.name))
        const versions = yield* history.environmentVersions(ref)
        assert.deepStrictEqual(
          versions.map((one) => [`${one.name}`, one.require_provenance, one.tags, one.archived_at]),
          [
            ["before", false, {}, null],
            ["before", true, { tier: "one" }, null],
            ["after", true, { tier: "one" }, null],
            ["after", true, { tier: "one" }, Fixture.LATER]
          ]
        )
        assert.deepStrictEqual(
          versions.map(({ at }) => at),
          [made.created_at, Fixture.LATER, Fixture.LATER, Fixture.LATER]
        )
        assert.isTrue(isRising(versions.map(({ position }) => position)))
        const unknown = { ...ref, environment: EnvironmentId.make("none") }
        assert.deepStrictEqual(yield* history.environmentVersions(unknown), [])
        for (const name of [made.name, renamed.name])
          assert.deepStrictEqual(yield* history.environmentsNamed(ref.org, name), [made.id])
        const none = EnvironmentName.make("none")
        assert.deepStrictEqual(yield* history.environmentsNamed(ref.org, none), [])
      })
    )

    it.effect("keeps when an artifact was allowed, and until when", () =>
      Effect.gen(function* () {
        const [lists, history] = [yield* EnvironmentStore, yield* HistoryStore]
        const environment = yield* Fixture.environment(yield* Fixture.org)
        const ref = Environment.ref(environment)
        const entry = {
          org_id: ref.org,
          environment_id: ref.environment,
          fingerprint: Fingerprint.make("a".repeat(64)),
          name: "shop",
          reason: "first",
          created_by: "ada",
          created_at: Fixture.AT,
          expires_at: null,
          owner: null
        }
        const expires_at = Timestamp.plusSeconds(Fixture.LATER, 60)
        yield* lists.putAllowed(entry)
        yield* lists.putAllowed({
          ...entry,
          reason: "second",
          created_at: Fixture.LATER,
          expires_at
        })
        yield* lists.removeAllowed(ref, entry.fingerprint)
        const found = yield* history.allowedPeriods(ref)
        assert.deepStrictEqual(
          found.map(({ expires_at, from, reason, to }) => [
            reason,
            from.at,
            to === null,
            expires_at
          ]),
          [
            ["first", Fixture.AT, false, null],
            ["second", Fixture.LATER, false, expires_at]
          ]
        )
        const numbers = found.flatMap(({ from, to }) => [from.position, to?.position ?? null])
        assert.isTrue(
          (numbers[0] ?? 0) < (numbers[1] ?? 0) && (numbers[2] ?? 0) < (numbers[3] ?? 0)
        )
      })
    )

    it.effect("keeps when a policy was attached, in which mode, and until when", () =>
      Effect.gen(function* () {
        const [environments, history] = [yield* EnvironmentStore, yield* HistoryStore]
        const org = yield* Fixture.org
        const [one, two] = [PolicyId.make("one"), PolicyId.make("two")]
        const made = { ...(yield* Fixture.newEnvironment(org)), policies: [one] }
        yield* environments.insert(made)
        const ref = Environment.ref(made)
        const change = (next: Environment.Environment) =>
          Effect.flatMap(Transaction, ({ run }) => run(org.id, () => environments.update(next)))
        yield* change({ ...made, policies: [one, two], policy_modes: { [two]: "warn" } })
        yield* change({
          ...made,
          policies: [one, two],
          description: "other",
          policy_modes: { [two]: "warn" }
        })
        yield* change({ ...made, policies: [two] })
        const found = yield* history.attachments(ref)
        assert.deepStrictEqual(
          found.map(({ mode, policy_id, to }) => [policy_id, mode, to === null]),
          [
            [one, "enforce", false],
            [two, "warn", false],
            [two, "enforce", true]
          ]
        )
      })
    )

    it.effect("numbers snapshots, and lists evaluations of all rows, quiet or not, in order", () =>
      Effect.gen(function* () {
        const [store, history] = [yield* SnapshotStore, yield* HistoryStore]
        const ref = Environment.ref(yield* Fixture.environment(yield* Fixture.org))
        assert.deepStrictEqual(yield* history.evaluations(ref), [])
        yield* store.append(ref, draft(1, true))
        yield* store.append(ref, draft(2, false))
        const at = Timestamp.plusSeconds(Fixture.AT, 9)
        yield* store.recordUnchangedEvaluation(ref, { at, index: 2 })
        yield* store.recordUnchangedEvaluation(ref, { at: Fixture.AT, index: 2 })
        const evaluations = yield* history.evaluations(ref)
        assert.deepStrictEqual(
          evaluations.map((evaluation) => [evaluation.index, evaluation.at]),
          [
            [1, Timestamp.plusSeconds(Fixture.AT, 1)],
            [2, at],
            [2, at]
          ],
          "instants never fall"
        )
        assert.isTrue(isRising(evaluations.map(({ position }) => position)))
        const numbered = [...(yield* history.snapshots(ref, [1, 2, 7]))].sort(
          (left, right) => left.index - right.index
        )
        assert.deepStrictEqual(
          numbered.map(({ index, semantics }) => [index, semantics]),
          [
            [1, SEMANTICS],
            [2, SEMANTICS]
          ]
        )
        assert.strictEqual(numbered[0]?.position, evaluations[0]?.position)
        assert.isTrue(
          isRising([...numbered.map(({ position }) => position), evaluations[1]?.position ?? 0])
        )
      })
    )

    it.effect("finds nothing about a fingerprint without a record", () =>
      Effect.gen(function* () {
        const org = yield* Fixture.org
        const found = yield* (yield* HistoryStore).evidence(org.id, {
          fingerprints: [Fingerprint.make("d".repeat(64))]
        })
        assert.deepStrictEqual(found.trails, [])
      })
    )
  })
