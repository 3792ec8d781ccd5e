/** Laws of exposures on generated histories and records, on any store: EXPO-2 and EXPO-3. */

import { type Artifact, commitOf } from "@attestry/core/Artifact"
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { ref } from "@attestry/core/Environment"
import * as Exposure from "@attestry/core/Exposure"
import type { Flow } from "@attestry/core/Flow"
import { CommitSha, RepoId, SlotName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import { ReadModels } from "@attestry/core/ReadModels"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import type { Trail } from "@attestry/core/Trail"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Reports from "../EnvironmentReport.js"
import * as Fixture from "../Fixture.js"
import { type AppendedSnapshot, restlessHistory, snapshotHistory } from "../Snapshot.js"
import { suite } from "../Suite.js"
import * as ExposureLaws from "./ExposureLaws.js"
import type { SnapshotStoreSuiteOptions } from "./SnapshotStoreSuite.js"

const ALL = { page: 1, perPage: 1_000_000 }

/** An environment with a history. */
const environmentOf = (org: Org, name: string, history: ReadonlyArray<AppendedSnapshot>) =>
  Effect.gen(function* () {
    const store = yield* SnapshotStore
    const environment = ref(yield* Fixture.environment(org, name))
    for (const { draft } of history) yield* store.append(environment, draft)
    return environment
  })

/** A place in a history: a snapshot, and microseconds before or after it. */
interface Place {
  readonly snapshot: number
  readonly beside: number
}

const place: FastCheck.Arbitrary<Place> = FastCheck.record({
  snapshot: FastCheck.nat(200),
  beside: FastCheck.constantFrom(-1, 0, 1, 500_000)
})

/** The instant of a place; before the first snapshot of none. */
const instantOf = (history: ReadonlyArray<AppendedSnapshot>, { beside, snapshot }: Place) => {
  const draft = history[snapshot % history.length]?.draft
  return Timestamp.fromMicros((draft?.timestamp ?? Fixture.AT) + beside)
}

const COMMITS = ["c", "d"].map((digit) => CommitSha.make(digit.repeat(40)))
const REPOS = ["repo-1", "repo-2"].map((id) => RepoId.make(id))
const SLOTS = ["backend", "web"].map((name) => SlotName.make(name))
const AUTHORS = ["Jo <jo@example.org>", "Jo"]
const BUILDERS = ["https://ci.example.org", "https://ci"]
const ADDRESSES = [...BUILDERS, "https://ci.example.org/9", "https://ci/4?x=1", "no address"]

/** A record: its place, and what its report says. */
interface Said {
  readonly trail: number
  readonly content: number
  readonly slot: SlotName
  readonly repo: RepoId | null
  readonly address: string
  readonly commit: CommitSha | null
  readonly authored: { readonly sha1: CommitSha; readonly author: string } | null
}

const commit = FastCheck.constantFrom(...COMMITS)
const said: FastCheck.Arbitrary<Said> = FastCheck.record({
  trail: FastCheck.nat(3),
  content: FastCheck.nat(2),
  slot: FastCheck.constantFrom(...SLOTS),
  repo: FastCheck.constantFrom(...REPOS, null),
  address: FastCheck.constantFrom(...ADDRESSES),
  commit: FastCheck.option(commit, { nil: null }),
  authored: FastCheck.option(
    FastCheck.record({ sha1: commit, author: FastCheck.constantFrom(...AUTHORS) }),
    { nil: null }
  )
})

/** Stores records in the order in which they were said, on two trails of each of two flows. */
const storeAll = (trails: ReadonlyArray<Trail>, all: ReadonlyArray<Said>) =>
  Effect.gen(function* () {
    const artifacts = yield* ArtifactStore
    const stored: Array<Artifact> = []
    for (const [at, one] of all.entries()) {
      const trail = trails[one.trail]
      const fingerprint = Reports.fingerprints[one.content]
      if (trail === undefined || fingerprint === undefined) continue
      const plain = yield* Fixture.newArtifact(trail, at + 1)
      const record: Artifact = {
        ...plain,
        fingerprint,
        slot: one.slot,
        repo_id: one.repo,
        report: {
          ...plain.report,
          fingerprint,
          build_url: one.address,
          ...(one.commit === null ? {} : { git_commit: one.commit }),
          ...(one.authored === null ? {} : { git_commit_info: one.authored })
        }
      }
      yield* artifacts.append(record)
      stored.push(record)
    }
    return stored
  })

const subjectsOf = (flows: ReadonlyArray<Flow>): ReadonlyArray<Exposure.ExposureSubject> => [
  ...COMMITS.map((sha) => ({ _tag: "Commit", commit: sha }) as const),
  ...flows.map(({ id }) => ({ _tag: "Flow", flow: id }) as const),
  ...flows.flatMap(({ id }) => SLOTS.map((slot) => ({ _tag: "Flow", flow: id, slot }) as const)),
  ...REPOS.map((repo) => ({ _tag: "Repo", repos: [repo] }) as const),
  { _tag: "Repo", repos: REPOS },
  ...AUTHORS.map((author) => ({ _tag: "Author", author }) as const),
  ...BUILDERS.map((builder) => ({ _tag: "Builder", builder }) as const)
]

/** What is found by the fingerprints of the records that fit, with the newest of them. */
const unionOf = (
  subject: Exposure.ExposureSubject,
  records: ReadonlyArray<Artifact>,
  by: {
    readonly whole: ReadonlyArray<Exposure.Exposure>
    readonly trails: ReadonlyArray<Trail>
    readonly flows: ReadonlyArray<Flow>
  }
): ReadonlyArray<unknown> =>
  by.whole.flatMap((exposure) => {
    const record = records
      .filter((each) => Exposure.fits(subject, each))
      .filter(({ fingerprint }) => fingerprint === exposure.fingerprint)
      .at(-1)
    if (record === undefined) return []
    const shown = {
      flowName: by.flows.find(({ id }) => id === record.flow_id)?.name,
      trailName: by.trails.find(({ id }) => id === record.trail_id)?.name,
      commit: commitOf(record.report)
    }
    return [{ ...exposure, record: shown }]
  })

/** States the laws of exposures about counts of heads and about records. */
export const exposureLawsSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { histories = 8, snapshots = 50, ...options }: SnapshotStoreSuiteOptions = {}
): void =>
  suite(`laws of exposures (${name})`, ports, options, (it) => {
    it.effect.prop(
      "EXPO-2: the times of exposures in a window are the integral of what heads count",
      {
        all: FastCheck.tuple(snapshotHistory(snapshots), restlessHistory(snapshots)),
        places: FastCheck.array(FastCheck.tuple(place, place), { minLength: 4, maxLength: 4 })
      },
      ({ all, places }) =>
        Effect.gen(function* () {
          const org = yield* Fixture.org
          for (const [at, history] of all.entries()) {
            const environment = yield* environmentOf(org, `env-${at}`, history)
            const windows = places.map((ends) => {
              const [one, two] = ends.map((each) => instantOf(history, each))
              const [from, to] = [one ?? Fixture.AT, two ?? Fixture.AT]
              return from < to ? { from, to } : { from: to, to: from }
            })
            yield* ExposureLaws.timesAreCounts(environment, Reports.fingerprints, windows)
            yield* ExposureLaws.check(environment, Reports.fingerprints)
          }
        }),
      { timeout: 600_000, fastCheck: { numRuns: histories, endOnFailure: true } }
    )

    it.effect.prop(
      "EXPO-3: exposures of a subject are those of the fingerprints of its records",
      { history: restlessHistory(12), all: FastCheck.array(said, { maxLength: 10 }) },
      ({ all, history }) =>
        Effect.gen(function* () {
          const store = yield* ReadModels
          const org = yield* Fixture.org
          yield* environmentOf(org, "one", history)
          const flows = [yield* Fixture.flow(org, "shop"), yield* Fixture.flow(org, "audit")]
          const nested = yield* Effect.forEach(flows, (flow) =>
            Effect.forEach(["run-1", "run-2"], (called) => Fixture.trail(flow, called))
          )
          const trails = nested.flat()
          const records = yield* storeAll(trails, all)
          const whole = yield* ExposureLaws.exposuresOf(org.id, Reports.fingerprints)
          for (const subject of subjectsOf(flows)) {
            const { items } = yield* store.exposures(org.id, { subject }, ALL)
            const expected = unionOf(subject, records, { whole, trails, flows })
            deepStrictEqual<unknown>({ subject, items }, { subject, items: expected })
          }
        }),
      { timeout: 600_000, fastCheck: { numRuns: 2 * histories, endOnFailure: true } }
    )
  })
