/** The contract of exposures of `ReadModels`: what the events of snapshots tell, by what records say. */

import { type Artifact, commitOf } from "@attestry/core/Artifact"
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { archive, type Environment, ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import * as Exposure from "@attestry/core/Exposure"
import { FingerprintPrefix, isKnown } from "@attestry/core/Fingerprint"
import { CommitSha, type OrgId, RepoId, SlotName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import { ReadModels } from "@attestry/core/ReadModels"
import { keyOf } from "@attestry/core/RunningRow"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Reports from "../EnvironmentReport.js"
import * as Fixture from "../Fixture.js"
import * as Model from "../internal/model/ExposureModel.js"
import { type AppendedSnapshot, restlessHistory } from "../Snapshot.js"
import { suite } from "../Suite.js"
import type { SnapshotStoreSuiteOptions } from "./SnapshotStoreSuite.js"

type History = ReadonlyArray<AppendedSnapshot>

const ALL = { page: 1, perPage: 1_000_000 }

const appendAll = (environment: Environment, history: History) =>
  Effect.flatMap(SnapshotStore, (store) =>
    Effect.forEach(history, ({ draft }) => store.append(ref(environment), draft))
  )

const contentOf = (prefix: string): Exposure.ExposureQuery => ({
  subject: { _tag: "Content", prefix: FingerprintPrefix.make(prefix) }
})

const modelOf = (history: History): ReadonlyArray<Model.ModelSnapshot> =>
  history.map(({ draft, running }) => ({
    index: draft.index,
    at: draft.timestamp,
    events: draft.events.map((event) => ({ type: event.annotation.type, row: keyOf(event) })),
    verdicts: new Map(running.map((row) => [keyOf(row), row.verdict]))
  }))

/** The rows of a history with a known fingerprint. */
const rowsOf = (history: History) => [
  ...new Set(
    history.flatMap(({ running }) =>
      running.filter(({ fingerprint }) => isKnown(fingerprint)).map(keyOf)
    )
  )
]

const shown = (exposure: Exposure.Exposure, now: Timestamp.Timestamp): Model.ModelExposure => ({
  row: keyOf(exposure),
  firstIndex: exposure.firstIndex,
  lastIndex: exposure.lastIndex,
  from: exposure.from,
  to: exposure.to,
  startedVerdict: exposure.startedVerdict,
  verdict: exposure.verdict,
  nonCompliant: Math.round(Exposure.nonCompliantSeconds(exposure, now) * 1_000_000)
})

const byStart = (left: Model.ModelExposure, right: Model.ModelExposure) =>
  left.from - right.from || (left.row < right.row ? -1 : 1)

/** Everything that ran in an org, in the order of the list. */
const everything = (org: OrgId) =>
  Effect.flatMap(ReadModels, (store) =>
    Effect.map(
      Effect.forEach(Reports.fingerprints, (one) => store.exposures(org, contentOf(one), ALL)),
      (pages) => pages.flatMap(({ items }) => items).sort(Exposure.byNewest)
    )
  )

const COMMIT = CommitSha.make("c".repeat(40))
const REPO = RepoId.make("repo-1")

/** Records of two of the three fingerprints; the third has none. */
const records = (org: Org) =>
  Effect.gen(function* () {
    const artifacts = yield* ArtifactStore
    const flow = yield* Fixture.flow(org, "shop")
    const other = yield* Fixture.flow(org, "audit")
    const [one, two] = [yield* Fixture.trail(flow, "run-1"), yield* Fixture.trail(other, "run-2")]
    const [a, b] = Reports.fingerprints
    const said = { git_commit_info: { sha1: COMMIT, author: "Jo <jo@example.org>" } }
    const made = [
      { of: one, fingerprint: a, repo_id: REPO, report: { git_commit: COMMIT } },
      { of: two, fingerprint: a, repo_id: null, report: said },
      { of: two, fingerprint: b, repo_id: null, report: { build_url: "https://ci.example.org/9" } },
      { of: one, fingerprint: b, repo_id: null, report: { build_url: "https://ci.example.org" } }
    ]
    const stored: Array<Artifact> = []
    for (const [at, { of, report, ...fields }] of made.entries()) {
      const plain = yield* Fixture.newArtifact(of, at + 1)
      const { fingerprint } = fields
      const slot = SlotName.make(at % 2 === 0 ? "backend" : "web")
      const record = {
        ...plain,
        ...fields,
        slot,
        report: { ...plain.report, fingerprint, ...report }
      }
      yield* artifacts.append(record)
      stored.push(record)
    }
    return { stored, flow, names: new Map([one, two].map(({ id, name }) => [id, name])) }
  })

/** States the contract of `ReadModels`. */
export const exposureReadsSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { histories = 8, snapshots = 50, ...options }: SnapshotStoreSuiteOptions = {}
): void =>
  suite(`ReadModels, exposures (${name})`, ports, options, (it) => {
    it.effect.prop(
      "has what events of snapshots tell, with the verdicts of that time (law HIST-6)",
      { all: FastCheck.tuple(restlessHistory(snapshots), restlessHistory(snapshots)) },
      ({ all }) =>
        Effect.gen(function* () {
          const org = yield* Fixture.org
          const environments = [
            yield* Fixture.environment(org, "one"),
            yield* Fixture.environment(org, "two")
          ]
          const last = Math.max(...all.flat().map(({ draft }) => draft.timestamp), Fixture.AT)
          const now = Timestamp.fromMicros(last + 1_000_000)
          for (const [at, environment] of environments.entries())
            yield* appendAll(environment, all[at] ?? [])
          const found = yield* everything(org.id)
          for (const [at, { id, name: called }] of environments.entries()) {
            const own = found.filter(({ environmentId }) => environmentId === id)
            const history = all[at] ?? []
            const expected = Model.exposures(modelOf(history), rowsOf(history), now)
            deepStrictEqual(
              own.map((exposure) => shown(exposure, now)).sort(byStart),
              [...expected].sort(byStart)
            )
            deepStrictEqual(
              own.every(({ environmentName }) => environmentName === called),
              true
            )
          }
        }),
      { timeout: 600_000, fastCheck: { numRuns: histories, endOnFailure: true } }
    )

    it.effect.prop(
      "pages, filters and sums them up, and ends what was archived",
      { all: FastCheck.tuple(restlessHistory(8), restlessHistory(8)), at: FastCheck.nat(8) },
      ({ all, at }) =>
        Effect.gen(function* () {
          const store = yield* ReadModels
          const org = yield* Fixture.org
          const [kept, gone] = [
            yield* Fixture.environment(org, "kept"),
            yield* Fixture.environment(org, "gone")
          ]
          yield* appendAll(kept, all[0])
          yield* appendAll(gone, all[1])
          const end = Timestamp.plusSeconds(Fixture.AT, 1_000_000)
          yield* (yield* EnvironmentStore).rename(archive(gone, end), gone.name)
          const now = Timestamp.plusSeconds(end, 60)
          const whole = yield* everything(org.id)
          const archived = whole.filter(({ environmentId }) => environmentId === gone.id)
          deepStrictEqual(
            archived.some(({ lastIndex, to }) => to === null || lastIndex === null),
            false
          )
          const moment = all[0][at]?.draft.timestamp ?? Fixture.AT
          const filters: ReadonlyArray<Exposure.ExposureFilter> = [
            {},
            { running: true },
            { running: false },
            { from: moment },
            { to: moment },
            { from: moment, to: moment },
            { environments: [kept.id] },
            { environments: [] }
          ]
          for (const filter of filters)
            for (const one of Reports.fingerprints) {
              const query = { ...contentOf(one.slice(0, 5)), ...filter }
              const meant = whole
                .filter(({ fingerprint }) => fingerprint === one)
                .filter((exposure) => Exposure.passes(filter, exposure))
              for (const page of [1, 2, 9])
                deepStrictEqual(yield* store.exposures(org.id, query, { page, perPage: 2 }), {
                  items: meant.slice(2 * page - 2, 2 * page),
                  total: meant.length
                })
              deepStrictEqual(
                yield* store.exposureSummary(org.id, query, now),
                Exposure.summarize(meant, now)
              )
            }
          const foreign = yield* Fixture.org
          deepStrictEqual(yield* everything(foreign.id), [])
        }),
      { timeout: 600_000, fastCheck: { numRuns: 3 } }
    )

    it.effect("finds them by what records say, with the newest record that fits (law EXPO-3)", () =>
      Effect.gen(function* () {
        const store = yield* ReadModels
        const org = yield* Fixture.org
        const environment = yield* Fixture.environment(org, "one")
        const [history = []] = FastCheck.sample(restlessHistory(30), { numRuns: 1, seed: 11 })
        yield* appendAll(environment, history)
        const { stored, flow, names } = yield* records(org)
        const whole = yield* everything(org.id)
        const subjects: ReadonlyArray<Exposure.ExposureSubject> = [
          contentOf("aaaaa").subject,
          contentOf("ccccc").subject,
          { _tag: "Commit", commit: COMMIT },
          { _tag: "Commit", commit: CommitSha.make("d".repeat(40)) },
          { _tag: "Flow", flow: flow.id },
          { _tag: "Flow", flow: flow.id, slot: SlotName.make("web") },
          { _tag: "Flow", flow: flow.id, slot: SlotName.make("nothing") },
          { _tag: "Repo", repos: [REPO] },
          { _tag: "Repo", repos: [] },
          { _tag: "Author", author: "Jo <jo@example.org>" },
          { _tag: "Author", author: "Jo" },
          { _tag: "Builder", builder: "https://ci.example.org" },
          { _tag: "Builder", builder: "https://ci" }
        ]
        const asked = subjects.flatMap((subject) =>
          [undefined, [flow.id], []].map((flows) => ({ subject, flows }))
        )
        let some = 0
        for (const { flows, subject } of asked) {
          const anywhere = stored.filter((record) => Exposure.fits(subject, record))
          const fitting = anywhere.filter(({ flow_id }) => flows?.includes(flow_id) ?? true)
          const expected = whole
            .filter(({ fingerprint }) =>
              subject._tag === "Content"
                ? fingerprint.startsWith(subject.prefix)
                : fitting.some((record) => record.fingerprint === fingerprint)
            )
            .map((exposure) => {
              const record = fitting
                .filter(({ fingerprint }) => fingerprint === exposure.fingerprint)
                .at(-1)
              const trailName = record === undefined ? undefined : names.get(record.trail_id)
              const isHidden =
                record === undefined &&
                anywhere.some(({ fingerprint }) => fingerprint === exposure.fingerprint)
              return {
                ...exposure,
                ...(isHidden ? { hidden: true } : {}),
                record:
                  record === undefined || trailName === undefined
                    ? null
                    : {
                        flowName: record.flow_id === flow.id ? "shop" : "audit",
                        trailName,
                        commit: commitOf(record.report)
                      }
              }
            })
          some += expected.length > 0 && flows === undefined ? 1 : 0
          const query = { subject, ...(flows === undefined ? {} : { flows }) }
          deepStrictEqual<unknown>(
            { query, items: (yield* store.exposures(org.id, query, ALL)).items },
            { query, items: expected }
          )
          const { runningNow } = yield* store.exposureSummary(org.id, query, Fixture.LATER)
          deepStrictEqual(runningNow, expected.filter(({ to }) => to === null).length)
        }
        deepStrictEqual(some, 8)
      })
    )
  })
