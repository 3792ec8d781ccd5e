/**
 * Verifies stored records against the journal: tables (level 3), files (level 4) and verdicts (level 5).
 *
 * It reads the journal once, in order, and then every covered table, and continues after a finding. Call it inside a
 * database snapshot, so that records and journal are consistent.
 */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ApiKeySecret from "../api-key/ApiKeySecret.js"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { AttachmentStore } from "../attestation/AttachmentStore.js"
import * as WholeJournal from "../journal/internal/WholeJournal.js"
import type { JournalEntry } from "../journal/JournalEntry.js"
import { JournalStore } from "../journal/JournalStore.js"
import { NotificationType } from "../notification/Notification.js"
import type { OrgId } from "../shared/Identifier.js"
import { attempt } from "../shared/internal/ReadableDamage.js"
import * as Slices from "../shared/Slices.js"
import type { StoreError } from "../shared/StoreError.js"
import { Transaction } from "../shared/Transaction.js"
import {
  AuditStore,
  type Columns,
  RECORD_KINDS,
  type RecordKind,
  type StoredRecord
} from "./AuditStore.js"
import * as Coverage from "./Coverage.js"
import * as ColumnComparison from "./internal/ColumnComparison.js"
import * as DerivedVerification from "./internal/DerivedVerification.js"
import { EXEMPT, Replay, type ReplayedRecord } from "./internal/Replay.js"
import * as ReplayMembers from "./internal/ReplayMembers.js"
import { UNRECORDED } from "./internal/ReplayState.js"
import * as SnapshotVerification from "./internal/SnapshotVerification.js"
import * as TrailVerification from "./internal/TrailVerification.js"
import * as VerdictVerification from "./internal/VerdictVerification.js"
import { named, type TableFinding, unreadable } from "./TableFinding.js"

const isFingerprint = Schema.is(Fingerprint)

/** The levels that this use case verifies. */
export type RecordLevel = 3 | 4 | 5

/** The differences, and how much was proved. Files and verdicts are counted at their levels. */
export interface RecordReport {
  readonly findings: ReadonlyArray<TableFinding>
  readonly records: Coverage.Coverage
  readonly files: Coverage.Coverage
  /** Counts each row in every snapshot that shows it. */
  readonly verdicts: Coverage.Coverage
}

/** The maximum number of findings of a verification. */
export const FINDINGS_MAX = 1_000

/** The number of entries and records read at once. */
const ROWS = 500

/** The names of the columns of a record that differ from the journal. */
export const differences = (
  table: RecordKind,
  expected: Columns,
  stored: Columns
): ReadonlyArray<string> => {
  const exempt = EXEMPT[table] ?? []
  return ColumnComparison.differing(expected, stored).filter((name) => !exempt.includes(name))
}

/** A key or an invitation with the check value of its secret instead of the digest, as the journal has it. */
const checked = ({ digest, ...key }: Columns): Columns => ({
  ...key,
  details: { check: ApiKeySecret.checkOf(String(digest)) }
})

/** A stored record, converted to the form of the journal. */
const shown = (
  org: OrgId,
  table: RecordKind,
  { expected, isMember, stored }: Compared
): Columns => {
  if (table === "api_key" || table === "invitation") return checked(stored)
  return table === "user" ? ReplayMembers.comparable(expected, stored, { org, isMember }) : stored
}

/** A stored record, and the record expected from the journal. */
interface Compared {
  readonly expected: Columns
  readonly stored: Columns
  /** Whether a user is a member of the org. */
  readonly isMember: boolean
}

/** Collects findings about an org, up to `FINDINGS_MAX`. */
class Findings {
  readonly all: Array<TableFinding> = []
  /** Keys of compared records: `not_covered` ones have a column that the journal does not have. */
  readonly #compared = { proved: new Set<string>(), not_covered: new Set<string>() }
  readonly #found = new Set<string>()
  /** WHY: repeated work reports the same finding again. */
  readonly #reported = new Set<string>()

  constructor(readonly org: OrgId) {}

  add(finding: TableFinding): void {
    const text = JSON.stringify(finding)
    if (this.all.length >= FINDINGS_MAX || this.#reported.has(text)) return
    this.#reported.add(text)
    this.all.push(finding)
    if ("table" in finding) this.#found.add(`${finding.table} ${finding.key}`)
  }

  compare(
    table: RecordKind,
    expected: Columns,
    { key, columns, isMember = true }: StoredRecord & { readonly isMember?: boolean }
  ): void {
    const stored = shown(this.org, table, { expected, stored: columns, isMember })
    for (const column of differences(table, expected, stored))
      this.add({ _tag: "RecordChanged", table, key, column })
    const isKnown = !Object.values(expected).includes(UNRECORDED)
    this.#compared[isKnown ? "proved" : "not_covered"].add(`${table} ${key}`)
  }

  /** The number of compared records without a finding. */
  get coverage(): Coverage.Coverage {
    const [proved, not_covered] = [this.#compared.proved, this.#compared.not_covered].map(
      (keys) => [...keys].filter((key) => !this.#found.has(key)).length
    )
    return { proved: proved ?? 0, not_covered: not_covered ?? 0, skipped: 0 }
  }
}

/** The result of comparing a file. */
interface ComparedFile {
  readonly findings: Findings
  readonly files: Coverage.Counting
  /** Whether an erasure has removed the file. */
  readonly isErased: boolean
}

/** Whether a record may be missing from the store: a key that is revoked or in its grace period may be. */
const mayBeGone = (table: RecordKind, { revoked_at, grace_period_expires_at }: Columns): boolean =>
  table === "api_key" && (revoked_at ?? grace_period_expires_at ?? null) !== null

/** Allows records that a lock inserts before an entry mentions them. */
const allowIdle = (state: Replay, org_id: OrgId): void => {
  for (const notification_type of NotificationType.literals)
    state.optional("notification_config").set(notification_type, { org_id, notification_type })
  state.optional("last_notification_number").set(org_id, { org_id, last: 0 })
}

/** The append-only records that an entry adds. An entry that no rule can read is a finding. */
const accepted = (
  state: Replay,
  entry: JournalEntry,
  findings: Findings
): ReadonlyArray<ReplayedRecord> => {
  try {
    return state.accept(entry)
  } catch {
    // WHY every failure: a tampered content can make any rule throw, and must not hide other findings.
    const key = String(entry.sequence)
    findings.add({ _tag: "RecordUnreadable", table: "journal", key, column: "content" })
    return []
  }
}

/** Use case: verifies records. */
export class RecordVerification extends Effect.Service<RecordVerification>()(
  "@attestry/core/RecordVerification",
  {
    effect: Effect.gen(function* () {
      const [journal, records] = [yield* JournalStore, yield* AuditStore]
      const [snapshots, verdicts] = [
        yield* SnapshotVerification.make,
        yield* VerdictVerification.make
      ]
      const [trails, derived] = [yield* TrailVerification.make, yield* DerivedVerification.make]
      const [attachments, transaction] = [yield* AttachmentStore, yield* Transaction]

      /** Runs work so that its failure does not end other work; an unreadable value is a finding. */
      const guarded = <R>(
        org: OrgId,
        work: Effect.Effect<void, StoreError, R>,
        unreadable: () => void
      ) =>
        Effect.map(attempt(transaction, org, work), (done) => {
          if (Option.isNone(done)) unreadable()
        })

      /** Compares append-only records with the stored ones. */
      const compareAdded = (org: OrgId, added: ReadonlyArray<ReplayedRecord>, findings: Findings) =>
        Effect.gen(function* () {
          for (const table of new Set(added.map((each) => each.table))) {
            const own = added.filter((each) => each.table === table)
            const stored = new Map(
              (yield* records.listRecords(org, table, { keys: own.map(({ key }) => key) })).map(
                (each) => [each.key, each]
              )
            )
            for (const { key, columns } of own) {
              const there = stored.get(key)
              if (there === undefined) findings.add({ _tag: "RecordMissing", table, key })
              else findings.compare(table, columns, there)
            }
          }
        })

      const replay = (org: OrgId, findings: Findings) =>
        Effect.gen(function* () {
          const state = new Replay()
          allowIdle(state, org)
          yield* WholeJournal.forEachPage(journal, { org, rows: ROWS }, (page) =>
            Effect.gen(function* () {
              for (const row of page.unreadable) findings.add({ _tag: "RecordUnreadable", ...row })
              const added = yield* Slices.map(page.entries, (entry) =>
                accepted(state, entry, findings)
              )
              yield* compareAdded(org, added.flat(), findings)
            })
          )
          return state
        })

      /** Compares the records of a table with the replayed state, and finds records that only one of them has. */
      const compareTable = (
        org: OrgId,
        table: RecordKind,
        at: { readonly state: Replay; readonly findings: Findings }
      ) =>
        Effect.gen(function* () {
          const { state, findings } = at
          const expected = new Map(state.table(table))
          const appended = state.appended.get(table)
          let after = ""
          for (;;) {
            const stored = yield* records.listRecords(org, table, { after, limit: ROWS })
            for (const record of stored) {
              const row = expected.get(record.key) ?? state.optional(table).get(record.key)
              expected.delete(record.key)
              const column = state.links.misfit(table, record)
              if (column !== undefined)
                findings.add({ _tag: "RecordChanged", table, key: record.key, column })
              const isMember = state.table("membership").has(record.key)
              if (row !== undefined) findings.compare(table, row, { ...record, isMember })
              else if (appended?.has(record.key) !== true)
                findings.add({ _tag: "RecordUnexpected", table, key: record.key })
            }
            const last = stored.at(-1)
            if (last === undefined) break
            after = last.key
          }
          for (const [key, row] of expected) {
            if (!mayBeGone(table, row)) findings.add({ _tag: "RecordMissing", table, key })
          }
        })

      const compareFile = (
        org: OrgId,
        fingerprint: Fingerprint,
        { findings, files, isErased }: ComparedFile
      ) =>
        Effect.gen(function* () {
          let bytes = 0
          const hash = yield* Stream.runFold(
            attachments.read({ org, fingerprint }),
            Sha256.begin(),
            (sum, piece) => {
              bytes += piece.byteLength
              return sum.update(piece)
            }
          )
          if (Base64.encodeHex(hash.digest()) === fingerprint) {
            files.proved += 1
            return
          }
          if (bytes === 0 && isErased) files.not_covered += 1
          else if (bytes === 0) findings.add({ _tag: "FileMissing", fingerprint })
          else findings.add({ _tag: "FileChanged", fingerprint, bytes })
        })

      /** Hashes the content of every file that an attestation names. */
      const compareFiles = (org: OrgId, state: Replay, counted: Omit<ComparedFile, "isErased">) =>
        Effect.forEach(
          state.files,
          (named) =>
            // A tampered attestation may name something that is not a fingerprint.
            isFingerprint(named)
              ? guarded(
                  org,
                  compareFile(org, named, { ...counted, isErased: state.erasedFiles.has(named) }),
                  () => counted.findings.add(unreadable("attachment", named))
                )
              : Effect.sync(() =>
                  counted.findings.add({ _tag: "FileMissing", fingerprint: named })
                ),
          { discard: true }
        )

      /** Verifies snapshots, evaluations of trails, and the tables derived from them. */
      const compareDerived = (org: OrgId, state: Replay, findings: Findings) =>
        Effect.gen(function* () {
          const {
            findings: found,
            traces,
            doubtful,
            coverage
          } = yield* snapshots.verify(org, state)
          for (const each of found) findings.add(each)
          const keys = [...state.table("trail").keys()]
          for (const each of yield* trails.verify(org, state)) findings.add(each)
          const followed = { traces, doubtful, trails: keys }
          for (const each of yield* derived.verify(org, followed)) findings.add(each)
          return coverage
        })

      /** The differences from the journal at one moment, and the coverage. */
      const report = Effect.fn("RecordVerification.report")(
        (org: OrgId, level: RecordLevel): Effect.Effect<RecordReport, StoreError> =>
          transaction.snapshot(
            org,
            Effect.gen(function* () {
              const [findings, files] = [new Findings(org), Coverage.none()]
              const state = yield* replay(org, findings)
              for (const table of RECORD_KINDS)
                yield* guarded(org, compareTable(org, table, { state, findings }), () =>
                  findings.add(unreadable(table, "*"))
                )
              const snapshots = yield* compareDerived(org, state, findings)
              if (level > 3) yield* compareFiles(org, state, { findings, files })
              const evaluated =
                level > 4
                  ? yield* verdicts.verify(org, state)
                  : { findings: [], coverage: Coverage.none() }
              for (const found of evaluated.findings) findings.add(found)
              return {
                findings: findings.all.map((found) => named(found, records.tableOf)),
                records: Coverage.sum([findings.coverage, snapshots]),
                files,
                verdicts: evaluated.coverage
              }
            })
          )
      )

      /** The differences from the journal. */
      const verify = (
        org: OrgId,
        level: RecordLevel
      ): Effect.Effect<ReadonlyArray<TableFinding>, StoreError> =>
        Effect.map(report(org, level), ({ findings }) => findings)

      return { report, verify } as const
    })
  }
) {}
