/** The laws about reads as of an instant, checked on everything that an org has. SPEC §4.5 */
import type { CurrentActor } from "@attestry/core/Actor"
import type * as AsOf from "@attestry/core/AsOf"
import { AttestationLists } from "@attestry/core/AttestationLists"
import * as CommitPosition from "@attestry/core/CommitPosition"
import * as Environment from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import * as EvaluationTimeline from "@attestry/core/EvaluationTimeline"
import * as FactTimeline from "@attestry/core/FactTimeline"
import type { Fingerprint } from "@attestry/core/Fingerprint"
import * as FingerprintHistory from "@attestry/core/FingerprintHistory"
import { HistoryStore } from "@attestry/core/HistoryStore"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import { SnapshotViews } from "@attestry/core/SnapshotViews"
import type { Timestamp } from "@attestry/core/Timestamp"
import { TrailViews } from "@attestry/core/TrailViews"
import type { UseCases } from "@attestry/core/UseCases"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"

type Law<A = void> = Effect.Effect<A, unknown, Ports | UseCases | CurrentActor>

const at = (instant: Timestamp): AsOf.AsOf => ({ _tag: "At", instant })
const now: AsOf.AsOf = { _tag: "Now" }

/** The facts that evaluations saw, by fingerprint and number, as texts. */
export type SeenFacts = Map<string, string>

/** HIST-7: remembers what each evaluation of all rows saw, and compares with what it was said to have seen before. */
export const seesTheSame = (
  { id: org }: Org,
  fingerprints: ReadonlyArray<Fingerprint>,
  seen: SeenFacts
): Law =>
  Effect.gen(function* () {
    const history = yield* HistoryStore
    const historyOf = FingerprintHistory.group(
      yield* history.evidence(org, { fingerprints: fingerprints })
    )
    const timelines = fingerprints.map((each) => ({
      fingerprint: each,
      timeline: FactTimeline.make(historyOf(each))
    }))
    for (const environment of yield* (yield* EnvironmentStore).list(org))
      for (const evaluation of yield* history.evaluations(Environment.ref(environment)))
        for (const { fingerprint, timeline } of timelines) {
          const key = `${fingerprint} ${evaluation.position}`
          const facts = JSON.stringify(
            timeline.at(EvaluationTimeline.boundOf(evaluation)).map(({ view }) => view)
          )
          assert.strictEqual(facts, seen.get(key) ?? facts, `HIST-7 ${key}`)
          seen.set(key, facts)
        }
  })

/** HIST-30, HIST-31: a snapshot as of its instant is the record, and evidence that is later is never shown. */
const snapshotsStand = (org: Org, environment: Environment.Environment): Law =>
  Effect.gen(function* () {
    const [views, history] = [yield* SnapshotViews, yield* HistoryStore]
    const ref = Environment.ref(environment)
    const heads = yield* (yield* SnapshotStore).heads(ref, { first: 1, last: 1_000 })
    const evaluated = new Set((yield* history.evaluations(ref)).map(({ position }) => position))
    const numbered = yield* history.snapshots(
      ref,
      heads.map(({ index }) => index)
    )
    for (const { index, timestamp } of heads) {
      const ask = (asOf: AsOf.AsOf) =>
        views.evaluate(org.name, environment.name, {
          expression: SnapshotExpression.index(index),
          asOf,
          policies: "recorded"
        })
      const then = yield* ask(at(timestamp))
      const snapshot = numbered.find((each) => each.index === index)
      if (
        snapshot !== undefined &&
        evaluated.has(snapshot.position) &&
        // WHY physical: a logical environment shows its members as they were evaluated last.
        then.snapshot.members === null
      )
        assert.deepStrictEqual(
          [then.snapshot.verdict, ...then.rows.map(({ verdict }) => verdict)],
          [then.recorded, ...then.rows.map(({ recorded }) => recorded)],
          `HIST-30 ${environment.name}#${index}`
        )
      for (const { timestamp: instant } of heads.filter((head) => head.index >= index)) {
        const { rows } = yield* ask(at(instant))
        for (const { late } of rows)
          assert.isTrue(
            late.every(({ reported_at }) => reported_at <= instant),
            "HIST-31"
          )
      }
    }
  })

/** HIST-32: as of now, rows whose whole evidence was visible to their evaluation have the recorded verdict. */
const hindsightStands = (
  org: Org,
  environment: Environment.Environment,
  fingerprints: ReadonlyArray<Fingerprint>
): Law =>
  Effect.gen(function* () {
    const [views, history] = [yield* SnapshotViews, yield* HistoryStore]
    const ref = Environment.ref(environment)
    const historyOf = FingerprintHistory.group(
      yield* history.evidence(org.id, { fingerprints: fingerprints })
    )
    const evaluations = EvaluationTimeline.make(yield* history.evaluations(ref))
    const [head] = yield* (yield* SnapshotStore).heads(ref, { first: 1, last: 1_000 })
    if (head === undefined) return
    const [own] = yield* history.snapshots(ref, [head.index])
    if (own === undefined) return
    const { rows } = yield* views.evaluate(org.name, environment.name, {
      expression: SnapshotExpression.index(head.index),
      asOf: now,
      policies: "recorded"
    })
    const last = evaluations.evaluatedAt(own, CommitPosition.everything.at)
    for (const { fingerprint, late, recorded, verdict, annotation } of rows) {
      const { events } = FactTimeline.make(historyOf(fingerprint))
      if (annotation.type === "exited" || late.length > 0) continue
      // WHY: a row that has run on may have been evaluated before the snapshot, and by less.
      if (!events.every((event) => CommitPosition.isVisible(event, last))) continue
      if (annotation.type !== "unchanged") assert.strictEqual(verdict, recorded, "HIST-32")
    }
  })

/** HIST-33: a trail as of an instant after everything that happened to it is the trail. */
const trailsStand = (org: Org): Law =>
  Effect.gen(function* () {
    const views = yield* TrailViews
    const horizon = yield* (yield* HistoryStore).horizon(org.id)
    const { items } = yield* views.list(org.name, {}, { page: 1, perPage: 50 })
    for (const { flow, trail } of items) {
      const place = { flow: flow.name, trail: trail.name }
      const plain = yield* views.get(org.name, place)
      for (const asked of [now, at(horizon.at)]) {
        const then = yield* views.get(org.name, place, asked)
        assert.deepStrictEqual(
          [then.evaluation.trail, then.evaluation.records, then.template, then.history],
          [plain.evaluation.trail, plain.evaluation.records, plain.template, plain.history],
          "HIST-33"
        )
      }
    }
  })

/**
 * HIST-31, HIST-34: the attestations as of an instant are those that were accepted by then, so their sets are nested.
 */
const attestationsNest = (org: Org): Law =>
  Effect.gen(function* () {
    const lists = yield* AttestationLists
    const ask = (asOf: AsOf.AsOf) =>
      Effect.map(
        lists.list(org.name, { query: { direction: "asc" }, asOf }, { page: 1, perPage: 100 }),
        ({ items }) => items.map(({ attestation }) => attestation)
      )
    const all = yield* ask(now)
    for (const { created_at: instant } of all)
      assert.deepStrictEqual(
        (yield* ask(at(instant))).map(({ id }) => id),
        all.filter(({ created_at }) => created_at <= instant).map(({ id }) => id),
        "HIST-31, HIST-34"
      )
  })

/** Checks the laws on an org. */
export const check = (org: Org, fingerprints: ReadonlyArray<Fingerprint>): Law =>
  Effect.gen(function* () {
    for (const environment of yield* (yield* EnvironmentStore).list(org.id)) {
      yield* snapshotsStand(org, environment)
      yield* hindsightStands(org, environment, fingerprints)
    }
    yield* trailsStand(org)
    yield* attestationsNest(org)
  })
