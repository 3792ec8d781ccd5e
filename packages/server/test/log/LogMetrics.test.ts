/** The metrics of logs tell what the workers have done. */
import { OrgName } from "@attestry/core/Identifier"
import type { JournalDraft } from "@attestry/core/JournalEntry"
import { JournalStore } from "@attestry/core/JournalStore"
import { LogCheckpoints } from "@attestry/core/LogCheckpoints"
import { LogSequencer } from "@attestry/core/LogSequencer"
import * as LogSigner from "@attestry/core/LogSigner"
import { LogState, type RememberedCheckpoint } from "@attestry/core/LogState"
import { LogStore } from "@attestry/core/LogStore"
import { type LogReport, LogVerification } from "@attestry/core/LogVerification"
import type { Org } from "@attestry/core/Org"
import { Orgs } from "@attestry/core/Orgs"
import { RecordVerification } from "@attestry/core/RecordVerification"
import { StoreError } from "@attestry/core/StoreError"
import * as Timestamp from "@attestry/core/Timestamp"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Metric, MetricState, Option, TestClock, TestServices } from "effect"
import { LogMarks } from "../../src/internal/LogMarks.js"
import * as LogScrub from "../../src/internal/LogScrub.js"
import * as LogWorker from "../../src/internal/LogWorker.js"

const PUBLIC_URL = "https://attestry.example.com"
const BY = { kind: "system", id: "test", name: "test" } as const
const KEY = { generation: 1, seed: new Uint8Array(32).fill(5) }

/** The number of a metric; of a timer, how often it was measured. */
const metric = (name: string): Effect.Effect<number> =>
  Effect.map(Metric.snapshot, (all) => {
    const found = all.find(({ metricKey }) => metricKey.name === name)?.metricState
    if (found === undefined) return 0
    if (MetricState.isHistogramState(found)) return found.count
    if (MetricState.isGaugeState(found)) return Number(found.value)
    return MetricState.isCounterState(found) ? Number(found.count) : Number.NaN
  })

/** Waits until a condition holds, at most a minute. */
const until = (what: string, condition: Effect.Effect<boolean>) =>
  Effect.gen(function* () {
    for (let turn = 0; turn < 3_000; turn++) {
      if (yield* condition) return
      yield* TestServices.provideLive(Effect.sleep("20 millis"))
    }
    assert.fail(`it did not come about: ${what}`)
  })

const signing = Layer.effect(LogSigner.LogSigner, LogSigner.fromKeys([KEY])).pipe(
  Layer.provide(SignaturesWebCrypto.layer)
)

/** A memory that begins with a checkpoint of every log, where one is given. */
const remembering = (first?: RememberedCheckpoint) =>
  Layer.succeed(LogState, {
    isKept: true,
    find: () => Effect.succeed(Option.fromNullable(first)),
    list: Effect.succeed(new Map()),
    put: () => Effect.void
  })

const services = (first?: RememberedCheckpoint) =>
  Layer.mergeAll(UseCases.layer, LogMarks.Default).pipe(
    Layer.provideMerge(MemoryStore.layer),
    Layer.provideMerge(SecretsWebCrypto.layer),
    Layer.provide(Layer.merge(signing, remembering(first))),
    Layer.provide(Logger.remove(Logger.defaultLogger))
  )

const draftOf = ({ id }: Org, at: number): JournalDraft => ({
  org_id: id,
  kind: "flow_updated",
  actor: BY,
  at: Timestamp.fromMillis(at),
  subject: { type: "flow", id: "f" },
  content: `{"n":${at}}`,
  digest: "0".repeat(64)
})

const write = (org: Org, entries: number) =>
  Effect.flatMap(JournalStore, (journal) =>
    journal.appendAll(Array.from({ length: entries }, (_, at) => draftOf(org, at)))
  )

const worker = Effect.forkScoped(LogWorker.run(PUBLIC_URL))

describe("metrics of logs", () => {
  it.scopedLive("count leaves, checkpoints and integrations, and show that nothing waits", () =>
    Effect.gen(function* () {
      const org = yield* (yield* Orgs).create(OrgName.make("acme"), BY)
      yield* write(org, 4)
      const before = yield* Effect.all({
        integrated: metric("attestry_log_integrated_total"),
        signed: metric("attestry_log_checkpoints_total"),
        measured: metric("attestry_log_integration_seconds")
      })
      yield* worker
      const signed = metric("attestry_log_checkpoints_total")
      yield* until(
        "a checkpoint",
        Effect.map(signed, (count) => count > before.signed)
      )
      // The entry that records the org, and four more.
      assert.strictEqual((yield* metric("attestry_log_integrated_total")) - before.integrated, 5)
      assert.isAbove(yield* metric("attestry_log_integration_seconds"), before.measured)
      yield* until(
        "nothing waits",
        Effect.map(metric("attestry_log_pending"), (count) => count === 0)
      )
      assert.strictEqual(yield* metric("attestry_log_horizon_lag_seconds"), 0)
    }).pipe(Effect.provide(services()))
  )

  it.scopedLive("show how many entries the sweep has found without a leaf", () =>
    Effect.gen(function* () {
      const org = yield* (yield* Orgs).create(OrgName.make("acme"), BY)
      const key = new Uint8Array(16)
      yield* (yield* LogStore).start({ org_id: org.id, origin: "o", entryKey: key })
      yield* write(org, 6)
      yield* worker
      yield* until(
        "the sweep",
        Effect.map(metric("attestry_log_pending"), (count) => count === 7)
      )
    }).pipe(Effect.provide(services()))
  )

  it.scopedLive("count attempts to sign a log that does not continue what was signed", () =>
    Effect.gen(function* () {
      const org = yield* (yield* Orgs).create(OrgName.make("acme"), BY)
      yield* write(org, 2)
      const before = yield* Effect.all([
        metric("attestry_log_forks_total"),
        metric("attestry_log_checkpoints_total")
      ])
      yield* worker
      const forks = metric("attestry_log_forks_total")
      yield* until(
        "a fork",
        Effect.map(forks, (count) => count > before[0])
      )
      assert.strictEqual(yield* metric("attestry_log_checkpoints_total"), before[1])
      assert.isTrue((yield* LogCheckpoints).isStopped(org.id))
    }).pipe(Effect.provide(services({ size: 1_000, root: "AAAA" })))
  )

  it.scopedLive("count checkpoints that were thinned", () =>
    Effect.gen(function* () {
      const org = yield* (yield* Orgs).create(OrgName.make("acme"), BY)
      const store = yield* LogStore
      yield* store.start({ org_id: org.id, origin: "o", entryKey: new Uint8Array(16) })
      const old = Timestamp.fromMillis(Date.UTC(2025, 0, 1))
      for (const size of [1, 2, 3]) {
        yield* store.insertCheckpoints([
          { org_id: org.id, epoch: 1, size, signed_at: old, note: "n" }
        ])
      }
      const before = yield* metric("attestry_log_thinned_total")
      yield* worker
      yield* until(
        "two are gone",
        Effect.map(metric("attestry_log_thinned_total"), (count) => count - before === 2)
      )
    }).pipe(Effect.provide(services()))
  )

  it.scoped("count what was verified in the background, and what was found", () =>
    Effect.gen(function* () {
      const org = yield* (yield* Orgs).create(OrgName.make("acme"), BY)
      const report: LogReport = {
        size: 12,
        signed: 0,
        findings: [{ _tag: "CheckpointChanged" as const, size: 3 }]
      }
      const found = Layer.succeed(
        LogVerification,
        LogVerification.make({
          verify: () => Effect.succeed(report),
          lost: () => Effect.succeed([])
        })
      )
      const missing = { _tag: "RecordMissing" as const, table: "flow" as const, key: "f" }
      const records = Layer.succeed(
        RecordVerification,
        RecordVerification.make({
          verify: () => Effect.succeed([missing]),
          report: () => Effect.dieMessage("the background asks for findings alone")
        })
      )
      const before = yield* Effect.all([
        metric("attestry_log_verified_total"),
        metric("attestry_log_findings_total")
      ])
      yield* Effect.forkScoped(Effect.provide(LogScrub.run(100), Layer.merge(found, records)))
      yield* TestClock.adjust("61 seconds")
      const verified = metric("attestry_log_verified_total")
      yield* until(
        "a verification",
        Effect.map(verified, (count) => count - before[0] === 12)
      )
      assert.strictEqual((yield* metric("attestry_log_findings_total")) - before[1], 2)
      const scrub = yield* (yield* LogStore).findScrub(org.id)
      assert.deepInclude(Option.getOrThrow(scrub), { through: 12, findings: 2 })
      // It rests for an hour.
      yield* TestClock.adjust("30 minutes")
      yield* TestServices.provideLive(Effect.sleep("50 millis"))
      assert.strictEqual((yield* verified) - before[0], 12)
    }).pipe(Effect.provide(services()))
  )

  it.scoped(
    "verify a log again minutes after it has grown, and tell how old its verification is",
    () =>
      Effect.gen(function* () {
        yield* TestClock.adjust("10 seconds")
        const orgs = yield* Orgs
        const broken = yield* orgs.create(OrgName.make("broken"), BY)
        const org = yield* orgs.create(OrgName.make("growing"), BY)
        const { catchUp } = yield* LogSequencer
        const { findScrub } = yield* LogStore
        yield* catchUp(org.id, "attestry.test/log/growing")
        const real = yield* LogVerification
        const failing = LogVerification.make({
          ...real,
          verify: (id, scope) =>
            id === broken.id
              ? Effect.fail(new StoreError({ operation: "test", cause: "on purpose" }))
              : real.verify(id, scope)
        })
        const scrub = Effect.provideService(LogScrub.run(1_000), LogVerification, failing)
        yield* Effect.forkScoped(scrub)
        const through = (size: number) =>
          until(
            `a verification through ${size}`,
            TestClock.adjust("1 second").pipe(
              Effect.zipRight(Effect.orDie(findScrub(org.id))),
              Effect.map(Option.exists((found) => found.through === size))
            )
          )
        yield* TestClock.adjust("61 seconds")
        yield* through(1)
        yield* write(org, 40)
        yield* catchUp(org.id, "attestry.test/log/growing")
        yield* TestClock.adjust("3 minutes")
        yield* through(41)
        const { finished_at } = Option.getOrThrow(yield* findScrub(org.id))
        assert.isBelow(Timestamp.toSeconds(finished_at), 600)
        // The other log was never verified: its age is that of its org.
        const oldest = metric("attestry_log_scrub_timestamp_seconds")
        yield* until(
          "the time since when a log waits",
          Effect.map(oldest, (seconds) => seconds === 10)
        )
        assert.strictEqual(yield* metric("attestry_log_unverified"), 0)
      }).pipe(Effect.provide(services()))
  )
})
