/**
 * The command `verify`: verifies the logs and records of orgs up to a level, and goes on after a finding.
 *
 * The process ends with 2 when something was found, and with 3 when not everything could be read.
 */
import * as Coverage from "@attestry/core/Coverage"
import type { DamagedRow } from "@attestry/core/DamagedRecords"
import { OrgId } from "@attestry/core/Identifier"
import { Journals } from "@attestry/core/Journals"
import * as LogFinding from "@attestry/core/LogFinding"
import { LogVerification, type LostLog } from "@attestry/core/LogVerification"
import type { Org } from "@attestry/core/Org"
import { RecordVerification } from "@attestry/core/RecordVerification"
import type { StoreError } from "@attestry/core/StoreError"
import * as TableFinding from "@attestry/core/TableFinding"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The level of verification by default. */
const LEVEL = 3

/** How much is verified. */
interface Scope {
  readonly level?: number
  readonly from?: number
}

const absent = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** Numbers of things of each kind; those of a level that was not asked for are 0. */
const Things = Schema.Struct({
  entries: Schema.Int,
  records: Schema.Int,
  files: Schema.Int,
  /** Rows of snapshots, each in each snapshot that shows it. */
  verdicts: Schema.Int
})
type Things = typeof Things.Type

/** How much was proved, could not be made again, and was left out. */
const Counted = Schema.Struct({ proved: Things, not_covered: Things, skipped: Things })
type Counted = typeof Counted.Type

const OUTCOMES = ["proved", "not_covered", "skipped"] as const

const thingsOf = (count: (kind: keyof Things) => number): Things => ({
  entries: count("entries"),
  records: count("records"),
  files: count("files"),
  verdicts: count("verdicts")
})

const countedOf = (of: (outcome: (typeof OUTCOMES)[number]) => Things): Counted => ({
  proved: of("proved"),
  not_covered: of("not_covered"),
  skipped: of("skipped")
})

const total = (all: ReadonlyArray<Counted>): Counted =>
  countedOf((outcome) =>
    thingsOf((kind) => all.reduce((sum, each) => sum + each[outcome][kind], 0))
  )

const NOTHING: Counted = total([])

/** The result of verifying an org. */
const VerifiedOrg = Schema.Struct({
  /** The name; of a log that is remembered without one its origin. */
  org: Schema.String,
  /** Entries of the journal whose digest was verified. */
  entries: Schema.Int,
  /** The size of the log. */
  logged: Schema.Int,
  /** How many of these entries are below a checkpoint that is signed and fits. */
  signed: Schema.Int,
  ...Counted.fields,
  findings: absent(Schema.Array(Schema.String)),
  /** Differences that are explained: they are no findings, and the code of the process does not depend on them. */
  /** Why a part could not be verified. */
  unfinished: absent(Schema.Array(Schema.String))
})

/** The result of a verification. */
export const VerifyReport = Schema.Struct({
  ok: Schema.Boolean,
  level: Schema.Int,
  from: absent(Schema.Int),
  entries: Schema.Int,
  ...Counted.fields,
  orgs: Schema.Array(VerifiedOrg)
})
/** The result of a verification. */
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

/** The failure of the command for a report; none when everything fits. */
export const outcomeOf = ({ orgs, ...report }: VerifyReport): Option.Option<NotVerified> => {
  const lines = orgs.flatMap(({ org, findings = [], unfinished = [] }) => [
    ...(findings.length === 0 ? [] : [`the log of org \`${org}\` does not verify:`]),
    ...findings.map((line) => `  ${line}`),
    ...unfinished.map((line) => `the log of org \`${org}\` was not verified to the end: ${line}`)
  ])
  if (lines.length === 0) return Option.none()
  const isFound = orgs.some(({ findings = [] }) => findings.length > 0)
  const counts = OUTCOMES.map((outcome) => `${outcome}: ${JSON.stringify(report[outcome])}`)
  return Option.some(new NotVerified({ exitCode: isFound ? 2 : 3, lines: [...lines, ...counts] }))
}

/** A part of verifying: what it gave, or why it ended. */
const part = <A, R>(work: Effect.Effect<A, StoreError, R>, nothing: A, unfinished: Array<string>) =>
  Effect.either(work).pipe(
    Effect.map((done) => {
      if (Either.isRight(done)) return done.right
      const { message, cause } = done.left
      unfinished.push(cause instanceof Error ? `${message}: ${cause.message}` : message)
      return nothing
    }),
    // WHY: whatever is stored, the other parts are verified and the report is given.
    Effect.catchAllDefect((defect) => {
      unfinished.push(defect instanceof Error ? defect.message : String(defect))
      return Effect.succeed(nothing)
    })
  )

/** The number of entries whose digest fits; the others are findings. */
const verifyDigests = (org: { readonly id: OrgId }, findings: Array<string>) =>
  Effect.gen(function* () {
    const { entries, damaged } = yield* (yield* Journals).verify(org.id)
    for (const { table, key, column } of damaged)
      findings.push(`${table} ${key}: \`${column}\` cannot be read, or does not fit its digest`)
    return entries
  })

const verifyOrg = (
  org: { readonly id: OrgId; readonly name: string },
  { level = LEVEL, from = 0 }: Scope
) =>
  Effect.gen(function* () {
    const findings: Array<string> = []
    const unfinished: Array<string> = []
    const entries = level > 1 ? yield* part(verifyDigests(org, findings), 0, unfinished) : 0
    const log = yield* LogVerification
    const scope = { from, name: org.name }
    const nothing = { size: 0, signed: 0, findings: [] }
    const report = yield* part(log.verify(org.id, scope), nothing, unfinished)
    const ofLevel = report.findings.filter((found) => level > 1 || LogFinding.isOfLog(found))
    findings.push(...ofLevel.map(LogFinding.print))
    const depth = level > 4 ? 5 : level > 3 ? 4 : 3
    const none = Coverage.none()
    const unread = { findings: [], records: none, files: none, verdicts: none }
    const records =
      level > 2
        ? yield* part((yield* RecordVerification).report(org.id, depth), unread, unfinished)
        : unread
    findings.push(...records.findings.map(TableFinding.print))
    // WHY by the log: an entry without a leaf is held by its digest alone, which lies beside it.
    const logged = level > 1 ? Math.max(0, Math.min(entries, report.size) - from) : 0
    const ofEntries: Coverage.Coverage = {
      proved: logged,
      not_covered: Math.max(0, entries - Math.max(logged + from, 0)),
      skipped: Math.min(from, entries)
    }
    const kinds = { ...records, entries: ofEntries }
    return {
      org: org.name,
      entries,
      logged: report.size,
      signed: report.signed,
      ...countedOf((outcome) => thingsOf((kind) => kinds[kind][outcome])),
      ...(findings.length === 0 ? {} : { findings }),
      ...(unfinished.length === 0 ? {} : { unfinished })
    }
  })

const isOrgId = Schema.is(OrgId)

/** An org of which nothing can be verified. */
const missingOrg = (org: string): typeof VerifiedOrg.Type => ({
  ...NOTHING,
  org,
  entries: 0,
  logged: 0,
  signed: 0
})

/** An org that is not there, and whose logs are remembered. */
const lostOrg = (org: string, lost: ReadonlyArray<LostLog>): typeof VerifiedOrg.Type => ({
  ...missingOrg(org),
  findings: [
    `org ${org}: the record is missing`,
    ...lost.filter((each) => each.org === org).map(({ finding }) => LogFinding.print(finding))
  ]
})

/** The subjects of a verification: existing orgs, logs of removed orgs, and unreadable rows of orgs. */
export interface Verified {
  readonly orgs: ReadonlyArray<Org>
  readonly lost: ReadonlyArray<LostLog>
  readonly unreadable: ReadonlyArray<DamagedRow>
}

/** Verifies orgs one after the other; an org that is not there, or cannot be read, is a finding. */
export const verify = (
  { orgs, lost, unreadable }: Verified,
  scope: Scope
): Effect.Effect<VerifyReport, never, Journals | LogVerification | RecordVerification> =>
  Effect.gen(function* () {
    const there = yield* Effect.forEach(orgs, (org) => verifyOrg(org, scope))
    const unread = yield* Effect.forEach(unreadable, ({ key, column }) => {
      const found = `org ${key}: \`${column}\` cannot be read`
      if (!isOrgId(key)) return Effect.succeed({ ...missingOrg(key), findings: [found] })
      return Effect.map(verifyOrg({ id: key, name: key }, scope), (checked) => ({
        ...checked,
        findings: [found, ...(checked.findings ?? [])]
      }))
    })
    const gone = [...new Set(lost.map(({ org }) => org))].map((org) => lostOrg(org, lost))
    const checked: ReadonlyArray<typeof VerifiedOrg.Type> = [...there, ...unread, ...gone]
    return {
      ok: checked.every((each) => each.findings === undefined && each.unfinished === undefined),
      level: scope.level ?? LEVEL,
      ...(scope.from === undefined ? {} : { from: scope.from }),
      entries: checked.reduce((sum, { entries }) => sum + entries, 0),
      ...total(checked),
      orgs: checked
    }
  })
