/** Many requests at once, through the use cases: all succeed, and they add up to one history (P-CONV). */

import { Environments } from "@attestry/core/Environments"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { Flows } from "@attestry/core/Flows"
import { EnvironmentName, FlowName, TrailName } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import type { Org } from "@attestry/core/Org"
import { Reports } from "@attestry/core/Reports"
import type { RunningRow } from "@attestry/core/RunningRow"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import { Snapshots } from "@attestry/core/Snapshots"
import { Trails } from "@attestry/core/Trails"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as ReportFixture from "@attestry/core/testing/ReportFixture"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { effort } from "../../core/test/shared/Effort.js"
import * as PgLayer from "./shared/PgLayer.js"
import * as UseCaseLayer from "./shared/UseCaseLayer.js"

const ROUNDS = effort(3, 50)
const REQUESTS = 64
const REPORTS = 32

const flow = FlowName.make("build")
const prod = EnvironmentName.make("prod")

/** The results of so many concurrent requests, most frequent last. */
const atOnce = <A extends string, E, R>(requests: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.map(Effect.all(requests, { concurrency: "unbounded" }), (outcomes) => {
    const counts = new Map<string, number>()
    for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    return Object.fromEntries(counts)
  })

const many = <A>(request: A): ReadonlyArray<A> => Array.from({ length: REQUESTS }, () => request)

const oneCreated = { created: 1, unchanged: REQUESTS - 1 }

const kindsOf = ({ id: org }: Org) =>
  Effect.gen(function* () {
    const journal = yield* JournalStore
    const entries = yield* journal.listAfter({ org, after: 0, limit: 1_000 })
    return entries.map(({ kind }) => kind)
  })

const inRounds = <E, R>(round: (org: Org) => Effect.Effect<void, E, R>) =>
  Effect.repeatN(
    Effect.flatMap(Fixture.org, (org) =>
      round(org).pipe(UseCaseLayer.as(Fixture.actor([org, "admin"])))
    ),
    ROUNDS - 1
  )

const fingerprint = (n: number) => Fingerprint.make(n.toString(16).padStart(64, "0"))

const rowOf = (n: number): RunningRow => ({
  name: "shop",
  fingerprint: fingerprint(n),
  creationTimestamp: [1_790_000_000],
  pods: null,
  container_task_context: null,
  serverless_run_context: null,
  cloudx_app_context: null
})

const reportOf = (n: number) => ReportFixture.submitted("docker", `body ${n}`, [rowOf(n)])

/** Every snapshot of an environment, oldest first. */
const historyOf = (org: Org, length: number) =>
  Effect.gen(function* () {
    const snapshots = yield* Snapshots
    return yield* Effect.forEach(
      Array.from({ length }, (_, at) => at + 1),
      (index) =>
        Effect.map(
          snapshots.get(org.name, prod, SnapshotExpression.index(index)),
          ({ snapshot }) => snapshot
        )
    )
  })

const LONG = { timeout: 600_000 }

layer(UseCaseLayer.layer(PgLayer.layer), { excludeTestServices: true })(
  `${REQUESTS} identical requests at once`,
  (it) => {
    it.effect(
      "create one flow",
      () =>
        inRounds((org) =>
          Effect.gen(function* () {
            const flows = yield* Flows
            const put = flows.put(org.name, { name: flow, description: "builds it" })
            assert.deepStrictEqual(yield* atOnce(many(put)), oneCreated)
            assert.strictEqual((yield* flows.get(org.name, flow)).description, "builds it")
            assert.deepStrictEqual(yield* kindsOf(org), ["flow_created"])
          })
        ),
      LONG
    )

    it.effect(
      "create one trail, and one flow for it",
      () =>
        inRounds((org) =>
          Effect.gen(function* () {
            const trails = yield* Trails
            const draft = { name: TrailName.make("run-1"), user_data: { run: 1 } }
            const begin = trails.begin(org.name, flow, draft)
            assert.deepStrictEqual(yield* atOnce(many(begin)), oneCreated)
            assert.deepStrictEqual(yield* kindsOf(org), ["flow_created", "trail_reported"])
            assert.strictEqual(yield* begin, "unchanged")
          })
        ),
      LONG
    )

    it.effect(
      "create one environment",
      () =>
        inRounds((org) =>
          Effect.gen(function* () {
            const environments = yield* Environments
            const put = environments.put(org.name, { name: prod, type: "K8S" })
            assert.deepStrictEqual(yield* atOnce(many(put)), oneCreated)
            assert.strictEqual((yield* environments.get(org.name, prod)).environment.type, "K8S")
            assert.deepStrictEqual(yield* kindsOf(org), ["environment_created"])
          })
        ),
      LONG
    )
  }
)

layer(UseCaseLayer.layer(PgLayer.layer), { excludeTestServices: true })(
  `${REPORTS} different reports of one environment at once`,
  (it) => {
    it.effect(
      "become one history without gaps, with a place for each that changed something",
      () =>
        inRounds((org) =>
          Effect.gen(function* () {
            const environments = yield* Environments
            const snapshots = yield* Snapshots
            const reports = yield* Reports
            yield* environments.put(org.name, { name: prod, type: "docker" })
            const numbers = Array.from({ length: REPORTS }, (_, n) => n)
            const counts = yield* atOnce(
              numbers.map((n) => reports.accept(org.name, prod, reportOf(n)))
            )
            assert.deepStrictEqual(counts, { changed: REPORTS })

            const history = yield* historyOf(org, REPORTS)
            assert.deepStrictEqual(
              history.map(({ index }) => index),
              numbers.map((n) => n + 1)
            )
            const [, ...nexts] = history.map(({ timestamp }): number | null => timestamp)
            assert.deepStrictEqual(
              history.map(({ next_timestamp }) => next_timestamp),
              [...nexts, null]
            )
            assert.strictEqual(
              history.every(({ timestamp }, at) => timestamp > (history[at - 1]?.timestamp ?? 0)),
              true
            )
            const running = history.map(({ rows }) =>
              rows.flatMap((row) => (row.annotation.type === "exited" ? [] : [row.fingerprint]))
            )
            assert.deepStrictEqual(
              running.flat().sort(),
              numbers.map((n): string => fingerprint(n)).sort()
            )
            const past = yield* Effect.flip(
              snapshots.get(org.name, prod, SnapshotExpression.index(REPORTS + 1))
            )
            assert.strictEqual(past._tag, "SnapshotNotFound")
            assert.deepStrictEqual(yield* kindsOf(org), [
              "environment_created",
              ...numbers.map(() => "snapshot_created")
            ])
          })
        ),
      LONG
    )

    it.effect(
      "add nothing when they equal the last report",
      () =>
        inRounds((org) =>
          Effect.gen(function* () {
            const environments = yield* Environments
            const reports = yield* Reports
            yield* environments.put(org.name, { name: prod, type: "docker" })
            const report = reports.accept(org.name, prod, reportOf(1))
            const counts = yield* atOnce(many(report))
            assert.deepStrictEqual(counts, { changed: 1, unchanged: REQUESTS - 1 })
            assert.deepStrictEqual(yield* kindsOf(org), ["environment_created", "snapshot_created"])
          })
        ),
      LONG
    )
  }
)
