/**
 * Verifies stored records against the journal: level 3, tables, level 4, files, and level 5, verdicts.
 *
 * It reads the journal once, in order, and then every covered table. It goes on after a finding. Call it inside of a
 * snapshot, so that records and journal are of one moment.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as ApiKeySecret from "../api-key/ApiKeySecret.js"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { AttachmentStore } from "../attestation/AttachmentStore.js"
import { JournalStore } from "../journal/JournalStore.js"
import { NotificationType } from "../notification/Notification.js"
import * as Base64 from "../shared/Base64.js"
import type { OrgId } from "../shared/Identifier.js"
import * as Sha256 from "../shared/Sha256.js"
import type { StoreError } from "../shared/StoreError.js"
import { Transaction } from "../shared/Transaction.js"
import * as ColumnComparison from "./internal/ColumnComparison.js"
import * as DerivedVerification from "./internal/DerivedVerification.js"
import * as DigestAsGiven from "./internal/DigestAsGiven.js"
import * as ReplayMembers from "./internal/ReplayMembers.js"
import * as SnapshotVerification from "./internal/SnapshotVerification.js"
import * as TrailVerification from "./internal/TrailVerification.js"
import * as VerdictVerification from "./internal/VerdictVerification.js"
import type { RecordFinding, RecordNote } from "./RecordFinding.js"
import {
  type Columns,
  RecordStore,
  type StoredRecord,
  TABLES,
  type TableName
} from "./RecordStore.js"
import { EXEMPT, Replay, type ReplayedRecord } from "./Replay.js"

/** The levels of this use case. */
export type RecordLevel = 3 | 4 | 5

/** The most findings that are told. */
export const FINDINGS_MAX = 1_000

/** Entries and records that are read at a time. */
const ROWS = 500

/** The columns of a record that are not what the journal says, by name. */
export const differences = (
  table: TableName,
  expected: Columns,
  stored: Columns
): ReadonlyArray<string> => {
  const exempt = EXEMPT[table] ?? []
  return ColumnComparison.differing(expected, stored).filter((name) => !exempt.includes(name))
}

/** A key with its check in the place of its digest, as the journal has it. */
const checked = ({ digest, ...key }: Columns): Columns => ({
  ...key,
  details: { check: ApiKeySecret.checkOf(String(digest)) }
})

/** A stored record in the form of the journal. */
const shown = (org: OrgId, table: TableName, { expected, isMember, stored }: Compared): Columns => {
  if (table === "api_key") return checked(stored)
  return table === "app_user"
    ? ReplayMembers.comparable(expected, stored, { org, isMember })
    : stored
}

/** A record, and what the journal says of it. */
interface Compared {
  readonly expected: Columns
  readonly stored: Columns
  /** Whether a user is a member of the org. */
  readonly isMember: boolean
}

/** Whether a column that differs is the digest of an override in its earlier form. */
const isEarlierDigest = (
  table: TableName,
  column: string,
  { expected, stored }: Pick<Compared, "expected" | "stored">
): boolean =>
  table === "attestation" && column === "digest" && DigestAsGiven.is(expected, stored.digest)

/** What verifying records gave. */
export interface RecordReport {
  readonly findings: ReadonlyArray<RecordFinding>
  /** Differences that are explained. */
  readonly notes: ReadonlyArray<RecordNote>
}

/** Collects findings and notes about an org, up to `FINDINGS_MAX` of each. */
class Findings {
  readonly all: Array<RecordFinding> = []
  readonly notes: Array<RecordNote> = []

  constructor(readonly org: OrgId) {}

  add(finding: RecordFinding): void {
    if (this.all.length < FINDINGS_MAX) this.all.push(finding)
  }

  note(note: RecordNote): void {
    if (this.notes.length < FINDINGS_MAX) this.notes.push(note)
  }

  compare(
    table: TableName,
    expected: Columns,
    { key, columns, isMember = true }: StoredRecord & { readonly isMember?: boolean }
  ): void {
    const stored = shown(this.org, table, { expected, stored: columns, isMember })
    for (const column of differences(table, expected, stored)) {
      if (isEarlierDigest(table, column, { expected, stored }))
        this.note({ _tag: "DigestAsGiven", table, key })
      else this.add({ _tag: "RecordChanged", table, key, column })
    }
  }
}

/** A key that has ended may be gone; every other record stays. */
const mayBeGone = (table: TableName, { revoked_at, grace_period_expires_at }: Columns): boolean =>
  table === "api_key" && (revoked_at ?? grace_period_expires_at ?? null) !== null

/** What is there before an entry speaks of it: a lock has inserted it. */
const allowIdle = (state: Replay, org_id: OrgId): void => {
  for (const notification_type of NotificationType.literals)
    state.optional("notification_config").set(notification_type, { org_id, notification_type })
  state.optional("environment_notification_number").set(org_id, { org_id, last: 0 })
}

/** Use case: verifies records. */
export class RecordVerification extends Effect.Service<RecordVerification>()(
  "@attestry/core/RecordVerification",
  {
    effect: Effect.gen(function* () {
      const [journal, records] = [yield* JournalStore, yield* RecordStore]
      const [snapshots, verdicts] = [
        yield* SnapshotVerification.make,
        yield* VerdictVerification.make
      ]
      const [trails, derived] = [yield* TrailVerification.make, yield* DerivedVerification.make]
      const [attachments, transaction] = [yield* AttachmentStore, yield* Transaction]

      /** Compares records that were added for ever with what is stored. */
      const compareAdded = (org: OrgId, added: ReadonlyArray<ReplayedRecord>, findings: Findings) =>
        Effect.gen(function* () {
          for (const table of new Set(added.map((each) => each.table))) {
            const own = added.filter((each) => each.table === table)
            const stored = new Map(
              (yield* records.find(
                org,
                table,
                own.map(({ key }) => key)
              )).map((each) => [each.key, each])
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
          let after = Number.MIN_SAFE_INTEGER
          for (;;) {
            const entries = yield* journal.listAfter({ org, after, limit: ROWS })
            const last = entries.at(-1)
            if (last === undefined) return state
            after = last.sequence
            yield* compareAdded(
              org,
              entries.flatMap((entry) => state.accept(entry)),
              findings
            )
          }
        })

      /** Compares the records of a table with the state, and finds those that one of the two does not have. */
      const compareTable = (
        org: OrgId,
        table: TableName,
        at: { readonly state: Replay; readonly findings: Findings }
      ) =>
        Effect.gen(function* () {
          const { state, findings } = at
          const expected = new Map(state.table(table))
          const appended = state.appended.get(table)
          let after = ""
          for (;;) {
            const stored = yield* records.list(org, table, { after, limit: ROWS })
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

      /** Hashes the content of each file that an attestation names. */
      const compareFiles = (org: OrgId, { files }: Replay, findings: Findings) =>
        Effect.forEach(
          files,
          (fingerprint) =>
            Effect.gen(function* () {
              const content = attachments.read({ org, fingerprint: Fingerprint.make(fingerprint) })
              let bytes = 0
              const hash = yield* Stream.runFold(content, Sha256.begin(), (sum, piece) => {
                bytes += piece.byteLength
                return sum.update(piece)
              })
              if (Base64.encodeHex(hash.digest()) === fingerprint) return
              if (bytes === 0) findings.add({ _tag: "FileMissing", fingerprint })
              else findings.add({ _tag: "FileChanged", fingerprint, bytes })
            }),
          { discard: true }
        )

      /** Snapshots, evaluations of trails, and what follows from both. */
      const compareDerived = (org: OrgId, state: Replay, findings: Findings) =>
        Effect.gen(function* () {
          const { findings: found, traces, doubtful } = yield* snapshots.verify(org, state)
          for (const each of found) findings.add(each)
          const keys = [...state.table("trail").keys()]
          for (const each of yield* trails.verify(org, state)) findings.add(each)
          const followed = { traces, doubtful, trails: keys }
          for (const each of yield* derived.verify(org, followed)) findings.add(each)
        })

      /** What differs from the journal, as of one moment, and what of it is explained. */
      const report = Effect.fn("RecordVerification.report")(
        (org: OrgId, level: RecordLevel): Effect.Effect<RecordReport, StoreError> =>
          transaction.snapshot(
            org,
            Effect.gen(function* () {
              const findings = new Findings(org)
              const state = yield* replay(org, findings)
              for (const table of TABLES) yield* compareTable(org, table, { state, findings })
              yield* compareDerived(org, state, findings)
              if (level > 3) yield* compareFiles(org, state, findings)
              if (level > 4)
                for (const found of yield* verdicts.verify(org, state)) findings.add(found)
              return { findings: findings.all, notes: findings.notes }
            })
          )
      )

      /** What differs from the journal and is not explained. */
      const verify = (
        org: OrgId,
        level: RecordLevel
      ): Effect.Effect<ReadonlyArray<RecordFinding>, StoreError> =>
        Effect.map(report(org, level), ({ findings }) => findings)

      return { report, verify } as const
    })
  }
) {}
