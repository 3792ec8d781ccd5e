/**
 * Port: stored records, for verification. It shows every column that replaying the journal can give, by the names of
 * the domain, and hides no damage.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"

/** The kinds of records that follow from the journal. */
export const RECORD_KINDS = [
  "allow_list_entry",
  "api_key",
  "user",
  "approval",
  "artifact",
  "attestation",
  "attestation_type",
  "control",
  "control_version",
  "environment",
  "environment_former_name",
  "environment_notification",
  "last_notification_number",
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
  "commit_link"
] as const
/** A kind of record that follows from the journal. */
export type RecordKind = (typeof RECORD_KINDS)[number]

/** The kinds of records that follow from records that are verified. */
export const DERIVED = ["exposure", "snapshot", "snapshot_start", "trail_evaluation"] as const
/** A kind of record that follows from records that are verified. */
export type DerivedKind = (typeof DERIVED)[number]

/** A content that is stored once, under its digest, and does not match. */
export interface ContentMisfit {
  /** The name under which the store has contents of this kind, as in `tableOf`. */
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

/** A stored record. */
export interface StoredRecord {
  /** The parts of its key within the org, with spaces between them. */
  readonly key: string
  readonly columns: Columns
}

/** A record after an erasure. */
export interface ErasedRecord extends StoredRecord {
  readonly kind: RecordKind
  /** The columns that have another value than is stored. */
  readonly changed: ReadonlyArray<string>
}

/** Columns that can hold personal members. */
export const PERSONAL: { readonly [kind in RecordKind]?: ReadonlyArray<string> } = {
  allow_list_entry: ["reason", "created_by"],
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
    readonly listRecords: (
      org: OrgId,
      kind: RecordKind | DerivedKind,
      page: RecordPage
    ) => Effect.Effect<ReadonlyArray<StoredRecord>, StoreError>
    /** The derived kinds that this store keeps; it computes the others whenever they are read. */
    readonly derivedKinds: ReadonlyArray<DerivedKind>
    /** The name under which an operator finds records of a kind in this store, such as that of a table. */
    readonly tableOf: (kind: string) => string
    /** Contents that are stored once, under their digests, and do not fit them or the records that name them. */
    readonly listMisfits: (org: OrgId) => Effect.Effect<ReadonlyArray<ContentMisfit>, StoreError>
    /** Updates a record after an erasure: writes those of the changed columns that can hold personal members. */
    readonly eraseRecord: (org: OrgId, left: ErasedRecord) => Effect.Effect<void, StoreError>
    /** The existing records among these keys, in any order. */
    readonly findRecords: (
      org: OrgId,
      kind: RecordKind | DerivedKind,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredRecord>, StoreError>
  }
>() {}
