/**
 * Verifies the logs of all orgs in the background, slowly, on one of all servers of a store.
 *
 * A finding is logged, counted and shown with the state of the log; it changes nothing.
 */
import type { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import { noting } from "@attestry/core/DamagedRecords"
import * as LogFinding from "@attestry/core/LogFinding"
import { LogStatusStore } from "@attestry/core/LogStatusStore"
import { LogVerification } from "@attestry/core/LogVerification"
import type { Org } from "@attestry/core/Org"
import { OrgStore } from "@attestry/core/OrgStore"
import * as RecordFinding from "@attestry/core/RecordFinding"
import { RecordVerification } from "@attestry/core/RecordVerification"
import type { StoreError } from "@attestry/core/StoreError"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as LeaderLease from "./LeaderLease.js"

/**
 * WHY for each org: a lease lasts ten minutes, and a long log may take longer than one for all. WHY a number: a server
 * that knows an older form of leaves cannot verify those of the present one. DECISION B-416
 */
const leaseOf = (org: string) => `log-scrub/2 ${org}`

/** How long the log of an org rests after it was verified. */
const REST_MILLIS = 3_600_000
const PAUSE = "60 seconds"

/**
 * Records of an org with more entries are verified by the operator's command alone: they are compared within one
 * snapshot of the database, which must not last for hours. DECISION B-347
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

const scrubOrg = ({ id, name }: Org, rate: number) =>
  Effect.gen(function* () {
    const report = yield* (yield* LogVerification).verify(id, { rate, name })
    const records =
      report.size <= RECORDS_MAX ? yield* (yield* RecordVerification).verify(id, 3) : []
    const told = [...report.findings.map(LogFinding.print), ...records.map(RecordFinding.print)]
    yield* Metric.incrementBy(verified, report.size)
    yield* Metric.incrementBy(findings, told.length)
    yield* (yield* LogStatusStore).putScrub(id, {
      through: report.size,
      finished_at: Timestamp.fromMillis(yield* Clock.currentTimeMillis),
      findings: told.length
    })
    for (const finding of told.slice(0, 10)) {
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
    for (const org of orgs) {
      const lease = { name: leaseOf(org.id), intervalMillis: REST_MILLIS }
      yield* LeaderLease.take(lease, scrubOrg(org, rate))
    }
  }).pipe(warned)

type Services =
  | BackgroundLeaseStore
  | LogStatusStore
  | LogVerification
  | OrgStore
  | RecordVerification

/** Verifies until it is interrupted; a rate of 0 verifies nothing. */
export const run = (rate: number): Effect.Effect<never, never, Services> =>
  rate === 0
    ? Effect.never
    : Effect.zipRight(
        Effect.all(
          [
            Effect.forever(Effect.zipRight(Effect.sleep(PAUSE), scrubOnce(rate))),
            Effect.sleep(PAUSE).pipe(
              Effect.zipRight(warned(findLost)),
              Effect.zipRight(Effect.sleep(REST_MILLIS)),
              Effect.forever
            )
          ],
          { concurrency: "unbounded" }
        ),
        Effect.never
      )
