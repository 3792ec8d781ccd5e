/** The contract of builds of `ReadModels`: the first record of each fingerprint. */

import type { Artifact } from "@attestry/core/Artifact"
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { RepoId } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import { type BuildFilter, ReadModels } from "@attestry/core/ReadModels"
import * as Timestamp from "@attestry/core/Timestamp"
import * as TimeWindow from "@attestry/core/TimeWindow"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const REPOS = ["one", "two"].map((id) => RepoId.make(id))

const records = FastCheck.array(
  FastCheck.record({
    digit: FastCheck.constantFrom("a", "b", "c", "d"),
    repo_id: FastCheck.constantFrom(null, ...REPOS),
    flow: FastCheck.nat(1),
    gap: FastCheck.nat(2)
  }),
  { maxLength: 12 }
)

const at = (micros: number) => Timestamp.fromMicros(micros)

/** Windows and repositories. */
const FILTERS: ReadonlyArray<BuildFilter> = [
  { from: at(0), to: at(1_000) },
  { from: at(3), to: at(9) },
  { from: at(9), to: at(3) }
].flatMap((window) => [
  window,
  { ...window, repos: REPOS.slice(0, 1) },
  { ...window, repos: REPOS },
  { ...window, repos: [] }
])

const newestFirst = (left: Artifact, right: Artifact): number =>
  right.created_at - left.created_at || (left.fingerprint < right.fingerprint ? -1 : 1)

/** The builds that a filter means, from all records in their order. */
const buildsOf = (all: ReadonlyArray<Artifact>, filter: BuildFilter): ReadonlyArray<Artifact> =>
  all
    .filter((one, index) => all.findIndex((o) => o.fingerprint === one.fingerprint) === index)
    .filter(({ created_at }) => TimeWindow.includes(filter, created_at))
    .filter(({ repo_id }) => filter.repos?.some((repo) => repo === repo_id) ?? true)
    .filter(({ flow_id }) => filter.flows?.some((flow) => flow === flow_id) ?? true)
    .sort(newestFirst)

/** States the contract of `ReadModels`. */
export const buildReadsSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`ReadModels, builds (${name})`, ports, options, (it) => {
    it.effect.prop(
      "lists, counts and dates the first record of each fingerprint",
      { records },
      ({ records: given }) =>
        Effect.gen(function* () {
          const store = yield* ReadModels
          const artifacts = yield* ArtifactStore
          const org = yield* Fixture.org
          const one = yield* Fixture.trail(yield* Fixture.flow(org, "one"))
          const two = yield* Fixture.trail(yield* Fixture.flow(org, "two"))
          const all: Array<Artifact> = []
          for (const [index, { digit, flow, repo_id, gap }] of given.entries()) {
            const fingerprint = Fingerprint.make(digit.repeat(64))
            const record = yield* Fixture.newArtifact(flow === 0 ? one : two, index + 1)
            const created_at = at((all.at(-1)?.created_at ?? 0) + gap)
            all.push({
              ...record,
              fingerprint,
              report: { ...record.report, fingerprint },
              repo_id,
              created_at
            })
          }
          yield* Effect.forEach(all, (record) => artifacts.append(record))
          const filters = FILTERS.flatMap((filter) => [
            filter,
            { ...filter, flows: [one.flow_id] },
            { ...filter, flows: [one.flow_id, two.flow_id] },
            { ...filter, flows: [] }
          ])
          for (const filter of filters) {
            const meant = buildsOf(all, filter)
            for (const page of [1, 2, 9]) {
              const { items, total } = yield* store.builds(org.id, filter, { page, perPage: 2 })
              deepStrictEqual(
                { filter, page, total, items },
                { filter, page, total: meant.length, items: meant.slice(2 * page - 2, 2 * page) }
              )
            }
            deepStrictEqual(
              yield* store.buildInstants(org.id, filter),
              meant.map(({ created_at }) => created_at).reverse()
            )
          }
          const foreign = yield* Fixture.org
          deepStrictEqual(
            (yield* store.builds(foreign.id, FILTERS[0] ?? { from: at(0), to: at(1) }, {
              page: 1,
              perPage: 2
            })).total,
            0
          )
        }),
      { timeout: 600_000, fastCheck: { numRuns: 10, endOnFailure: true } }
    )
  })
