/**
 * One thing that somebody asked to be told about: pure data from which every channel renders its text.
 *
 * Names are those of the moment it happened. There are no links here: whoever renders knows the public
 * address. No secret of a key is ever part of it (law N-7). SPEC §6, DECISION D9.5
 */
import * as Schema from "effect/Schema"
import { ReportedFingerprint } from "../artifact/Fingerprint.js"
import { Status } from "../compliance/ComplianceStatus.js"
import {
  ApiKeyId,
  EnvironmentName,
  FlowName,
  OrgName,
  ServiceAccountName,
  SlotName,
  TrailName
} from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { Verdict } from "../shared/Verdict.js"

/** What the service raises by itself; a new kind is a new member. SPEC §2.1 */
export const NotificationType = Schema.Literal("api_key_expiry").annotations({
  identifier: "NotificationType"
})
/** What the service raises by itself. */
export type NotificationType = typeof NotificationType.Type

/** What the primary flow knew about an artifact. */
export const Provenance = Schema.Struct({
  flow: FlowName,
  trail: TrailName,
  slot: SlotName,
  status: Status,
  commit: Schema.NullOr(Schema.String),
  commit_url: Schema.NullOr(Schema.String),
  build_url: Schema.NullOr(Schema.String)
})
/** What the primary flow knew about an artifact. */
export type Provenance = typeof Provenance.Type

/** The artifact that a notification is about; `provenance` is null when no flow knows it. */
export const NotifiedArtifact = Schema.Struct({
  name: Schema.String,
  fingerprint: ReportedFingerprint,
  provenance: Schema.NullOr(Provenance)
})
/** The artifact that a notification is about. */
export type NotifiedArtifact = typeof NotifiedArtifact.Type

/** The snapshot that made a notification, or the latest one when it was made. */
export const NotifiedSnapshot = Schema.Struct({ index: Schema.Int, verdict: Verdict })
/** The snapshot that made a notification, or the latest one when it was made. */
export type NotifiedSnapshot = typeof NotifiedSnapshot.Type

const occasion = {
  org: OrgName,
  /** When it happened, which is not when it is delivered. */
  at: Timestamp,
  /** One sentence in plain words, from user-controlled names: escape it wherever it is rendered. */
  description: Schema.String
}

/** Something started, exited or scaled in an environment, or was allowed there. */
export const ArtifactNotification = Schema.Struct({
  event_type: Schema.Literal(
    "ARTIFACT_STARTED",
    "ARTIFACT_EXITED",
    "ARTIFACT_SCALED",
    "ARTIFACT_ALLOWED"
  ),
  ...occasion,
  environment: EnvironmentName,
  /** Null when something was allowed before anything was reported. */
  snapshot: Schema.NullOr(NotifiedSnapshot),
  artifact: NotifiedArtifact
})
/** Something happened to an artifact in an environment. */
export type ArtifactNotification = typeof ArtifactNotification.Type

/** An environment became compliant or ceased to be. */
export const VerdictNotification = Schema.Struct({
  event_type: Schema.Literal("ENVIRONMENT_NON_COMPLIANT", "ENVIRONMENT_COMPLIANT"),
  ...occasion,
  environment: EnvironmentName,
  snapshot: NotifiedSnapshot
})
/** An environment became compliant or ceased to be. */
export type VerdictNotification = typeof VerdictNotification.Type

/** A service account's key ends soon, or has ended. DECISION D10.6 */
export const ApiKeyExpiryNotification = Schema.Struct({
  event_type: Schema.Literal("API_KEY_EXPIRY"),
  ...occasion,
  api_key: Schema.Struct({
    id: ApiKeyId,
    description: Schema.String,
    service_account: ServiceAccountName,
    expires_at: Timestamp,
    /** How many days are left when this is told, begun ones included; 0 means that the key has ended. */
    days_left: Schema.Int
  })
})
/** A service account's key ends soon, or has ended. */
export type ApiKeyExpiryNotification = typeof ApiKeyExpiryNotification.Type

/** One thing that somebody asked to be told about. */
export const Notification = Schema.Union(
  ArtifactNotification,
  VerdictNotification,
  ApiKeyExpiryNotification
)
/** One thing that somebody asked to be told about. */
export type Notification = typeof Notification.Type

/** The configuration that a notification belongs to; null when environments' own triggers made it. */
export const typeOf = ({
  event_type
}: Pick<Notification, "event_type">): NotificationType | null =>
  event_type === "API_KEY_EXPIRY" ? "api_key_expiry" : null
