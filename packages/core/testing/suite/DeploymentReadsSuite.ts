/** The contract of deployments of `ReadModels`: the result of a fold over all snapshots. */

import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { archive, type Environment, ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { ArtifactId, EnvironmentName, FlowId, RepoId } from "@attestry/core/Identifier"
import type { Page } from "@attestry/core/Page"
import type { Ports } from "@attestry/core/Ports"
import { ReadModels } from "@attestry/core/ReadModels"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import type { DeploymentFilter, StoredDeployment } from "@attestry/core/StoredDeployment"
import * as Timestamp from "@attestry/core/Timestamp"
import * as TimeWindow from "@attestry/core/TimeWindow"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Reports from "../EnvironmentReport.js"
import * as Fixture from "../Fixture.js"
import { type AppendedSnapshot, restlessHistory } from "../Snapshot.js"
import { suite } from "../Suite.js"
import type { SnapshotStoreSuiteOptions } from "./SnapshotStoreSuite.js"

type History = ReadonlyArray<AppendedSnapshot>

const REPO = RepoId.make("repo-1")

/** A deployment as the test compares it. */
interface Shown {
  readonly environment: string
  readonly index: number
  readonly position: number
  readonly at: Timestamp.Timestamp
  readonly fingerprint: string
  readonly flows: ReadonlyArray<string>
}

const shown = ({ environmentId, event }: StoredDeployment): Shown => ({
  environment: environmentId,
  index: event.index,
  position: event.position,
  at: event.timestamp,
  fingerprint: event.row.fingerprint,
  flows: event.row.flows.map(({ flow_id }) => flow_id)
})

/** The deployments of a history, from the snapshots that were appended. */
const folded = ({ id }: Environment, history: History): ReadonlyArray<Shown> =>
  history.flatMap(({ draft, running }) =>
    draft.events.flatMap(({ arrived, name, fingerprint }, at) => {
      const row = running.find((each) => each.name === name && each.fingerprint === fingerprint)
      return arrived && row !== undefined
        ? [
            {
              environment: id,
              index: draft.index,
              position: at + 1,
              at: draft.timestamp,
              fingerprint,
              flows: row.flows.map(({ flow_id }) => flow_id)
            }
          ]
        : []
    })
  )

const newestFirst = (left: Shown, right: Shown): number =>
  right.at - left.at ||
  (left.environment === right.environment
    ? left.position - right.position
    : left.environment < right.environment
      ? -1
      : 1)

/** INVARIANT: every flow view is of one record, which names `REPO`. */
const passes =
  (filter: DeploymentFilter) =>
  (one: Shown): boolean =>
    (filter.environments === undefined ||
      filter.environments.some((id) => id === one.environment)) &&
    (filter.fingerprint === undefined || filter.fingerprint === one.fingerprint) &&
    (filter.flow === undefined || one.flows.includes(filter.flow)) &&
    (filter.repos === undefined || (filter.repos.includes(REPO) && one.flows.length > 0)) &&
    (filter.repos === undefined ||
      filter.flows === undefined ||
      filter.flows.some((id) => id === one.flows[0])) &&
    TimeWindow.includes(filter, one.at)

/** Three environments with histories, the last of them archived, and the record that their flow views are of. */
const prepare = (histories: ReadonlyArray<History>) =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    const trail = yield* Fixture.trail(yield* Fixture.flow(org))
    const record = yield* Fixture.newArtifact(trail, 1)
    const artifacts = yield* ArtifactStore
    yield* artifacts.append({ ...record, id: ArtifactId.make("artifact-1"), repo_id: REPO })
    const snapshots = yield* SnapshotStore
    const environments = yield* Effect.forEach(histories, (history, at) =>
      Effect.gen(function* () {
        const environment = yield* Fixture.environment(org, `environment-${at}`)
        yield* Effect.forEach(history, ({ draft }) => snapshots.append(ref(environment), draft))
        return environment
      })
    )
    const [one, two, three] = environments
    if (one === undefined || two === undefined || three === undefined)
      return yield* Effect.dieMessage("three histories")
    const store = yield* EnvironmentStore
    yield* store.rename(archive(three, Fixture.LATER), three.name)
    const foldedOf = (places: ReadonlyArray<Environment>) =>
      places
        .flatMap((environment, at) => folded(environment, histories[at] ?? []))
        .sort(newestFirst)
    return {
      org,
      active: [one, two],
      archived: three,
      all: foldedOf([one, two]),
      before: foldedOf([one, two, three])
    }
  })

const filtersOf = (
  [one, two]: ReadonlyArray<Environment>,
  archived: Environment
): ReadonlyArray<DeploymentFilter> => {
  const places = [one, two, archived].flatMap((place) => (place === undefined ? [] : [place.id]))
  const middle = {
    from: Timestamp.fromMicros(1_790_000_000_000_003),
    to: Timestamp.fromMicros(1_790_000_000_000_009)
  }
  const [fingerprint] = Reports.fingerprints
  const flow = FlowId.make("flow-1")
  const basic: ReadonlyArray<DeploymentFilter> = [
    {},
    { flow },
    { repos: [REPO] },
    { repos: [REPO, RepoId.make("other")] },
    { repos: [] },
    { repos: [REPO], flow },
    { repos: [REPO], flows: [flow] },
    { repos: [REPO], flow, flows: [FlowId.make("flow-2")] },
    { repos: [REPO], flows: [] },
    ...(fingerprint === undefined
      ? []
      : [
          { fingerprint },
          { fingerprint, flow },
          { fingerprint, repos: [REPO] },
          { fingerprint, repos: [REPO], flows: [flow] }
        ])
  ]
  return basic.flatMap((filter) => [
    filter,
    { ...filter, environments: places.slice(0, 1) },
    { ...filter, environments: places },
    { ...filter, ...middle },
    { ...filter, environments: places, ...middle },
    { ...filter, from: middle.to, to: middle.from },
    { ...filter, to: middle.from }
  ])
}

/** States the contract of `ReadModels`. */
export const deploymentReadsSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { histories = 8, snapshots = 15, ...options }: SnapshotStoreSuiteOptions = {}
): void =>
  suite(`ReadModels, deployments (${name})`, ports, options, (it) => {
    const history = restlessHistory(Math.min(snapshots, 15))
    it.effect.prop(
      "lists and counts the result of a fold over all snapshots, by every filter",
      { all: FastCheck.tuple(history, history, restlessHistory(3)) },
      ({ all: given }) =>
        Effect.gen(function* () {
          const store = yield* ReadModels
          const { org, active, archived, all, before } = yield* prepare(given)
          for (const filter of filtersOf(active, archived)) {
            const meant = all.filter(passes(filter))
            const newest = yield* store.newestDeployment(org.id, filter)
            deepStrictEqual(Option.toArray(newest).map(shown), meant.slice(0, 1))
            for (const archivedBy of [Fixture.AT, Fixture.LATER]) {
              const then = yield* store.newestDeployment(org.id, { ...filter, archivedBy })
              const was = archivedBy === Fixture.AT ? before : all
              deepStrictEqual(
                Option.toArray(then).map(shown),
                was.filter(passes(filter)).slice(0, 1)
              )
            }
            for (const [wanted, of] of [
              [filter, all],
              [{ ...filter, archivedBy: Fixture.AT }, before],
              [{ ...filter, archivedBy: Fixture.LATER }, all]
            ] as const) {
              const found = of.filter(passes(filter))
              for (const page of [1, 2, 9]) {
                const asked: Page = { page, perPage: 4 }
                const { items, total } = yield* store.deployments(org.id, wanted, asked)
                deepStrictEqual(
                  { wanted, page, total, items: items.map(shown) },
                  { wanted, page, total: found.length, items: found.slice(4 * page - 4, 4 * page) }
                )
              }
            }
          }
        }),
      { timeout: 600_000, fastCheck: { numRuns: histories, endOnFailure: true } }
    )

    it.effect.prop(
      "gives the series of a repository, and what of it runs",
      { all: FastCheck.tuple(history, history, restlessHistory(3)) },
      ({ all: given }) =>
        Effect.gen(function* () {
          const store = yield* ReadModels
          const { org, active, all } = yield* prepare(given)
          const window = {
            from: Timestamp.fromMicros(1_790_000_000_000_003),
            to: Timestamp.fromMicros(1_790_000_000_000_009)
          }
          for (const flows of [undefined, [FlowId.make("flow-1")], []]) {
            const only = flows === undefined ? {} : { flows }
            const known = all.filter(passes({ repos: [REPO], ...only })).reverse()
            const expected = active
              .filter(({ id }) => known.some(({ environment }) => environment === id))
              .map(({ id, name: named }) => ({
                environmentId: id,
                environmentName: EnvironmentName.make(named),
                at: known
                  .filter((one) => one.environment === id && TimeWindow.includes(window, one.at))
                  .map(({ at }) => at)
              }))
            const found = yield* store.deploymentSeries(org.id, REPO, { ...window, ...only })
            deepStrictEqual(
              found.map(({ deployments, ...series }) => ({
                ...series,
                at: deployments.map(({ deployedAt }) => deployedAt)
              })),
              expected
            )
          }
          const rows = active.flatMap(({ id }, at) =>
            (given[at]?.at(-1)?.running ?? [])
              .filter(({ flows }) => flows.length > 0)
              .map((row) => JSON.stringify([id, given[at]?.length, row.name, row.fingerprint]))
          )
          const live = yield* store.liveRows(org.id, REPO)
          deepStrictEqual(
            live
              .map(({ environmentId, snapshotIndex, row }) =>
                JSON.stringify([environmentId, snapshotIndex, row.name, row.fingerprint])
              )
              .sort(),
            rows.sort()
          )
          deepStrictEqual(yield* store.deploymentSeries(org.id, RepoId.make("other"), window), [])
          deepStrictEqual(yield* store.liveRows(org.id, RepoId.make("other")), [])
        }),
      { timeout: 600_000, fastCheck: { numRuns: histories, endOnFailure: true } }
    )
  })
