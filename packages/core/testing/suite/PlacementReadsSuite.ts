/** The contract of `ReadModels` about placements: the result of a fold over all snapshots. */
import { archive, type Environment, ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { FingerprintPrefix, isKnown } from "@attestry/core/Fingerprint"
import { EnvironmentName } from "@attestry/core/Identifier"
import { type Placement, runsOf } from "@attestry/core/Placement"
import type { Ports } from "@attestry/core/Ports"
import { ReadModels } from "@attestry/core/ReadModels"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Reports from "../EnvironmentReport.js"
import * as Fixture from "../Fixture.js"
import * as Model from "../internal/model/PlacementModel.js"
import { type AppendedSnapshot, restlessHistory } from "../Snapshot.js"
import { suite } from "../Suite.js"
import type { SnapshotStoreSuiteOptions } from "./SnapshotStoreSuite.js"

type History = ReadonlyArray<AppendedSnapshot>

const appendAll = (environment: Environment, history: History) =>
  Effect.flatMap(SnapshotStore, (store) =>
    Effect.forEach(history, ({ draft }) => store.append(ref(environment), draft))
  )

const modelOf = (environment: Environment, history: History): Model.ModelEnvironment => ({
  name: environment.name,
  isArchived: environment.archived_at !== null,
  snapshots: history.map(({ draft, running }) => ({
    index: draft.index,
    at: draft.timestamp,
    fingerprints: running.map(({ fingerprint }) => fingerprint)
  }))
})

/** A placement in the form of the model. */
const turnsOf = ({ environmentName, runs }: Placement): ReadonlyArray<Model.ModelTurn> =>
  runs.flatMap(({ exited, started }) => [
    { environment: environmentName, kind: "started" as const, ...started },
    ...(exited === null
      ? []
      : [{ environment: environmentName, kind: "exited" as const, ...exited }])
  ])

/** Three environments with histories: one renamed, one archived whose name another has. */
const prepare = (histories: readonly [History, History, History]) =>
  Effect.gen(function* () {
    const store = yield* EnvironmentStore
    const org = yield* Fixture.org
    const [one, two] = [yield* Fixture.environment(org), yield* Fixture.environment(org, "old")]
    yield* appendAll(one, histories[0])
    yield* appendAll(two, histories[1])
    const renamed = { ...one, name: EnvironmentName.make("renamed") }
    yield* store.rename(renamed, one.name)
    const archived = archive(two, Fixture.LATER)
    yield* store.rename(archived, two.name)
    const three = yield* Fixture.environment(org, "old")
    yield* appendAll(three, histories[2])
    const environments = [renamed, archived, three]
    return {
      org,
      environments,
      models: environments.map((environment, at) => modelOf(environment, histories[at] ?? []))
    }
  })

const sortedByName = (models: ReadonlyArray<Model.ModelEnvironment>) =>
  [...models].sort((left, right) => (left.name < right.name ? -1 : 1))

/** States the contract of `ReadModels` about placements. */
export const placementReadsSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { histories = 8, snapshots = 50, ...options }: SnapshotStoreSuiteOptions = {}
): void =>
  suite(`ReadModels, placements (${name})`, ports, options, (it) => {
    const history = restlessHistory(snapshots)
    it.effect.prop(
      "is the result of a fold over all snapshots",
      { all: FastCheck.tuple(history, history, restlessHistory(4)) },
      ({ all }) =>
        Effect.gen(function* () {
          const store = yield* ReadModels
          const { org, environments, models } = yield* prepare(all)
          const fingerprints = [...Reports.fingerprints].sort()
          const found = yield* store.placements(org.id, fingerprints)
          deepStrictEqual(
            found.flatMap(turnsOf),
            fingerprints.flatMap((fingerprint) =>
              sortedByName(models).flatMap((model) => Model.turns(model, fingerprint))
            )
          )
          for (const { currentIndex, environment, isArchived } of found) {
            const at = environments.findIndex(({ id }) => id === environment)
            deepStrictEqual([currentIndex, isArchived], [all[at]?.length, at === 1])
          }
          const keys = runsOf(found).map(({ newest }) => newest)
          const rows = yield* store.placedRows(org.id, keys)
          const expected = keys.flatMap(({ environment, index, fingerprint }) => {
            const at = environments.findIndex(({ id }) => id === environment)
            return (all[at]?.[index - 1]?.running ?? []).flatMap((row) =>
              row.fingerprint === fingerprint
                ? [{ environment, index, fingerprint, name: row.name, verdict: row.verdict }]
                : []
            )
          })
          const text = (row: object) => JSON.stringify(row)
          deepStrictEqual(rows.map(text).sort(), expected.map(text).sort())
        }),
      { timeout: 600_000, fastCheck: { numRuns: histories, endOnFailure: true } }
    )

    it.effect.prop(
      "finds by prefix what runs or ran in active environments of this org",
      { all: FastCheck.tuple(restlessHistory(3), restlessHistory(3), restlessHistory(3)) },
      ({ all }) =>
        Effect.gen(function* () {
          const store = yield* ReadModels
          const { environments, org } = yield* prepare(all)
          const ran = [all[0], all[2]].flatMap((one) =>
            one.flatMap(({ running }) => running.map(({ fingerprint }) => fingerprint))
          )
          const expected = [...new Set(ran.filter(isKnown))].sort()
          for (const whole of Reports.fingerprints) {
            const query = { org: org.id, prefix: FingerprintPrefix.make(whole.slice(0, 5)) }
            const meant = expected.filter((one) => one.startsWith(query.prefix))
            deepStrictEqual(yield* store.placedFingerprints({ ...query, limit: 100 }), meant)
            deepStrictEqual(
              yield* store.placedFingerprints({ ...query, limit: 1 }),
              meant.slice(0, 1)
            )
            const there = all[2].flatMap(({ running }) => running)
            const isThere = (one: string) => there.some(({ fingerprint }) => fingerprint === one)
            for (const [places, wanted] of [
              [environments.slice(2), meant.filter(isThere)],
              [[], []]
            ] as const) {
              const ids = places.map(({ id }) => id)
              deepStrictEqual(
                yield* store.placedFingerprints({ ...query, environments: ids, limit: 100 }),
                wanted
              )
            }
          }
          const foreign = yield* Fixture.org
          deepStrictEqual(yield* store.placements(foreign.id, Reports.fingerprints), [])
          deepStrictEqual(yield* store.placements(org.id, []), [])
          deepStrictEqual(yield* store.placedRows(org.id, []), [])
        }),
      { fastCheck: { numRuns: 3 } }
    )
  })
