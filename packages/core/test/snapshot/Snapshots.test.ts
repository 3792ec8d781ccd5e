/**
 * What a report costs before anything is evaluated: which ports are asked, and in which order things are
 * refused. What evaluating does is tested on a store.
 */

import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, Layer, Option } from "effect"
import { CurrentActor } from "../../src/access/Actor.js"
import type { Role } from "../../src/access/Role.js"
import type { Environment } from "../../src/environment/Environment.js"
import { EnvironmentStore, type ReportDigests } from "../../src/environment/EnvironmentStore.js"
import { UpToDateEnvironments } from "../../src/environment/internal/UpToDateEnvironments.js"
import type * as ReportContent from "../../src/environment/ReportContent.js"
import { type RunningRow, runningSetText } from "../../src/environment/RunningRow.js"
import type { Org } from "../../src/org/Org.js"
import { PolicySets } from "../../src/policy/internal/PolicySets.js"
import { PolicyStore } from "../../src/policy/PolicyStore.js"
import { EnvironmentName, OrgId, OrgName } from "../../src/shared/Identifier.js"
import { Reevaluation } from "../../src/shared/Reevaluation.js"
import { Secrets } from "../../src/shared/Secrets.js"
import { Transaction } from "../../src/shared/Transaction.js"
import { LogicalSnapshots } from "../../src/snapshot/internal/LogicalSnapshots.js"
import { MemberChanges } from "../../src/snapshot/internal/MemberChanges.js"
import { ProvenanceStore } from "../../src/snapshot/ProvenanceStore.js"
import { Reports } from "../../src/snapshot/Reports.js"
import * as SnapshotExpression from "../../src/snapshot/SnapshotExpression.js"
import { SnapshotHistory } from "../../src/snapshot/SnapshotHistory.js"
import { SnapshotStore } from "../../src/snapshot/SnapshotStore.js"
import { Snapshots } from "../../src/snapshot/Snapshots.js"
import * as Fixture from "../../testing/suite/Fixture.js"
import { layerSecrets } from "../../webcrypto/SecretsWebCrypto.js"

const org: Org = { id: OrgId.make("org-1"), name: OrgName.make("acme"), created_at: Fixture.AT }
const prod = EnvironmentName.make("prod")

const row: RunningRow = {
  name: "shop",
  fingerprint: "",
  creationTimestamp: [1, 2],
  pods: null,
  container_task_context: null,
  serverless_run_context: null,
  cloudx_app_context: null
}

const digestOf = (includeScaling: boolean) =>
  Effect.flatMap(Secrets, ({ digest }) => digest(runningSetText([row], { includeScaling }))).pipe(
    Effect.provide(layerSecrets)
  )

/** Content whose rows nobody may ask for. */
const sayingTheSame: ReportContent.ReportContent = {
  runningSetText: (options) => runningSetText([row], options),
  isNews: () => false,
  rows: () => {
    throw new Error("rows were asked for")
  },
  known: Option.none
}

/** A store that knows one environment, writes heartbeats down, and dies of any other question. */
const storeOf = (environment: Environment, mark: Option.Option<ReportDigests>) => {
  const beats: Array<number> = []
  const found = Option.some({ environment, mark, isPending: false, now: Fixture.LATER })
  const ports = Layer.mergeAll(
    Layer.mock(EnvironmentStore, {
      findByName: ({ name }) => Effect.succeed(name === prod ? found : Option.none()),
      heartbeat: (_, at) => Effect.sync(() => void beats.push(at))
    }),
    Layer.mock(SnapshotStore, {
      latest: () => Effect.succeed(Option.none()),
      find: () => Effect.succeed(Option.none())
    }),
    Layer.mock(Transaction, { run: (_, work) => work({ now: Effect.succeed(Fixture.LATER) }) }),
    Layer.mock(ProvenanceStore, {}),
    Layer.mock(SnapshotHistory, { _tag: "@attestry/core/SnapshotHistory" }),
    Layer.mock(LogicalSnapshots, { _tag: "@attestry/core/LogicalSnapshots" }),
    Layer.mock(PolicyStore, {}),
    Layer.mock(Reevaluation, {}),
    layerSecrets
  )
  return {
    beats,
    layer: Snapshots.Default.pipe(
      Layer.provide(Reports.Default),
      Layer.provide([UpToDateEnvironments.Default, PolicySets.Default, MemberChanges.Default]),
      Layer.provide(ports)
    )
  }
}

const as = (role: Role) => Effect.provideService(CurrentActor, Fixture.actor([org, role]))

const unread = Effect.dieMessage("the body was read")

const report = <E>(name: EnvironmentName, content: Effect.Effect<ReportContent.ReportContent, E>) =>
  Effect.flatMap(Snapshots, (snapshots) =>
    snapshots.report(org.name, name, { kind: "K8S", bodyDigest: "known", content: () => content })
  )

const environment = Effect.runSync(Fixture.newEnvironment(org))

describe("Snapshots.report", () => {
  const known = storeOf(environment, Option.some({ bodyDigest: "known", rowsDigest: "" }))

  it.effect("answers a known body without reading it, and moves the time of the last report", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* report(prod, unread), "unchanged")
      assert.deepStrictEqual(known.beats, [Fixture.LATER])
    }).pipe(Effect.provide(known.layer), as("snapshotter"))
  )

  for (const include_scaling of [false, true]) {
    it.effect(`answers a new body that says the same, with scaling ${include_scaling}`, () =>
      Effect.gen(function* () {
        const mark = { bodyDigest: "other", rowsDigest: yield* digestOf(include_scaling) }
        const { beats, layer } = storeOf({ ...environment, include_scaling }, Option.some(mark))
        const said = report(prod, Effect.succeed(sayingTheSame)).pipe(Effect.provide(layer))
        assert.strictEqual(yield* said, "unchanged")
        assert.deepStrictEqual(beats, [Fixture.LATER])
      }).pipe(as("snapshotter"))
    )
  }

  it.effect("refuses a caller before the body is read, then the body, then its environment", () =>
    Effect.gen(function* () {
      const { beats, layer } = storeOf({ ...environment, type: "docker" }, Option.none())
      const none = EnvironmentName.make("none")
      const malformed = Effect.fail({ _tag: "Malformed" as const })
      const wellFormed = Effect.succeed(sayingTheSame)
      const tag = <E extends { readonly _tag: string }>(
        name: EnvironmentName,
        role: Role,
        content: Effect.Effect<ReportContent.ReportContent, E>
      ) =>
        report(name, content).pipe(
          Effect.flip,
          Effect.map(({ _tag }) => _tag),
          Effect.provide(layer),
          as(role)
        )
      deepStrictEqual(
        [
          yield* tag(prod, "reader", unread),
          yield* tag(none, "admin", malformed),
          yield* tag(none, "admin", wellFormed),
          yield* tag(prod, "admin", malformed),
          yield* tag(prod, "admin", wellFormed)
        ],
        ["AccessDenied", "Malformed", "EnvironmentNotFound", "Malformed", "EnvironmentKindMismatch"]
      )
      assert.deepStrictEqual(beats, [])
    })
  )

  it.effect("fails as reading the body does, and then nothing is written", () =>
    Effect.gen(function* () {
      const { beats, layer } = storeOf(environment, Option.none())
      const snapshots = yield* Effect.provide(Snapshots, layer)
      const failed = yield* Effect.flip(
        snapshots.report(org.name, prod, {
          kind: "K8S",
          bodyDigest: "new",
          content: () => Effect.fail("no JSON" as const)
        })
      )
      assert.strictEqual(failed, "no JSON")
      assert.deepStrictEqual(beats, [])
    }).pipe(as("admin"))
  )
})

describe("Snapshots.get", () => {
  const { layer } = storeOf(environment, Option.none())

  it.effect("says which index an expression came to when there is no such snapshot", () =>
    Effect.gen(function* () {
      const snapshots = yield* Snapshots
      const { ago, at, behind, index, now } = SnapshotExpression
      const asked = [index(1), index(-1), behind(0), now, ago(1, "days"), at(Fixture.AT)]
      const failures = yield* Effect.forEach(asked, (expression) =>
        Effect.flip(snapshots.get(org.name, prod, expression))
      )
      deepStrictEqual(
        failures.map((error) =>
          error._tag === "SnapshotNotFound" ? [error.index, error.latestIndex] : error
        ),
        [
          [1, 0],
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 0]
        ]
      )
    }).pipe(Effect.provide(layer), as("reader"))
  )

  it.effect("finds no environment of another name, and denies a stranger first", () =>
    Effect.gen(function* () {
      const snapshots = yield* Snapshots
      const get = Effect.flip(
        snapshots.get(org.name, EnvironmentName.make("none"), SnapshotExpression.now)
      )
      assert.strictEqual((yield* as("reader")(get))._tag, "EnvironmentNotFound")
      const stranger = Effect.provideService(get, CurrentActor, Fixture.actor())
      assert.strictEqual((yield* stranger)._tag, "AccessDenied")
    }).pipe(Effect.provide(layer))
  )
})
