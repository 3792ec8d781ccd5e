/**
 * What a report costs before anything is evaluated: which ports are asked, and in which order reports are refused.
 * What evaluating does is tested on a store.
 */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, Layer, Option } from "effect"
import { CurrentActor } from "../../src/access/Actor.js"
import { AccessEpoch } from "../../src/access/internal/AccessEpoch.js"
import { Reaches } from "../../src/access/Reaches.js"
import type { Role } from "../../src/access/Role.js"
import { Fingerprint } from "../../src/artifact/Fingerprint.js"
import { BreakGlassStore } from "../../src/break-glass/BreakGlassStore.js"
import type { Environment } from "../../src/environment/Environment.js"
import { EnvironmentStore, type ReportDigests } from "../../src/environment/EnvironmentStore.js"
import { runningSetText } from "../../src/environment/RunningRow.js"
import { GrantStore } from "../../src/grant/GrantStore.js"
import type { Org } from "../../src/org/Org.js"
import * as EnvironmentReport from "../../src/report/EnvironmentReport.js"
import type { ReportReader } from "../../src/report/ReportReader.js"
import { Reports } from "../../src/report/Reports.js"
import { EnvironmentName, OrgId, OrgName } from "../../src/shared/Identifier.js"
import { Secrets } from "../../src/shared/Secrets.js"
import { Transaction } from "../../src/shared/Transaction.js"
import { LogicalSnapshots } from "../../src/snapshot/internal/LogicalSnapshots.js"
import { Silences } from "../../src/snapshot/internal/Silences.js"
import { SnapshotHistory } from "../../src/snapshot/internal/SnapshotHistory.js"
import { Reevaluations } from "../../src/snapshot/Reevaluations.js"
import { SnapshotStore } from "../../src/snapshot/SnapshotStore.js"
import { OrgSpaces } from "../../src/space/internal/OrgSpaces.js"
import { SpaceStore } from "../../src/space/SpaceStore.js"
import * as Fixture from "../../testing/Fixture.js"
import * as ReportFixture from "../../testing/ReportFixture.js"
import { layerSecrets } from "../../webcrypto/SecretsWebCrypto.js"

const org: Org = { id: OrgId.make("org-1"), name: OrgName.make("acme"), created_at: Fixture.AT }
const prod = EnvironmentName.make("prod")

const pod = (name: string) => ({
  digests: { shop: Fingerprint.make("a".repeat(64)) },
  creationTimestamp: 1,
  podName: name,
  namespace: "production"
})

const BODY = { artifacts: [pod("one"), pod("two")] }

const rows = EnvironmentReport.rows("K8S", BODY)

const digestOf = (includeScaling: boolean) =>
  Effect.flatMap(Secrets, ({ digest }) => digest(runningSetText(rows, { includeScaling }))).pipe(
    Effect.provide(layerSecrets)
  )

/** An org without spaces and grants. */
const ungranted = Reaches.Default.pipe(
  Layer.provide(OrgSpaces.Default),
  Layer.provide(
    Layer.mergeAll(
      AccessEpoch.Default,
      Layer.mock(SpaceStore, { list: () => Effect.succeed([]) }),
      Layer.mock(BreakGlassStore, { findAt: () => Effect.succeedNone }),
      Layer.mock(GrantStore, { listBindings: () => Effect.succeed([]) }),
      Layer.mock(Transaction, { run: (_, work) => work({ now: Effect.succeed(Fixture.AT) }) })
    )
  )
)

/** A store that knows one environment, writes heartbeats down, and dies of any other question. */
const storeOf = (
  reader: Layer.Layer<ReportReader>,
  environment: Environment,
  reportDigests: Option.Option<ReportDigests>
) => {
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
    Layer.mock(Transaction, {}),
    Layer.mock(SnapshotStore, {}),
    Layer.mock(SnapshotHistory, { _tag: "@attestry/core/SnapshotHistory" }),
    Layer.mock(LogicalSnapshots, { _tag: "@attestry/core/LogicalSnapshots" }),
    Layer.mock(Reevaluations, { _tag: "@attestry/core/Reevaluations" }),
    Layer.mock(Silences, { _tag: "@attestry/core/Silences" }),
    reader,
    layerSecrets
  )
  return { beats, layer: Reports.Default.pipe(Layer.provide(Layer.merge(ports, ungranted))) }
}

const as = (role: Role) => Effect.provideService(CurrentActor, Fixture.actor([org, role]))

const unread = Effect.dieMessage("the body was read")

const report = <E>(name: EnvironmentName, text: Effect.Effect<string, E>) =>
  Effect.flatMap(Reports, (reports) =>
    reports.accept(org.name, name, { kind: "K8S", bodyDigest: "known", text })
  )

const environment = Effect.runSync(Fixture.newEnvironment(org))

for (const [reading, reader] of ReportFixture.readers) {
  describe(`Reports.accept, ${reading} reader`, () => {
    it.effect("answers a known body without reading it, and moves the last report", () => {
      const reportDigests = { bodyDigest: "known", rowsDigest: "" }
      const { beats, layer } = storeOf(reader, environment, Option.some(reportDigests))
      return Effect.gen(function* () {
        assert.strictEqual(yield* report(prod, unread), "unchanged")
        assert.deepStrictEqual(beats, [Fixture.LATER])
      }).pipe(Effect.provide(layer), as("snapshotter"))
    })

    for (const include_scaling of [false, true]) {
      it.effect(`answers a new body that means the same, with scaling ${include_scaling}`, () =>
        Effect.gen(function* () {
          const reportDigests = {
            bodyDigest: "other",
            rowsDigest: yield* digestOf(include_scaling)
          }
          const recording = { ...environment, include_scaling }
          const { beats, layer } = storeOf(reader, recording, Option.some(reportDigests))
          for (const text of [JSON.stringify(BODY), JSON.stringify(BODY, null, 1)]) {
            const accepted = report(prod, Effect.succeed(text)).pipe(Effect.provide(layer))
            assert.strictEqual(yield* accepted, "unchanged")
          }
          assert.deepStrictEqual(beats, [Fixture.LATER, Fixture.LATER])
        }).pipe(as("snapshotter"))
      )
    }

    it.effect("refuses a caller before the body is read, then the body, then its environment", () =>
      Effect.gen(function* () {
        const other = { ...environment, type: "docker" as const }
        const { beats, layer } = storeOf(reader, other, Option.none())
        const none = EnvironmentName.make("none")
        const tag = <E extends { readonly _tag: string }>(
          name: EnvironmentName,
          role: Role,
          text: Effect.Effect<string, E>
        ) =>
          report(name, text).pipe(
            Effect.flip,
            Effect.map(({ _tag }) => _tag),
            Effect.provide(layer),
            as(role)
          )
        const [malformed, wellFormed] = [Effect.succeed("{"), Effect.succeed(JSON.stringify(BODY))]
        deepStrictEqual(
          [
            yield* tag(prod, "reader", unread),
            yield* tag(none, "admin", malformed),
            yield* tag(none, "admin", wellFormed),
            yield* tag(prod, "admin", malformed),
            yield* tag(prod, "admin", wellFormed)
          ],
          [
            "AccessDenied",
            "InvalidReport",
            "EnvironmentNotFound",
            "InvalidReport",
            "EnvironmentKindMismatch"
          ]
        )
        assert.deepStrictEqual(beats, [])
      })
    )

    it.effect("fails as making the text does, and then nothing is written", () =>
      Effect.gen(function* () {
        const { beats, layer } = storeOf(reader, environment, Option.none())
        const failed = yield* report(prod, Effect.fail("no UTF-8" as const)).pipe(
          Effect.flip,
          Effect.provide(layer)
        )
        assert.strictEqual(failed, "no UTF-8")
        assert.deepStrictEqual(beats, [])
      }).pipe(as("admin"))
    )
  })
}
