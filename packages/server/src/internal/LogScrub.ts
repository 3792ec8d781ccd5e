/**
 * Verifies the logs of all orgs in the background, slowly, on one of all servers of a store.
 *
 * A finding is logged, counted and shown with the state of the log; it changes nothing. A log that has grown is
 * verified again soon, and every log after an hour.
 */
import type { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import { noting } from "@attestry/core/DamagedRecords"
import * as LogFinding from "@attestry/core/LogFinding"
import { LogStore } from "@attestry/core/LogStore"
import { LogVerification } from "@attestry/core/LogVerification"
import type { Org } from "@attestry/core/Org"
import { OrgStore } from "@attestry/core/OrgStore"
import { RecordVerification } from "@attestry/core/RecordVerification"
import type { StoreError } from "@attestry/core/StoreError"
import * as TableFinding from "@attestry/core/TableFinding"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as LeaderLease from "./LeaderLease.js"

/** WHY for each org: a lease lasts ten minutes, and a long log may take longer than one for all. */
const leaseOf = (org: string) => `log-scrub ${org}`

/** How long the log of an org rests after it was verified, unless it has grown. */
const REST_MILLIS = 3_600_000
const PAUSE_MILLIS = 60_000

/** The rest of a log that grows, in times that its verification took: it must not be verified all the time. */
const REST_TIMES = 4

/** The rest of a log that has grown. */
const restOf = (tookMillis: number): number =>
  Math.min(REST_MILLIS, Math.max(PAUSE_MILLIS, REST_TIMES * tookMillis))

/**
 * Records of an org with more entries are verified by the operator's command alone: they are compared within one
 * snapshot of the database, which must not last for hours.
 */
const RECORDS_MAX = 20_000

const verified = Metric.counter("attestry_log_verified_total", {
  description: "Entries of logs that were verified in the background",
  incremental: true
})
const findings = Metric.counter("attestry_log_findings_total", {
  description: "Differences that verifying logs has found",
  incremental: true
})

const oldest = Metric.gauge("attestry_log_scrub_timestamp_seconds", {
  description: "When the log that was verified least recently in the background was verified"
})
const unverified = Metric.gauge("attestry_log_unverified", {
  description: "Entries of logs that were added since the logs were verified in the background"
})

/** How far a log was verified, and since when it was not; since the org exists where it never was. */
interface Progress {
  readonly isFirst: boolean
  readonly finished_at: Timestamp.Timestamp
  readonly grown: number
}

/** The progress of the log of each org. */
const findProgress = Effect.gen(function* () {
  const listed = yield* (yield* LogStore).listScrubs
  const all = new Map(listed.map((each) => [each.org_id, each]))
  return ({ id, created_at }: Org): Progress => {
    const { size, scrub } = all.get(id) ?? { size: 0, scrub: Option.none() }
    const { through, finished_at } = Option.getOrElse(scrub, () => ({
      through: 0,
      finished_at: created_at
    }))
    return { isFirst: Option.isNone(scrub), finished_at, grown: Math.max(0, size - through) }
  }
})

const scrubOrg = ({ id, name }: Org, rate: number) =>
  Effect.gen(function* () {
    const report = yield* (yield* LogVerification).verify(id, { rate, name })
    const records =
      report.size <= RECORDS_MAX ? yield* (yield* RecordVerification).verify(id, 3) : []
    const lines = [...report.findings.map(LogFinding.print), ...records.map(TableFinding.print)]
    yield* Metric.incrementBy(verified, report.size)
    yield* Metric.incrementBy(findings, lines.length)
    yield* (yield* LogStore).putScrub(id, {
      through: report.size,
      finished_at: Timestamp.fromMillis(yield* Clock.currentTimeMillis),
      findings: lines.length
    })
    for (const finding of lines.slice(0, 10)) {
      yield* Effect.logError("a log does not verify", { org: name, finding })
    }
  })

const warned = <A, R>(work: Effect.Effect<A, StoreError, R>) =>
  Effect.catchTag(work, "StoreError", (error) => Effect.logWarning("could not verify a log", error))

/** Logs that are remembered, of orgs that are not there. WHY on every server: each may have a state file of its own. */
const findLost = Effect.gen(function* () {
  const orgs = yield* OrgStore
  const names = Effect.map(noting(orgs.list), ([all]) => all.map(({ name }) => name))
  const lost = yield* (yield* LogVerification).lost(names)
  yield* Metric.incrementBy(findings, lost.length)
  for (const { org, finding } of lost.slice(0, 10)) {
    yield* Effect.logError("a log does not verify", { org, finding: LogFinding.print(finding) })
  }
})

const notVerified = (error: StoreError) =>
  Effect.as(Effect.logWarning("could not verify a log", error), Option.none())

/**
 * Verifies a log that has grown, or has rested, and returns whether it did; a failure is left to the next time, and to
 * no other org.
 */
const visit = (org: Org, before: Progress, rate: number) =>
  Effect.gen(function* () {
    const now = Timestamp.fromMillis(yield* Clock.currentTimeMillis)
    const isRested =
      Timestamp.toSeconds(now) - Timestamp.toSeconds(before.finished_at) >= REST_MILLIS / 1000
    if (before.grown === 0 && !before.isFirst && !isRested) return false
    const lease = { name: leaseOf(org.id), intervalMillis: restOf }
    const done = yield* LeaderLease.take(lease, scrubOrg(org, rate)).pipe(
      Effect.catchTag("StoreError", notVerified)
    )
    return Option.isSome(done)
  })

const scrubOnce = (rate: number) =>
  Effect.gen(function* () {
    // WHY: the row of one org that cannot be read must not keep the others from being verified.
    const [orgs, unreadable] = yield* noting((yield* OrgStore).list)
    for (const { key, column } of unreadable) {
      yield* Effect.logError("a log does not verify", {
        org: key,
        finding: `\`${column}\` cannot be read`
      })
    }
    const before = yield* findProgress
    const visited = yield* Effect.forEach(orgs, (org) => visit(org, before(org), rate))
    const known = orgs.map(visited.includes(true) ? yield* findProgress : before)
    // WHY not without one: a gauge of no log would be a time that never was.
    if (known.length === 0) return
    const times = known.map(({ finished_at }) => Timestamp.toSeconds(finished_at))
    yield* Metric.set(oldest, Math.min(...times))
    yield* Metric.set(
      unverified,
      known.reduce((sum, { grown }) => sum + grown, 0)
    )
  }).pipe(warned)

type Services = BackgroundLeaseStore | LogStore | LogVerification | OrgStore | RecordVerification

/** Verifies for ever. */
const verifying = (rate: number) =>
  Effect.all(
    [
      Effect.forever(Effect.zipRight(Effect.sleep(PAUSE_MILLIS), scrubOnce(rate))),
      Effect.sleep(PAUSE_MILLIS).pipe(
        Effect.zipRight(warned(findLost)),
        Effect.zipRight(Effect.sleep(REST_MILLIS)),
        Effect.forever
      )
    ],
    { concurrency: "unbounded" }
  )

/** Verifies until it is interrupted; a rate of 0 verifies nothing. */
export const run = (rate: number): Effect.Effect<never, never, Services> =>
  rate === 0
    ? Effect.never
    : // WHY zero: Prometheus sees no increase from a series that is not there to its first value.
      Metric.incrementBy(findings, 0).pipe(
        Effect.zipRight(verifying(rate)),
        Effect.zipRight(Effect.never)
      )
