/** Verifies derived records: the stored ones must equal the computed ones. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { OrgId } from "../../shared/Identifier.js"
import { attempt } from "../../shared/internal/ReadableDamage.js"
import type { StoreError } from "../../shared/StoreError.js"
import { Transaction } from "../../shared/Transaction.js"
import {
  AuditStore,
  type Columns,
  type ContentMisfit,
  type DerivedKind,
  type StoredRecord
} from "../AuditStore.js"
import { type TableFinding, unreadable } from "../TableFinding.js"
import { differing } from "./ColumnComparison.js"
import { digestOf } from "./ReplayRules.js"
import type { SnapshotTraces } from "./SnapshotTraces.js"

/** The number of records read at once. */
const ROWS = 500

/** The result of verifying the snapshots. */
export interface Followed {
  readonly traces: SnapshotTraces
  /** Environments whose snapshots differ; records derived from them are not compared. */
  readonly doubtful: ReadonlySet<string>
  readonly trails: Iterable<string>
}

const environmentOf = (key: string): string => key.split(" ")[0] ?? ""

const TAGS = {
  changed: "RecordChanged",
  missing: "RecordMissing",
  unexpected: "RecordUnexpected"
} as const

const misfit = ({ table, key, problem }: ContentMisfit): TableFinding =>
  problem === "changed"
    ? { _tag: TAGS.changed, table, key, column: "digest" }
    : { _tag: TAGS[problem], table, key }

/** The columns of a stored record in the form of `SnapshotTraces`, for comparison. */
const comparable = (table: DerivedKind, { view, ...columns }: Columns): Columns =>
  table === "snapshot_start" ? { view: digestOf(view) } : columns

/** Verifies derived records with the ports of a store. */
export const make = Effect.gen(function* () {
  const [records, transaction] = [yield* AuditStore, yield* Transaction]

  const each = (
    org: OrgId,
    table: DerivedKind,
    accept: (record: StoredRecord) => void
  ): Effect.Effect<void, StoreError> =>
    Effect.gen(function* () {
      let after = ""
      for (;;) {
        const stored = yield* records.listRecords(org, table, { after, limit: ROWS })
        for (const record of stored) accept(record)
        const last = stored.at(-1)
        if (last === undefined) return
        after = last.key
      }
    })

  /** Finds derived records that differ, that are unexpected, and that are missing. */
  const compareTraces = (
    org: OrgId,
    table: Exclude<DerivedKind, "trail_evaluation">,
    { traces, doubtful }: Followed
  ) =>
    Effect.gen(function* () {
      const findings: Array<TableFinding> = []
      const expected = traces.expected(table)
      yield* each(org, table, ({ key, columns }) => {
        const row = expected.get(key)
        expected.delete(key)
        if (doubtful.has(environmentOf(key))) return
        if (row === undefined) findings.push({ _tag: "RecordUnexpected", table, key })
        else
          for (const column of differing(row, comparable(table, columns)))
            findings.push({ _tag: "RecordChanged", table, key, column })
      })
      for (const key of expected.keys())
        if (!doubtful.has(environmentOf(key))) findings.push({ _tag: "RecordMissing", table, key })
      return findings
    })

  /** Finds missing evaluations of trails. */
  const compareTrails = (org: OrgId, trails: Iterable<string>) =>
    Effect.gen(function* () {
      const findings: Array<TableFinding> = []
      const known = new Set(trails)
      yield* each(org, "trail_evaluation", ({ key }) => {
        if (!known.has(key))
          findings.push({ _tag: "RecordUnexpected", table: "trail_evaluation", key })
      })
      return findings
    })

  /** Finds the differences between stored and computed records. */
  const verify = (
    org: OrgId,
    followed: Followed
  ): Effect.Effect<ReadonlyArray<TableFinding>, StoreError> =>
    Effect.gen(function* () {
      const guarded = (table: string, work: ReturnType<typeof compareTrails>) =>
        Effect.map(
          attempt(transaction, org, work),
          Option.getOrElse(() => [unreadable(table, "*")])
        )
      const misfits = Effect.map(records.listMisfits(org), (found) => found.map(misfit))
      const findings = [...(yield* guarded("snapshot_flows", misfits))]
      for (const table of records.derivedKinds) {
        const compared =
          table === "trail_evaluation"
            ? compareTrails(org, followed.trails)
            : compareTraces(org, table, followed)
        findings.push(...(yield* guarded(table, compared)))
      }
      return findings
    })

  return { verify } as const
})
