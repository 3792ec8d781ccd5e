/**
 * Port: stored records as verification and erasure read them, and the copies of recorded values outside of the records.
 *
 * Records have every column that replaying the journal can give, by the names of the domain; no damage is hidden.
 * Copies are stored answers for repeated requests, waiting and failed deliveries, earlier entries of allow-lists,
 * creators and addresses of notifications, commits in rows of snapshots, and accounts of people. An erasure finds them
 * by the erased texts.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as NotificationTarget from "../notification/NotificationTarget.js"
import type { EnvironmentId, OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"

/** The kinds of records that follow from the journal. */
export const RECORD_KINDS = [
  "allow_list_entry",
  "api_key",
  "user",
  "agent_accounts",
  "approval",
  "artifact",
  "attestation",
  "attestation_type",
  "break_glass",
  "control",
  "control_version",
  "environment",
  "environment_former_name",
  "environment_notification",
  "last_notification_number",
  "evidence_document",
  "evidence_link",
  "evidence_subject",
  "flow",
  "flow_former_name",
  "grant",
  "identity_rule",
  "invitation",
  "membership",
  "membership_event",
  "notification_config",
  "notification_target",
  "org",
  "placement_rule",
  "policy",
  "policy_version",
  "proposal",
  "protection",
  "repo",
  "service_account",
  "sign_in_setting",
  "silence",
  "space",
  "team",
  "team_member",
  "template_version",
  "thing_place",
  "trail",
  "commit_link",
  "trust_policy_version",
  "vex_statement",
  "waiver",
  "waiver_settings"
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
  agent_accounts: ["accounts"],
  allow_list_entry: ["reason", "created_by", "owner"],
  approval: ["request", "created_by"],
  artifact: ["report", "created_by"],
  attestation: ["body", "digest", "policy_facts", "created_by"],
  attestation_type: ["description", "versions", "created_by"],
  break_glass: ["opened_by", "reason", "closed_by", "reviewed"],
  control: ["description", "created_by"],
  control_version: ["description", "user"],
  environment: ["description"],
  evidence_document: ["facts", "accepted_by"],
  flow: ["description"],
  grant: ["reason"],
  invitation: ["login", "display_name", "email", "created_by", "accepted_by", "revoked_by"],
  membership_event: ["changed_by"],
  policy: ["description", "created_by"],
  policy_version: ["comment", "created_by"],
  proposal: ["request", "changes", "reason", "proposer", "approvals", "ended"],
  repo: ["description"],
  service_account: ["description"],
  space: ["description"],
  team: ["description"],
  trail: ["description", "git_commit_info", "external_urls", "user_data", "created_by"],
  trust_policy_version: ["comment", "created_by"],
  waiver: ["reason", "owner", "requested_by", "approvals", "rejected", "revoked"]
}

/** The wanted records: those above a key, by key. */
export interface RecordPage {
  readonly after: string
  readonly limit: number
}

/** The keys of wanted records. */
export interface RecordKeys {
  readonly keys: ReadonlyArray<string>
}

/** A delivery with its notification. */
export interface DeliveryCopy {
  readonly id: string
  readonly notification: unknown
}

/** Erased texts, each with its replacement. */
export interface ErasedTexts {
  readonly texts: ReadonlyArray<string>
  readonly left: string
}

/** Texts in all earlier entries of an environment's allow-list. */
export interface AllowedPeriodTexts extends ErasedTexts {
  readonly environment: string
}

/** Texts in a notification of environments or flows. */
export interface NotificationTexts extends ErasedTexts {
  readonly number: number
}

/** Texts in the commits of a trail, in rows of snapshots. */
export interface CommitTexts extends ErasedTexts {
  /** The id of the trail. */
  readonly trail: string
}

/** Addresses of notifications. */
export interface AddressTexts extends NotificationTarget.Addresses {
  /** The id of the target. Null means the deliveries of every target of the org, and no target. */
  readonly target: string | null
  readonly at: Timestamp
}

/** A snapshot of a physical environment. */
export interface SnapshotKey {
  readonly environment: EnvironmentId
  readonly index: number
}

/** The members of a commit that can be erased. */
export const COMMIT_MEMBERS = ["author", "author_username", "message", "signer_username"] as const

/** Texts about a user. */
export interface PersonTexts extends ErasedTexts {
  /** The id of the user. */
  readonly user: string
}

/** The login that replaces an erased one: an account needs a unique login. */
export const erasedLogin = (user: string): string => `erased-${user}`

/** Port: stored records, and copies of their values. */
export class AuditStore extends Context.Tag("@attestry/core/AuditStore")<
  AuditStore,
  {
    /**
     * Records of an org above a key, by key in the order of code units, so that repeated calls return all of them; or
     * the existing records among some keys, in any order.
     */
    readonly listRecords: (
      org: OrgId,
      kind: RecordKind | DerivedKind,
      which: RecordPage | RecordKeys
    ) => Effect.Effect<ReadonlyArray<StoredRecord>, StoreError>
    /** The derived kinds that this store keeps; it computes the others whenever they are read. */
    readonly derivedKinds: ReadonlyArray<DerivedKind>
    /** The name under which an operator finds records of a kind in this store, such as that of a table. */
    readonly tableOf: (kind: string) => string
    /** Contents that are stored once, under their digests, and do not fit them or the records that name them. */
    readonly listMisfits: (org: OrgId) => Effect.Effect<ReadonlyArray<ContentMisfit>, StoreError>
    /** Updates a record after an erasure: writes those of the changed columns that can hold personal members. */
    readonly eraseRecord: (org: OrgId, left: ErasedRecord) => Effect.Effect<void, StoreError>
    /** Removes stored answers that contain one of the parts. The request still counts as answered. */
    readonly withholdAnswers: (
      org: OrgId,
      parts: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreError>
    /** The deliveries whose notification, as JSON, contains one of the parts. */
    readonly listDeliveries: (
      org: OrgId,
      parts: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<DeliveryCopy>, StoreError>
    /** Replaces the notification of a delivery. */
    readonly putDelivery: (org: OrgId, copy: DeliveryCopy) => Effect.Effect<void, StoreError>
    /** The snapshots in which rows began whose commit of the trail has one of the texts. */
    readonly listCommits: (
      org: OrgId,
      texts: Omit<CommitTexts, "left">
    ) => Effect.Effect<ReadonlyArray<SnapshotKey>, StoreError>
    /**
     * Removes addresses from a target and its deliveries (`NotificationTarget.without`). A target without an address
     * is disabled, and its deliveries are removed.
     */
    readonly eraseAddresses: (org: OrgId, texts: AddressTexts) => Effect.Effect<void, StoreError>
    /**
     * Replaces what equals one of the texts:
     *
     * - of an environment, reasons and creators in all entries that its allow-list ever had;
     * - of a trail, members of its commits in rows of all snapshots;
     * - of a notification, its creator;
     * - of a user, names in the membership history of the org, all that its SCIM client said with one of them and,
     *   unless the user is a member of another org, in the
     *   account and in refused requests. A login becomes `erasedLogin`.
     */
    readonly eraseTexts: (
      org: OrgId,
      texts: AllowedPeriodTexts | CommitTexts | NotificationTexts | PersonTexts
    ) => Effect.Effect<void, StoreError>
  }
>() {}
