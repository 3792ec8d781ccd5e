/**
 * Port: stored records, for verification. It shows every column that replaying the journal can give, by the names of
 * the domain, and hides no damage.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"

/** The tables whose rows follow from the journal. */
export const TABLES = [
  "allow_list",
  "api_key",
  "app_user",
  "approval",
  "artifact",
  "attestation",
  "attestation_type",
  "control",
  "control_version",
  "environment",
  "environment_former_name",
  "environment_notification",
  "environment_notification_number",
  "flow",
  "flow_former_name",
  "identity_rule",
  "membership",
  "membership_event",
  "notification_config",
  "notification_target",
  "org",
  "policy",
  "policy_version",
  "repo",
  "service_account",
  "template_version",
  "trail",
  "trail_commit"
] as const
/** A table whose rows follow from the journal. */
export type TableName = (typeof TABLES)[number]

/** Tables whose rows follow from records that are verified. */
export const DERIVED = ["exposure", "snapshot", "snapshot_start", "trail_evaluation"] as const
/** A table whose rows follow from records that are verified. */
export type DerivedTable = (typeof DERIVED)[number]

/** A content that is stored once, under its digest, and does not match. */
export interface ContentMisfit {
  readonly table: string
  /** The digest in hexadecimal. */
  readonly key: string
  /** It has another digest, no record names it, or a record names it and it is missing. */
  readonly problem: "changed" | "unexpected" | "missing"
}

/** The columns of a record; an absent one is null. */
export interface Columns {
  readonly [name: string]: unknown
}

/** A record of a table. */
export interface StoredRecord {
  /** The parts of its key within the org, with spaces between them. */
  readonly key: string
  readonly columns: Columns
}

/** A record after an erasure. */
export interface ErasedRecord extends StoredRecord {
  readonly table: TableName
  /** The columns that differ from the stored value. */
  readonly changed: ReadonlyArray<string>
}

/** Columns that can hold personal members. */
export const PERSONAL: { readonly [table in TableName]?: ReadonlyArray<string> } = {
  allow_list: ["reason", "created_by"],
  approval: ["request", "created_by"],
  artifact: ["report", "created_by"],
  attestation: ["body", "digest", "created_by"],
  attestation_type: ["description", "versions", "created_by"],
  control: ["description", "created_by"],
  control_version: ["description", "user"],
  environment: ["description"],
  flow: ["description"],
  membership_event: ["changed_by"],
  policy: ["description", "created_by"],
  policy_version: ["comment", "created_by"],
  repo: ["description"],
  service_account: ["description"],
  trail: ["description", "git_commit_info", "external_urls", "user_data", "created_by"]
}

/** The wanted records: those above a key, by key. */
export interface RecordPage {
  readonly after: string
  readonly limit: number
}

/** Port: stored records. */
export class TableAuditStore extends Context.Tag("@attestry/core/TableAuditStore")<
  TableAuditStore,
  {
    /** Records of an org above a key, by key in the order of code units. Repeated calls return all of them. */
    readonly list: (
      org: OrgId,
      table: TableName | DerivedTable,
      page: RecordPage
    ) => Effect.Effect<ReadonlyArray<StoredRecord>, StoreError>
    /** The derived tables that this store keeps; it computes the others whenever they are read. */
    readonly derived: ReadonlyArray<DerivedTable>
    /** Contents that are stored once, under their digests, and match neither them nor the records that name them. */
    readonly listMisfits: (org: OrgId) => Effect.Effect<ReadonlyArray<ContentMisfit>, StoreError>
    /** Updates a record after an erasure: writes those of the changed columns that can hold personal members. */
    readonly erase: (org: OrgId, left: ErasedRecord) => Effect.Effect<void, StoreError>
    /** The existing records among these keys, in any order. */
    readonly find: (
      org: OrgId,
      table: TableName | DerivedTable,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredRecord>, StoreError>
  }
>() {}
