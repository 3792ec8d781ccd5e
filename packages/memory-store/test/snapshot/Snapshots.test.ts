/** What reports make of an environment: snapshots, their rows, and the times that they leave. */

import { Environments } from "@attestry/core/Environments"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { EnvironmentName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import { Reports } from "@attestry/core/Reports"
import type { RunningRow } from "@attestry/core/RunningRow"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import { Snapshots } from "@attestry/core/Snapshots"
import * as ReportFixture from "@attestry/core/testing/ReportFixture"
import { assert, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, TestClock } from "effect"
import * as UseCaseLayer from "../shared/UseCaseLayer.js"

const { inOrg, journalOf, tagOf } = UseCaseLayer
const name = EnvironmentName.make("prod")

/** A row by its name and the times of its instances. */
const row = (of: string, ...creationTimestamp: ReadonlyArray<number>): RunningRow => ({
  name: of,
  fingerprint: Fingerprint.make("a".repeat(64)),
  creationTimestamp,
  pods: null,
  container_task_context: null,
  serverless_run_context: null,
  cloudx_app_context: null
})

let bodies = 0

const report = (org: Org, ...rows: ReadonlyArray<RunningRow>) =>
  Effect.flatMap(Reports, (reports) => {
    bodies += 1
    return reports.accept(org.name, name, ReportFixture.submitted("docker", `body ${bodies}`, rows))
  })

const get = (org: Org, expression: SnapshotExpression.SnapshotExpression) =>
  Effect.flatMap(Snapshots, (snapshots) => snapshots.get(org.name, name, expression))

/** Each listed row with what changed about it. */
const listed = (org: Org, expression: SnapshotExpression.SnapshotExpression) =>
  Effect.map(get(org, expression), ({ snapshot }) =>
    snapshot.rows.map(({ annotation, ...of }) => {
      const { type, was, now } = annotation
      return `${of.name} ${type} ${was}→${now}`
    })
  )

const create = (org: Org, include_scaling = false) =>
  Effect.flatMap(Environments, (environments) =>
    environments.put(org.name, { name, type: "docker", include_scaling })
  )

const { index, now } = SnapshotExpression

it.layer(UseCaseLayer.layer)("Snapshots", (it) => {
  it.effect("list what started, what stays and what has just exited", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        yield* create(org)
        const outcomes = [
          yield* report(org, row("web", 2), row("shop", 1)),
          yield* report(org, row("shop", 1, 3), row("jobs", 9)),
          yield* report(org, row("shop", 1), row("jobs", 9)),
          yield* report(org)
        ]
        deepStrictEqual(outcomes, ["changed", "changed", "unchanged", "changed"])
        deepStrictEqual(yield* Effect.forEach([1, 2, 3], (n) => listed(org, index(n))), [
          ["web started-unknown 0→1", "shop started-unknown 0→1"],
          ["jobs started-unknown 0→1", "shop unchanged 1→2", "web exited 1→0"],
          ["jobs exited 1→0", "shop exited 2→0"]
        ])
        deepStrictEqual(yield* journalOf(org), [
          "environment_created environment",
          ...Array(3).fill("snapshot_created environment")
        ])
      })
    )
  )

  it.effect("record scaling only where that is wanted, and from then on", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        yield* create(org)
        yield* report(org, row("shop", 1))
        assert.strictEqual(yield* report(org, row("shop", 1, 2)), "unchanged")
        yield* create(org, true)
        assert.strictEqual(yield* report(org, row("shop", 1, 2)), "changed")
        deepStrictEqual(yield* listed(org, now), ["shop scaled 1→2"])
        assert.strictEqual(yield* report(org, row("shop", 8, 9)), "unchanged")
      })
    )
  )

  it.effect("are found by index, by distance and by time", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        yield* create(org)
        for (const of of ["a", "b", "c"]) {
          yield* report(org, row(of, 1))
          yield* TestClock.adjust("1 hour")
        }
        const { ago, behind } = SnapshotExpression
        const asked = [index(1), index(-1), behind(1), now, ago(1, "hours"), ago(2, "hours")]
        const found = yield* Effect.forEach(asked, (expression) =>
          Effect.map(get(org, expression), ({ snapshot }) => snapshot.index)
        )
        deepStrictEqual(found, [1, 3, 2, 3, 3, 2])
        const first = (yield* get(org, index(1))).snapshot
        const second = (yield* get(org, index(2))).snapshot
        assert.strictEqual(first.next_timestamp, second.timestamp)
        assert.strictEqual(second.timestamp - first.timestamp, 3_600_000_000)
        assert.strictEqual(yield* tagOf(get(org, ago(1, "days"))), "SnapshotNotFound")
        assert.strictEqual(yield* tagOf(get(org, index(4))), "SnapshotNotFound")
      })
    )
  )

  it.effect("have rising times, also when the clock stands still", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        yield* create(org)
        for (const of of ["a", "b", "c"]) yield* report(org, row(of, 1))
        const times = yield* Effect.forEach([1, 2, 3], (n) =>
          Effect.map(get(org, index(n)), ({ snapshot }) => snapshot.timestamp)
        )
        const [first = 0] = times
        deepStrictEqual(times.map(Number), [first, first + 1, first + 2])
      })
    )
  )

  it.effect(
    "SNAP-8: move the time of the last report always, of the last change when there is one",
    () =>
      inOrg((org) =>
        Effect.gen(function* () {
          yield* create(org)
          yield* report(org, row("shop", 1))
          const before = (yield* get(org, now)).environment
          yield* TestClock.adjust("1 minute")
          yield* report(org, row("shop", 1))
          const after = (yield* get(org, now)).environment
          deepStrictEqual(after, {
            ...before,
            last_reported_at: after.last_reported_at
          })
          assert.strictEqual(
            Number(after.last_reported_at) - Number(before.last_reported_at),
            60_000_000
          )
        })
      )
  )

  it.effect("begin with an empty one when nothing runs at first", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        yield* create(org)
        assert.strictEqual(yield* report(org), "changed")
        assert.strictEqual(yield* report(org), "unchanged")
        deepStrictEqual(yield* listed(org, now), [])
      })
    )
  )
})
