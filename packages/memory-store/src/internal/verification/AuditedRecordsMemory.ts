/** Records of `AuditStore` in memory: the rows of other adapters, whose tables have the names of kinds. */

import {
  type AuditStore,
  type Columns,
  type DerivedKind,
  type ErasedRecord,
  PERSONAL,
  type RecordKind,
  type StoredRecord
} from "@attestry/core/AuditStore"
import type { OrgId } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Predicate from "effect/Predicate"
import { MemoryState, table } from "../shared/MemoryState.js"
import * as ComposedRecords from "./ComposedRecords.js"

const rowOf = (value: unknown): Columns => (Predicate.isRecord(value) ? value : {})

/** The columns of a key that a row does not have: those of the key of its map. */
type Place = ReadonlyArray<string>

interface Shape {
  /** The columns that are the key of a record, in order. */
  readonly key: ReadonlyArray<string>
  /** The record of a row of the map. */
  readonly record?: (row: Columns, place: Place) => Columns
  /** Whether a row of the map has several records. */
  readonly isList?: boolean
}

const ID: Shape = { key: ["id"] }

/** Exposures, starts and totals are computed whenever they are read. */
const KEPT: ReadonlyArray<DerivedKind> = ["trail_evaluation"]

const SHAPES: { readonly [name in RecordKind | DerivedKind]: Shape } = {
  allow_list_entry: { key: ["environment_id", "fingerprint"], isList: true },
  api_key: ID,
  user: ID,
  approval: { key: ["flow_id", "number"], isList: true },
  artifact: {
    key: ["id"],
    isList: true,
    record: (row) => {
      const { git_commit, git_commit_info } = rowOf(row.report)
      return { ...row, git_commit: git_commit ?? rowOf(git_commit_info).sha1 ?? null }
    }
  },
  agent_accounts: { key: ["org_id"] },
  attestation: { key: ["id"], isList: true },
  attestation_type: { key: ["name"] },
  control: { key: ["identifier"] },
  control_version: {
    key: ["identifier", "version"],
    isList: true,
    record: (row, [org_id, identifier]) => ({ ...row, org_id, identifier })
  },
  environment: {
    key: ["id"],
    record: (row) => {
      const { due_at: _due, silence_due_at: _look, ...environment } = rowOf(row.environment)
      return environment
    }
  },
  environment_former_name: { key: ["name"] },
  environment_notification: { key: ["number"] },
  last_notification_number: { key: ["org_id"] },
  evidence_document: { key: ["digest", "position"] },
  evidence_link: { key: ["digest", "position", "attestation_id"] },
  evidence_subject: { key: ["fingerprint", "digest", "position", "name"] },
  exposure: ID,
  flow: ID,
  flow_former_name: { key: ["name"] },
  break_glass: { key: ["number"] },
  grant: { key: ["number"] },
  identity_rule: {
    key: ["service_account_id"],
    record: (rules, [org_id, service_account_id]) => ({
      org_id,
      service_account_id,
      rules: Object.values(rules)
    })
  },
  invitation: ID,
  membership: { key: ["user_id"] },
  membership_event: ID,
  notification_config: { key: ["notification_type"] },
  notification_target: ID,
  org: ID,
  placement_rule: { key: ["org_id"] },
  policy: ID,
  policy_version: { key: ["policy_id", "version"] },
  proposal: { key: ["number"] },
  protection: { key: ["org_id"] },
  repo: ID,
  service_account: ID,
  sign_in_setting: { key: ["org_id"] },
  silence: { key: ["environment_id", "from_at"], isList: true },
  snapshot: ID,
  snapshot_start: ID,
  space: { key: ["id", "from_at"] },
  team: ID,
  team_member: { key: ["team_id", "user_id", "from_at"] },
  template_version: ID,
  thing_place: { key: ["kind", "thing_id", "from_at"] },
  trail: ID,
  commit_link: { key: ["sha", "trail_id"] },
  trail_evaluation: { key: ["trail_id"] },
  trust_policy_version: { key: ["version"] },
  vex_statement: { key: ["digest", "position", "ordinal"] },
  waiver: { key: ["number"] },
  waiver_settings: { key: ["org_id"] }
}

/** The org of a record; an org has itself, and a key that of its account. */
const orgOf = (name: RecordKind | DerivedKind, row: Columns): unknown => {
  if (name === "org") return row.id
  return name === "api_key" ? rowOf(row.owner).org_id : row.org_id
}

const byKey = (left: StoredRecord, right: StoredRecord): number => (left.key < right.key ? -1 : 1)

/** Records of `AuditStore` in memory. */
export const make: Effect.Effect<
  Pick<
    AuditStore["Type"],
    "listRecords" | "derivedKinds" | "tableOf" | "listMisfits" | "eraseRecord"
  >,
  never,
  MemoryState
> = Effect.map(MemoryState, (state) => {
  const rowsOf = (org: OrgId, name: RecordKind | DerivedKind) =>
    Effect.map(state.read(table<unknown>(name)), (rows) => {
      const { record, isList } = SHAPES[name]
      return Array.from(rows)
        .flatMap(([place, value]) =>
          (isList === true && Array.isArray(value) ? value : [value]).map((row: unknown) => {
            const parts = place.split("\u0001")
            const own: Columns = Array.isArray(row) ? { ...row } : rowOf(row)
            return record === undefined ? own : record(own, parts)
          })
        )
        .filter((row) => orgOf(name, row) === org)
    })

  const all = (
    org: OrgId,
    name: RecordKind | DerivedKind
  ): Effect.Effect<ReadonlyArray<StoredRecord>> =>
    Effect.map(ComposedRecords.READS[name]?.(state, org) ?? rowsOf(org, name), (rows) =>
      rows
        .map((row) => ({
          key: SHAPES[name].key.map((part) => String(row[part])).join(" "),
          columns: row
        }))
        .sort(byKey)
    )

  /** A row of the map with other columns of one of its records. */
  const rewritten = (
    { kind: name, key: wanted, columns, changed }: ErasedRecord,
    place: string,
    value: unknown
  ): unknown => {
    const { key, record, isList } = SHAPES[name]
    const one = (row: unknown): unknown => {
      const own = rowOf(row)
      const shown = record === undefined ? own : record(own, place.split("\u0001"))
      if (key.map((part) => String(shown[part])).join(" ") !== wanted) return row
      const left = changed.filter((column) => PERSONAL[name]?.includes(column))
      if (left.length === 0) return row
      const next = Object.fromEntries(left.map((column) => [column, columns[column]]))
      return name === "environment"
        ? { ...own, environment: { ...rowOf(own.environment), ...next } }
        : { ...own, ...next }
    }
    return isList === true && Array.isArray(value) ? value.map(one) : one(value)
  }

  return {
    derivedKinds: KEPT,
    tableOf: (kind) => kind,
    listMisfits: () => Effect.succeed([]),
    eraseRecord: (_org, left) =>
      state.modify(table<unknown>(left.kind), (rows) => [
        undefined,
        HashMap.map(rows, (value, place) => rewritten(left, place, value))
      ]),
    listRecords: (org, name, which) =>
      Effect.map(all(org, name), (found) =>
        "keys" in which
          ? found.filter(({ key }) => which.keys.includes(key))
          : found.filter(({ key }) => key > which.after).slice(0, which.limit)
      )
  }
})
