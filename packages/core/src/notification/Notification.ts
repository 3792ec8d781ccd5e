/**
 * One notification: pure data from which every channel renders its text.
 *
 * Names are those of the time of the event. There are no links: the renderer knows the public address. No
 * secret of a key is part of it (law NOTIFY-7). SPEC §6
 */
import * as Schema from "effect/Schema"
import { BaseRole, Role } from "../access/Role.js"
import { ReportedFingerprint } from "../artifact/Fingerprint.js"
import { Status } from "../compliance/ComplianceStatus.js"
import { hiddenField } from "../shared/Hidden.js"
import {
  ApiKeyId,
  AttestationId,
  EnvironmentName,
  FlowName,
  OrgName,
  ServiceAccountName,
  SlotName,
  TrailName
} from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { Verdict } from "../shared/Verdict.js"
import { WaiverChange } from "../waiver/WaiverChange.js"
import { WaiverState } from "../waiver/WaiverState.js"

/** The notifications that the service raises by itself. SPEC §2.1 */
export const NotificationType = Schema.Literal(
  "api_key_expiry",
  "waiver_expiry",
  "access_change",
  "break_glass",
  "proposal"
).annotations({ identifier: "NotificationType" })
/** The notifications that the service raises by itself. */
export type NotificationType = typeof NotificationType.Type

/** The provenance of an artifact in its primary flow. */
export const Provenance = Schema.Struct({
  flow: FlowName,
  trail: TrailName,
  slot: SlotName,
  status: Status,
  commit: Schema.NullOr(Schema.String),
  commit_url: Schema.NullOr(Schema.String),
  build_url: Schema.NullOr(Schema.String)
})
/** The provenance of an artifact in its primary flow. */
export type Provenance = typeof Provenance.Type

/** The artifact of a notification; `provenance` is null when no flow knows it, or only flows that are hidden. */
export const NotifiedArtifact = Schema.Struct({
  name: Schema.String,
  fingerprint: ReportedFingerprint,
  provenance: Schema.NullOr(Provenance),
  ...hiddenField
})
/** The artifact of a notification. */
export type NotifiedArtifact = typeof NotifiedArtifact.Type

/** The snapshot that caused a notification, or the latest one at that time. */
export const NotifiedSnapshot = Schema.Struct({ index: Schema.Int, verdict: Verdict })
/** The snapshot that caused a notification, or the latest one at that time. */
export type NotifiedSnapshot = typeof NotifiedSnapshot.Type

/** The id of the entry of the evidence log that records a write. */
const recorded = {
  /** Absent while the org has no log. */
  log_entry: Schema.optionalWith(Schema.String, { exact: true })
}

const common = {
  org: OrgName,
  /** When it happened, not when it is delivered. */
  at: Timestamp,
  /** One sentence that contains names of users' choice: escape it in every rendering. */
  description: Schema.String
}

/** An artifact started, exited or scaled in an environment, or was allowed there. */
export const ArtifactNotification = Schema.Struct({
  event_type: Schema.Literal(
    "ARTIFACT_STARTED",
    "ARTIFACT_EXITED",
    "ARTIFACT_SCALED",
    "ARTIFACT_ALLOWED"
  ),
  ...common,
  ...recorded,
  environment: EnvironmentName,
  /** Null when an artifact was allowed before the first report. */
  snapshot: Schema.NullOr(NotifiedSnapshot),
  artifact: NotifiedArtifact
})
/** A change of an artifact in an environment. */
export type ArtifactNotification = typeof ArtifactNotification.Type

/** An environment became compliant or non-compliant, or policies on trial warn about it. */
export const VerdictNotification = Schema.Struct({
  event_type: Schema.Literal(
    "ENVIRONMENT_NON_COMPLIANT",
    "ENVIRONMENT_COMPLIANT",
    "ENVIRONMENT_WARNED"
  ),
  ...common,
  ...recorded,
  environment: EnvironmentName,
  snapshot: NotifiedSnapshot
})
/** An environment became compliant or non-compliant, or is warned about. */
export type VerdictNotification = typeof VerdictNotification.Type

/** An environment missed its cadence, or reports again. */
export const SilenceNotification = Schema.Struct({
  event_type: Schema.Literal("ENVIRONMENT_SILENT", "ENVIRONMENT_REPORTING"),
  ...common,
  ...recorded,
  environment: EnvironmentName,
  /** The latest snapshot at that time. */
  snapshot: Schema.NullOr(NotifiedSnapshot),
  /** The instant by which a report was due. */
  silent_since: Timestamp
})
/** An environment missed its cadence, or reports again. */
export type SilenceNotification = typeof SilenceNotification.Type

/** A compliant environment becomes non-compliant soon, by time alone. */
export const DecayNotification = Schema.Struct({
  event_type: Schema.Literal("ENVIRONMENT_DECAYING"),
  ...common,
  ...recorded,
  environment: EnvironmentName,
  /** The latest snapshot at that time. */
  snapshot: NotifiedSnapshot,
  due_at: Timestamp,
  /** The number of running rows that turn at that instant; null where it is not known. */
  rows: Schema.NullOr(Schema.Int)
})
/** A compliant environment becomes non-compliant soon, by time alone. */
export type DecayNotification = typeof DecayNotification.Type

/** A waiver was changed, in an environment that it reaches. */
export const WaiverNotification = Schema.Struct({
  event_type: Schema.Literal("WAIVER_CHANGED"),
  ...common,
  ...recorded,
  environment: EnvironmentName,
  /** The latest snapshot at that time; null before the first report. */
  snapshot: Schema.NullOr(NotifiedSnapshot),
  waiver: Schema.Struct({
    number: Schema.Int,
    policy_name: Schema.String,
    state: WaiverState,
    change: WaiverChange,
    expires_at: Timestamp
  })
})
/** A waiver was changed, in an environment that it reaches. */
export type WaiverNotification = typeof WaiverNotification.Type

/** A service account's key expires soon, or has expired. */
export const ApiKeyExpiryNotification = Schema.Struct({
  event_type: Schema.Literal("API_KEY_EXPIRY"),
  ...common,
  api_key: Schema.Struct({
    id: ApiKeyId,
    description: Schema.String,
    service_account: ServiceAccountName,
    expires_at: Timestamp,
    /** The days left at the notification, rounded up; 0 when the key has expired. */
    days_left: Schema.Int
  })
})
/** A service account's key expires soon, or has expired. */
export type ApiKeyExpiryNotification = typeof ApiKeyExpiryNotification.Type

/** A waiver ends soon, or has ended. */
export const WaiverExpiryNotification = Schema.Struct({
  event_type: Schema.Literal("WAIVER_EXPIRY"),
  ...common,
  waiver: Schema.Struct({
    number: Schema.Int,
    policy_name: Schema.String,
    owner: Schema.String,
    expires_at: Timestamp,
    /** The days left at the notification, rounded up; 0 when the waiver has ended. */
    days_left: Schema.Int
  })
})
/** A waiver ends soon, or has ended. */
export type WaiverExpiryNotification = typeof WaiverExpiryNotification.Type

/** A key of an admin for emergencies was used. */
export const EmergencyKeyNotification = Schema.Struct({
  event_type: Schema.Literal("EMERGENCY_KEY_USED"),
  ...common,
  emergency_key: Schema.Struct({
    id: ApiKeyId,
    /** The name of the person whose key it is. */
    owner: Schema.String,
    /** The operation that was called. */
    operation: Schema.String
  })
})
/** A key of an admin for emergencies was used. */
export type EmergencyKeyNotification = typeof EmergencyKeyNotification.Type

/** Who may do what in the whole org was changed, or a SCIM client was refused such a change. */
export const AccessChangeNotification = Schema.Struct({
  event_type: Schema.Literal("ACCESS_CHANGED"),
  ...common,
  access_change: Schema.Struct({
    change: Schema.Literal(
      "grant-given",
      "grant-ended",
      "member-added",
      "member-joined",
      "member-changed",
      "member-suspended",
      "member-restored",
      "member-removed",
      "sign-in-set",
      "protections-set",
      "scim-refused"
    ),
    by: Schema.String,
    /** Whom it is about; the name of everyone is empty, and that of the org is its own. */
    subject: Schema.Struct({
      kind: Schema.Literal("user", "team", "service-account", "everyone", "org"),
      name: Schema.String
    }),
    /** The role that is given, kept or taken away. */
    role: Schema.NullOr(BaseRole),
    previous_role: Schema.NullOr(BaseRole),
    /** The settings that differ. */
    settings: Schema.Array(Schema.String),
    reason: Schema.String
  })
})
/** Who may do what in the whole org was changed, or a SCIM client was refused such a change. */
export type AccessChangeNotification = typeof AccessChangeNotification.Type

/** Break-glass was opened, is over, waits for its review, or was reviewed. */
export const BreakGlassNotification = Schema.Struct({
  event_type: Schema.Literal("BREAK_GLASS"),
  ...common,
  break_glass: Schema.Struct({
    number: Schema.Int,
    change: Schema.Literal("opened", "closed", "expired", "waiting", "reviewed"),
    /** Who changed it; null for what time brought. */
    by: Schema.NullOr(Schema.String),
    opened_by: Schema.String,
    /** The path of its space. */
    space: Schema.String,
    role: Role,
    reason: Schema.String,
    ends_at: Timestamp
  })
})
/** Break-glass was opened, is over, waits for its review, or was reviewed. */
export type BreakGlassNotification = typeof BreakGlassNotification.Type

/** A proposal was made, decided or ended. */
export const ProposalNotification = Schema.Struct({
  event_type: Schema.Literal("PROPOSAL"),
  ...common,
  proposal: Schema.Struct({
    number: Schema.Int,
    state: Schema.Literal(
      "made",
      "approved",
      "applied",
      "rejected",
      "withdrawn",
      "expired",
      "stale",
      "failed"
    ),
    /** Who changed it; null for what time brought. */
    by: Schema.NullOr(Schema.String),
    proposed_by: Schema.String,
    operation: Schema.String,
    reason: Schema.String
  })
})
/** A proposal was made, decided or ended. */
export type ProposalNotification = typeof ProposalNotification.Type

/** The attestation of a notification. */
export const NotifiedAttestation = Schema.Struct({
  id: AttestationId,
  name: Schema.String,
  type: Schema.String,
  is_compliant: Schema.Boolean
})
/** The attestation of a notification. */
export type NotifiedAttestation = typeof NotifiedAttestation.Type

/** Something was stored about a trail of a flow. */
export const TrailNotification = Schema.Struct({
  event_type: Schema.Literal(
    "TRAIL_STARTED",
    "ARTIFACT_ATTESTED",
    "ATTESTATION_REPORTED",
    "APPROVAL_REPORTED"
  ),
  ...common,
  ...recorded,
  flow: FlowName,
  trail: Schema.Struct({ name: TrailName, status: Status }),
  artifact: Schema.NullOr(NotifiedArtifact),
  attestation: Schema.NullOr(NotifiedAttestation)
})
/** Something was stored about a trail of a flow. */
export type TrailNotification = typeof TrailNotification.Type

/** A message without a cause, by which people see whether the targets of a subscription receive. */
export const TestNotification = Schema.Struct({
  event_type: Schema.Literal("TEST"),
  ...common,
  subscription: Schema.Struct({ number: Schema.Int, name: Schema.String })
})
/** A message without a cause, by which people see whether the targets of a subscription receive. */
export type TestNotification = typeof TestNotification.Type

/** One notification. */
export const Notification = Schema.Union(
  ArtifactNotification,
  VerdictNotification,
  SilenceNotification,
  DecayNotification,
  WaiverNotification,
  TrailNotification,
  ApiKeyExpiryNotification,
  WaiverExpiryNotification,
  EmergencyKeyNotification,
  AccessChangeNotification,
  BreakGlassNotification,
  ProposalNotification,
  TestNotification
)
/** One notification. */
export type Notification = typeof Notification.Type

/** The type of configuration of a notification; null for triggers of environments and flows. */
export const typeOf = ({
  event_type
}: Pick<Notification, "event_type">): NotificationType | null => {
  switch (event_type) {
    case "API_KEY_EXPIRY":
      return "api_key_expiry"
    case "WAIVER_EXPIRY":
      return "waiver_expiry"
    case "EMERGENCY_KEY_USED":
    case "ACCESS_CHANGED":
      return "access_change"
    case "BREAK_GLASS":
      return "break_glass"
    case "PROPOSAL":
      return "proposal"
    default:
      return null
  }
}

/** The subject of an expiry notification and the days left; null for other notifications. */
export const expiryOf = (
  notification: Notification
): { readonly subject: string; readonly days: number } | null => {
  switch (notification.event_type) {
    case "API_KEY_EXPIRY":
      return { subject: notification.api_key.id, days: notification.api_key.days_left }
    case "WAIVER_EXPIRY":
      return { subject: String(notification.waiver.number), days: notification.waiver.days_left }
    default:
      return null
  }
}
