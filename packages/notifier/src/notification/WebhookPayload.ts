/**
 * The body of a webhook, version `1.0`. SPEC §6.3
 *
 * Events of environments, of flows, of expiring API keys and waivers, of access, of break-glass, of proposals and of
 * tests differ; receivers distinguish them by `event_type`. Fields are never removed or renamed within a version.
 * `WebhookSignature` signs it.
 */

import { toWire } from "@attestry/core/AttestationTypePattern"
import { Status } from "@attestry/core/ComplianceStatus"
import { hiddenField, toHidden } from "@attestry/core/Hidden"
import type {
  ApiKeyExpiryNotification,
  ArtifactNotification,
  DecayNotification,
  EmergencyKeyNotification,
  Notification,
  NotifiedArtifact,
  SilenceNotification,
  TestNotification,
  TrailNotification,
  VerdictNotification,
  WaiverExpiryNotification,
  WaiverNotification
} from "@attestry/core/Notification"
import { PAYLOAD_VERSION } from "@attestry/core/NotificationTarget"
import { toSeconds } from "@attestry/core/Timestamp"
import type { Verdict } from "@attestry/core/Verdict"
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import * as AccessPayload from "./internal/AccessPayload.js"
import * as NotificationLinks from "./internal/NotificationLinks.js"

const text = (description: string) => Schema.String.annotations({ description })

const head = {
  version: Schema.Literal(PAYLOAD_VERSION),
  timestamp: text("When it happened: epoch seconds as text"),
  org: Schema.String,
  description: text("One sentence for people")
}

/** The fields of a body that a write caused. */
const recorded = {
  log_entry: Schema.optionalWith(
    Schema.NullOr(Schema.String).annotations({
      description:
        "The id of the entry of the evidence log that records the cause, by which its receipt and " +
        "its index are found; null where it is not known"
    }),
    { exact: true }
  )
}

/** The artifact's flow, status, commit and build. */
export const ProvenancePayload = Schema.Struct({
  flow: Schema.String,
  status: Status,
  commit: Schema.NullOr(Schema.String),
  commit_url: Schema.NullOr(Schema.String),
  html_url: Schema.String,
  api_url: Schema.String,
  build_url: Schema.NullOr(Schema.String)
})

/** The artifact of the event. */
export const ArtifactPayload = Schema.Struct({
  name: Schema.String,
  fingerprint: text("SHA-256 in lower-case hexadecimal; empty when the runtime did not know it"),
  provenance: Schema.NullOr(ProvenancePayload).annotations({
    description: "Null when no flow knows the artifact, or only flows that the team does not read"
  }),
  ...hiddenField
})

/** The snapshot that caused the event, or the latest one at that time. */
export const SnapshotPayload = Schema.Struct({
  index: text("Counts from 1"),
  status: Schema.Literal("compliant", "non-compliant", "unknown"),
  html_url: Schema.String,
  api_url: Schema.String
})

/** The waiver of the event, after the change. */
export const WaiverPayload = Schema.Struct({
  number: Schema.Int.annotations({ description: "The number of the waiver in its org" }),
  policy_name: Schema.String,
  state: text("requested, scheduled, active, expired, rejected, revoked or lapsed"),
  change: text("requested, approved, activated, rejected, revoked, expired or lapsed"),
  expires_at: Schema.Number.annotations({ description: "Epoch seconds" })
})

/** The fields of some events only. */
const ofTime = {
  silent_since: Schema.optionalWith(
    Schema.Number.annotations({
      description: "Epoch seconds at which a report was due; of silences only"
    }),
    { exact: true }
  ),
  due_at: Schema.optionalWith(
    Schema.Number.annotations({
      description: "Epoch seconds at which the environment becomes non-compliant; of decays only"
    }),
    { exact: true }
  ),
  rows: Schema.optionalWith(
    Schema.NullOr(Schema.Int).annotations({
      description: "How many artifacts fail from then on, null where not known; of decays only"
    }),
    { exact: true }
  ),
  waiver: Schema.optionalWith(WaiverPayload, { exact: true })
}

/** The body of an event of an environment. */
export const EnvironmentPayload = Schema.Struct({
  ...head,
  ...recorded,
  event_type: Schema.Literal(
    "ARTIFACT_STARTED",
    "ARTIFACT_EXITED",
    "ARTIFACT_SCALED",
    "ARTIFACT_ALLOWED",
    "ENVIRONMENT_NON_COMPLIANT",
    "ENVIRONMENT_COMPLIANT",
    "ENVIRONMENT_WARNED",
    "ENVIRONMENT_SILENT",
    "ENVIRONMENT_REPORTING",
    "ENVIRONMENT_DECAYING",
    "WAIVER_CHANGED"
  ),
  environment: Schema.String,
  snapshot: Schema.NullOr(SnapshotPayload).annotations({
    description: "Null when something was allowed or waived before anything was reported"
  }),
  artifact: Schema.NullOr(ArtifactPayload).annotations({
    description: "Null for events of the whole environment"
  }),
  ...ofTime
}).annotations({ identifier: "EnvironmentPayload" })

/** The trail of the event. */
export const TrailPayload = Schema.Struct({
  name: Schema.String,
  status: Status,
  html_url: Schema.String,
  api_url: Schema.String
})

/** The attestation of the event. */
export const AttestationPayload = Schema.Struct({
  name: Schema.String,
  type: Schema.String,
  is_compliant: Schema.Boolean,
  html_url: Schema.String
})

/** The body of an event of a flow. */
export const FlowPayload = Schema.Struct({
  ...head,
  ...recorded,
  event_type: Schema.Literal(
    "TRAIL_STARTED",
    "ARTIFACT_ATTESTED",
    "ATTESTATION_REPORTED",
    "APPROVAL_REPORTED"
  ),
  flow: Schema.String,
  trail: TrailPayload,
  artifact: Schema.NullOr(ArtifactPayload).annotations({
    description: "Null for events about no artifact that the trail knows"
  }),
  attestation: Schema.NullOr(AttestationPayload).annotations({
    description: "Null for events that are no attestation"
  })
}).annotations({ identifier: "FlowPayload" })

/** The body of an event of an API key that expires soon or has expired. */
export const ApiKeyExpiryPayload = Schema.Struct({
  ...head,
  event_type: Schema.Literal("API_KEY_EXPIRY"),
  api_key: Schema.Struct({
    id: Schema.String,
    description: Schema.String,
    service_account: Schema.String,
    expires_at: Schema.Number.annotations({ description: "Epoch seconds" }),
    days_left: Schema.Int.annotations({ description: "0 when the key has ended" })
  })
}).annotations({ identifier: "ApiKeyExpiryPayload" })

/** The body of an event of a key for emergencies that was used. */
export const EmergencyKeyPayload = Schema.Struct({
  ...head,
  event_type: Schema.Literal("EMERGENCY_KEY_USED"),
  emergency_key: Schema.Struct({
    id: Schema.String,
    owner: text("The name of the person whose key it is"),
    operation: Schema.String.annotations({ description: "The operation that was called" })
  })
}).annotations({ identifier: "EmergencyKeyPayload" })

/** The bodies of events of access, of break-glass and of proposals. */
export const { AccessChangePayload, BreakGlassPayload, ProposalPayload } = AccessPayload.make(head)

/** The body of an event of a waiver that ends soon or has ended. */
export const WaiverExpiryPayload = Schema.Struct({
  ...head,
  event_type: Schema.Literal("WAIVER_EXPIRY"),
  waiver: Schema.Struct({
    number: Schema.Int.annotations({ description: "The number of the waiver in its org" }),
    policy_name: Schema.String,
    owner: text("The login of the owner"),
    expires_at: Schema.Number.annotations({ description: "Epoch seconds" }),
    days_left: Schema.Int.annotations({ description: "0 when the waiver has ended" })
  })
}).annotations({ identifier: "WaiverExpiryPayload" })

/** The body of a test message. */
export const TestPayload = Schema.Struct({
  ...head,
  event_type: Schema.Literal("TEST"),
  notification: Schema.Struct({
    number: Schema.Int.annotations({ description: "The number of the notification in its org" }),
    name: Schema.String
  })
}).annotations({ identifier: "TestPayload" })

/** The body of a webhook. */
export const WebhookPayload = Schema.Union(
  EnvironmentPayload,
  FlowPayload,
  ApiKeyExpiryPayload,
  WaiverExpiryPayload,
  EmergencyKeyPayload,
  AccessChangePayload,
  BreakGlassPayload,
  ProposalPayload,
  TestPayload
).annotations({
  identifier: "WebhookPayload",
  description: `The body of a webhook, version ${PAYLOAD_VERSION}`
})
/** The body of a webhook. */
export type WebhookPayload = typeof WebhookPayload.Type

/** The JSON Schema of the body, for receivers that are not written in TypeScript. */
export const jsonSchema = (): JSONSchema.JsonSchema7Root => JSONSchema.make(WebhookPayload)

const STATUS = {
  Compliant: "compliant",
  NonCompliant: "non-compliant",
  Unknown: "unknown"
} as const satisfies Record<Verdict, string>

type OfEnvironment =
  | ArtifactNotification
  | VerdictNotification
  | SilenceNotification
  | DecayNotification
  | WaiverNotification

const secondsOf = ({ at }: Notification): string => String(toSeconds(at))

const artifactOf = (base: string, org: string, artifact: NotifiedArtifact) => {
  const { fingerprint, name, provenance } = artifact
  if (provenance === null)
    return { name, fingerprint, provenance, ...toHidden(artifact.hidden === true) }
  const { build_url, commit, commit_url, flow, status } = provenance
  const { api_url, html_url } = NotificationLinks.artifact(base, { org, fingerprint }, provenance)
  return {
    name,
    fingerprint,
    provenance: { flow, status, commit, commit_url, html_url, api_url, build_url }
  }
}

/** The fields that only this event has. */
const ownFields = (notification: OfEnvironment) => {
  switch (notification.event_type) {
    case "ENVIRONMENT_SILENT":
    case "ENVIRONMENT_REPORTING":
      return { silent_since: toSeconds(notification.silent_since) }
    case "ENVIRONMENT_DECAYING":
      return { due_at: toSeconds(notification.due_at), rows: notification.rows }
    case "WAIVER_CHANGED": {
      const { waiver } = notification
      return { waiver: { ...waiver, expires_at: toSeconds(waiver.expires_at) } }
    }
    default:
      return {}
  }
}

const ofEnvironment = (base: string, notification: OfEnvironment): WebhookPayload => {
  const { description, environment, event_type, org, snapshot } = notification
  return {
    version: PAYLOAD_VERSION,
    timestamp: secondsOf(notification),
    org,
    environment,
    event_type,
    description,
    snapshot:
      snapshot === null
        ? null
        : {
            index: String(snapshot.index),
            status: STATUS[snapshot.verdict],
            ...NotificationLinks.snapshot(base, { org, environment }, snapshot)
          },
    artifact: "artifact" in notification ? artifactOf(base, org, notification.artifact) : null,
    ...ownFields(notification),
    log_entry: notification.log_entry ?? null
  }
}

const ofTrail = (base: string, notification: TrailNotification): WebhookPayload => {
  const { artifact, attestation, description, event_type, flow, org, trail } = notification
  const links = NotificationLinks.trail(base, { org, flow, trail: trail.name })
  return {
    version: PAYLOAD_VERSION,
    timestamp: secondsOf(notification),
    org,
    flow,
    event_type,
    description,
    trail: { ...trail, ...links },
    artifact: artifact === null ? null : artifactOf(base, org, artifact),
    attestation:
      attestation === null
        ? null
        : {
            name: attestation.name,
            type: toWire(attestation.type),
            is_compliant: attestation.is_compliant,
            html_url: NotificationLinks.attestationPage(links.html_url, attestation.id)
          },
    log_entry: notification.log_entry ?? null
  }
}

/** The first fields of the bodies of other events. */
const headOf = <N extends Notification>(
  notification: N
): Pick<N, "org" | "event_type" | "description"> & {
  readonly version: typeof PAYLOAD_VERSION
  readonly timestamp: string
} => ({
  version: PAYLOAD_VERSION,
  timestamp: secondsOf(notification),
  org: notification.org,
  event_type: notification.event_type,
  description: notification.description
})

const ofKey = (notification: ApiKeyExpiryNotification): WebhookPayload => ({
  ...headOf(notification),
  api_key: { ...notification.api_key, expires_at: toSeconds(notification.api_key.expires_at) }
})

const ofWaiver = (notification: WaiverExpiryNotification): WebhookPayload => ({
  ...headOf(notification),
  waiver: { ...notification.waiver, expires_at: toSeconds(notification.waiver.expires_at) }
})

const ofEmergencyKey = (notification: EmergencyKeyNotification): WebhookPayload => ({
  ...headOf(notification),
  emergency_key: notification.emergency_key
})

const ofTest = (notification: TestNotification): WebhookPayload => ({
  ...headOf(notification),
  notification: notification.subscription
})

/** The body of a notification, with links below the deployment's public URL. */
export const make = (base: string, notification: Notification): WebhookPayload => {
  if (notification.event_type === "TEST") return ofTest(notification)
  if (notification.event_type === "WAIVER_EXPIRY") return ofWaiver(notification)
  if ("emergency_key" in notification) return ofEmergencyKey(notification)
  if (
    "access_change" in notification ||
    "break_glass" in notification ||
    "proposal" in notification
  )
    return {
      version: PAYLOAD_VERSION,
      timestamp: secondsOf(notification),
      ...AccessPayload.of(notification)
    }
  if ("api_key" in notification) return ofKey(notification)
  return "trail" in notification ? ofTrail(base, notification) : ofEnvironment(base, notification)
}
