import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, Layer, Option } from "effect"
import { CurrentActor } from "../../src/access/Actor.js"
import { AccessEpoch } from "../../src/access/internal/AccessEpoch.js"
import { Reaches } from "../../src/access/Reaches.js"
import type { Role } from "../../src/access/Role.js"
import { BreakGlassStore } from "../../src/break-glass/BreakGlassStore.js"
import type { Environment } from "../../src/environment/Environment.js"
import { EnvironmentStore, type ReportDigests } from "../../src/environment/EnvironmentStore.js"
import { UpToDateEnvironments } from "../../src/environment/UpToDateEnvironments.js"
import { GrantStore } from "../../src/grant/GrantStore.js"
import { HistoryStore } from "../../src/history/HistoryStore.js"
import type { Org } from "../../src/org/Org.js"
import { PolicySets } from "../../src/policy/PolicySets.js"
import { PolicyStore } from "../../src/policy/PolicyStore.js"
import { EnvironmentName, OrgId, OrgName } from "../../src/shared/Identifier.js"
import { Transaction } from "../../src/shared/Transaction.js"
import { MemberChanges } from "../../src/snapshot/internal/MemberChanges.js"
import { Moments } from "../../src/snapshot/internal/Moments.js"
import { ProvenanceStore } from "../../src/snapshot/ProvenanceStore.js"
import { ReadModels } from "../../src/snapshot/ReadModels.js"
import { Reevaluations } from "../../src/snapshot/Reevaluations.js"
import { RowEvidence } from "../../src/snapshot/RowEvidence.js"
import * as SnapshotExpression from "../../src/snapshot/SnapshotExpression.js"
import { SnapshotStore } from "../../src/snapshot/SnapshotStore.js"
import { Snapshots } from "../../src/snapshot/Snapshots.js"
import { OrgSpaces } from "../../src/space/internal/OrgSpaces.js"
import { SpaceStore } from "../../src/space/SpaceStore.js"
import { WaiverStore } from "../../src/waiver/WaiverStore.js"
import * as Fixture from "../../testing/Fixture.js"
import { layerSecrets } from "../../webcrypto/SecretsWebCrypto.js"

const org: Org = { id: OrgId.make("org-1"), name: OrgName.make("acme"), created_at: Fixture.AT }
const prod = EnvironmentName.make("prod")

/** A store that knows one environment, writes heartbeats down, and dies of any other question. */
const storeOf = (environment: Environment, reportDigests: Option.Option<ReportDigests>) => {
  const beats: Array<number> = []
  const found = Option.some({
    environment,
    reportDigests,
    isPending: false,
    isOrgDue: false,
    now: Fixture.LATER
  })
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
    Layer.mock(HistoryStore, {}),
    Layer.mock(WaiverStore, {}),
    Layer.mock(ReadModels, {}),
    Layer.mock(PolicyStore, {}),
    Layer.mock(WaiverStore, {}),
    Layer.mock(Reevaluations, { _tag: "@attestry/core/Reevaluations" }),
    layerSecrets
  )
  // WHY mocks without an answer: who reads the whole org costs no question about spaces.
  const reaches = Reaches.Default.pipe(
    Layer.provide(OrgSpaces.Default),
    Layer.provide([
      AccessEpoch.Default,
      Layer.mock(SpaceStore, {}),
      Layer.mock(GrantStore, {}),
      Layer.mock(BreakGlassStore, {}),
      ports
    ])
  )
  return {
    beats,
    layer: Snapshots.Default.pipe(
      Layer.provide([
        UpToDateEnvironments.Default,
        PolicySets.Default,
        MemberChanges.Default,
        Moments.Default,
        RowEvidence.Default
      ]),
      Layer.provide(reaches),
      Layer.provide(ports)
    )
  }
}

const as = (role: Role) => Effect.provideService(CurrentActor, Fixture.actor([org, role]))

const environment = Effect.runSync(Fixture.newEnvironment(org))

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
