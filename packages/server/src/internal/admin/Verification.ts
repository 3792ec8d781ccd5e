/**
 * The command `verify`: verifies the logs and records of orgs up to a level, and goes on after a finding.
 *
 * The process ends with 2 when something was found, and with 3 when not everything could be read.
 */
import { Journals } from "@attestry/core/Journals"
import * as LogFinding from "@attestry/core/LogFinding"
import { LogVerification, type LostLog } from "@attestry/core/LogVerification"
import type { Org } from "@attestry/core/Org"
import * as RecordFinding from "@attestry/core/RecordFinding"
import { RecordVerification } from "@attestry/core/RecordVerification"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The level of verification unless asked. */
const LEVEL = 3

/** How much is verified. */
interface Scope {
  readonly level?: number
  readonly from?: number
}

const absent = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** What verifying an org gave. */
const VerifiedOrg = Schema.Struct({
  /** The name; of a log that is remembered without one its origin. */
  org: Schema.String,
  /** Entries of the journal whose digest was verified. */
  entries: Schema.Int,
  /** The size of the log. */
  logged: Schema.Int,
  findings: absent(Schema.Array(Schema.String)),
  /** Differences that are explained: they are no findings, and the code of the process does not depend on them. */
  notes: absent(Schema.Array(Schema.String)),
  /** Why a part could not be verified. */
  unfinished: absent(Schema.Array(Schema.String))
})

/** What verifying gave. */
export const VerifyReport = Schema.Struct({
  ok: Schema.Boolean,
  level: Schema.Int,
  from: absent(Schema.Int),
  entries: Schema.Int,
  orgs: Schema.Array(VerifiedOrg)
})
/** What verifying gave. */
export type VerifyReport = typeof VerifyReport.Type

/** Something was found, or not everything could be read. */
export class NotVerified extends Schema.TaggedError<NotVerified>()("NotVerified", {
  /** The code with which the process ends. */
  exitCode: Schema.Literal(2, 3),
  lines: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return this.lines.join("\n")
  }
}

/** The failure of the command for a report; none where everything fits. */
export const outcomeOf = ({ orgs }: VerifyReport): Option.Option<NotVerified> => {
  const lines = orgs.flatMap(({ org, findings = [], unfinished = [] }) => [
    ...(findings.length === 0 ? [] : [`the log of org \`${org}\` does not verify:`]),
    ...findings.map((line) => `  ${line}`),
    ...unfinished.map((line) => `the log of org \`${org}\` was not verified to the end: ${line}`)
  ])
  if (lines.length === 0) return Option.none()
  const isFound = orgs.some(({ findings = [] }) => findings.length > 0)
  return Option.some(new NotVerified({ exitCode: isFound ? 2 : 3, lines }))
}

/** A part of verifying: what it gave, or why it ended. */
const part = <A, R>(work: Effect.Effect<A, StoreError, R>, nothing: A, unfinished: Array<string>) =>
  Effect.map(Effect.either(work), (done) => {
    if (Either.isRight(done)) return done.right
    const { message, cause } = done.left
    unfinished.push(cause instanceof Error ? `${message}: ${cause.message}` : message)
    return nothing
  })

/** The number of entries whose digest fits; a bad one is a finding. */
const verifyDigests = (org: Org, findings: Array<string>) =>
  Effect.gen(function* () {
    const checked = yield* (yield* Journals).verify(org.id)
    return checked
  }).pipe(
    Effect.catchTag("JournalDamaged", (damaged) => {
      findings.push(damaged.message)
      return Effect.succeed(0)
    })
  )

const verifyOrg = (org: Org, { level = LEVEL, from = 0 }: Scope) =>
  Effect.gen(function* () {
    const findings: Array<string> = []
    const notes: Array<string> = []
    const unfinished: Array<string> = []
    const entries = level > 1 ? yield* part(verifyDigests(org, findings), 0, unfinished) : 0
    const log = yield* LogVerification
    const scope = { from, name: org.name }
    const report = yield* part(log.verify(org.id, scope), { size: 0, findings: [] }, unfinished)
    const told = report.findings.filter((found) => level > 1 || LogFinding.isOfLog(found))
    findings.push(...told.map(LogFinding.print))
    if (level > 2) {
      const depth = level > 4 ? 5 : level > 3 ? 4 : 3
      const verifying = (yield* RecordVerification).report(org.id, depth)
      const records = yield* part(verifying, { findings: [], notes: [] }, unfinished)
      findings.push(...records.findings.map(RecordFinding.print))
      notes.push(...records.notes.map(RecordFinding.printNote))
    }
    return {
      ...{ org: org.name, entries, logged: report.size },
      ...(findings.length === 0 ? {} : { findings }),
      ...(notes.length === 0 ? {} : { notes }),
      ...(unfinished.length === 0 ? {} : { unfinished })
    }
  })

/** An org that is not there, and whose logs are remembered. */
const lostOrg = (org: string, lost: ReadonlyArray<LostLog>): typeof VerifiedOrg.Type => ({
  ...{ org, entries: 0, logged: 0 },
  findings: [
    `org ${org}: the record is missing`,
    ...lost.filter((each) => each.org === org).map(({ finding }) => LogFinding.print(finding))
  ]
})

/** Verifies orgs one after the other; logs of orgs that are not there are findings. */
export const verify = (
  orgs: ReadonlyArray<Org>,
  scope: Scope,
  lost: ReadonlyArray<LostLog> = []
): Effect.Effect<VerifyReport, never, Journals | LogVerification | RecordVerification> =>
  Effect.map(
    Effect.forEach(orgs, (org) => verifyOrg(org, scope)),
    (there): VerifyReport => {
      const gone = [...new Set(lost.map(({ org }) => org))].map((org) => lostOrg(org, lost))
      const checked = [...there, ...gone]
      return {
        ok: checked.every((each) => each.findings === undefined && each.unfinished === undefined),
        level: scope.level ?? LEVEL,
        ...(scope.from === undefined ? {} : { from: scope.from }),
        entries: checked.reduce((sum, { entries }) => sum + entries, 0),
        orgs: checked
      }
    }
  )
