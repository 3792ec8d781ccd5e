/** One notification of each kind with fixed values, and one with hostile text in every field. */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import { DeliveryId, OrgId } from "@attestry/core/Identifier"
import { Notification } from "@attestry/core/Notification"
import type { NotificationTarget } from "@attestry/core/NotificationTarget"
import * as Timestamp from "@attestry/core/Timestamp"
import { Schema } from "effect"

/** The public URL of every sample. */
export const publicUrl = "https://attestry.example.com"

const decode = Schema.decodeUnknownSync(Notification)

const at = Timestamp.fromSeconds(1_767_225_600.25)
const fingerprint = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

const provenance = {
  flow: "shop",
  trail: "build-17",
  slot: "backend",
  status: "NON-COMPLIANT",
  commit: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  commit_url: "https://git.example.com/shop/commit/4b825dc",
  build_url: "https://ci.example.com/builds/17?a=1&b=2"
}

const inEnvironment = { org: "acme", at, environment: "production" }

const inFlow = {
  org: "acme",
  log_entry: "03be71f5a94c2d60",
  at,
  flow: "shop",
  trail: { name: "build-17", status: "NON-COMPLIANT" }
}

const artifact = { name: "registry.example.com/shop/backend:1.4.0", fingerprint, provenance }

/** The samples by the names of their golden files. */
export const samples = {
  "artifact-started": decode({
    ...inEnvironment,
    event_type: "ARTIFACT_STARTED",
    description: "registry.example.com/shop/backend:1.4.0 started in production",
    log_entry: "9f02c4e1d6a83b57",
    snapshot: { index: 12, verdict: "NonCompliant" },
    artifact
  }),
  "artifact-exited": decode({
    ...inEnvironment,
    event_type: "ARTIFACT_EXITED",
    description: "nginx:latest exited from production",
    snapshot: { index: 13, verdict: "Unknown" },
    artifact: { name: "nginx:latest", fingerprint: "", provenance: null }
  }),
  "artifact-scaled": decode({
    ...inEnvironment,
    event_type: "ARTIFACT_SCALED",
    description:
      "registry.example.com/shop/backend:1.4.0 scaled from 2 to 3 instances in production",
    snapshot: { index: 14, verdict: "Compliant" },
    artifact: {
      ...artifact,
      provenance: {
        ...provenance,
        status: "COMPLIANT",
        commit: null,
        commit_url: null,
        build_url: null
      }
    }
  }),
  "artifact-allowed": decode({
    ...inEnvironment,
    event_type: "ARTIFACT_ALLOWED",
    description: "nginx:latest was allowed in production",
    snapshot: null,
    artifact: { name: "nginx:latest", fingerprint, provenance: null }
  }),
  "environment-non-compliant": decode({
    ...inEnvironment,
    event_type: "ENVIRONMENT_NON_COMPLIANT",
    description: "production became non-compliant",
    snapshot: { index: 15, verdict: "NonCompliant" }
  }),
  "environment-compliant": decode({
    ...inEnvironment,
    event_type: "ENVIRONMENT_COMPLIANT",
    description: "production became compliant",
    snapshot: { index: 16, verdict: "Compliant" }
  }),
  "environment-warned": decode({
    ...inEnvironment,
    event_type: "ENVIRONMENT_WARNED",
    description: "policies on trial warn about 2 more artifacts in production",
    snapshot: { index: 17, verdict: "Compliant" }
  }),
  "environment-silent": decode({
    ...inEnvironment,
    event_type: "ENVIRONMENT_SILENT",
    description:
      "environment production missed its report that was due at 2025-12-31 23:45:00 UTC: check that its " +
      "reporter runs and reaches the service",
    snapshot: { index: 17, verdict: "Compliant" },
    silent_since: Timestamp.fromSeconds(1_767_224_700)
  }),
  "environment-reporting": decode({
    ...inEnvironment,
    event_type: "ENVIRONMENT_REPORTING",
    description:
      "environment production reports again after its silence since 2025-12-31 23:45:00 UTC: look at the " +
      "artifacts that changed meanwhile",
    log_entry: "5d1c09ab37f2e648",
    snapshot: { index: 18, verdict: "Compliant" },
    silent_since: Timestamp.fromSeconds(1_767_224_700)
  }),
  "environment-decaying": decode({
    ...inEnvironment,
    event_type: "ENVIRONMENT_DECAYING",
    description:
      "environment production is compliant until 2026-01-01 12:00:00 UTC, then 2 artifacts fail: report " +
      "new evidence or renew the exceptions before",
    snapshot: { index: 18, verdict: "Compliant" },
    due_at: Timestamp.fromSeconds(1_767_268_800),
    rows: 2
  }),
  "waiver-changed": decode({
    ...inEnvironment,
    event_type: "WAIVER_CHANGED",
    description:
      "waiver 3 of policy prod-rules in production is in force until 2026-01-08 00:00:00 UTC: remove the " +
      "cause before it ends",
    log_entry: "81e4f6027bc93da5",
    snapshot: null,
    waiver: {
      number: 3,
      policy_name: "prod-rules",
      state: "active",
      change: "activated",
      expires_at: Timestamp.fromSeconds(1_767_830_400)
    }
  }),
  "trail-started": decode({
    ...inFlow,
    event_type: "TRAIL_STARTED",
    description: "trail build-17 of flow shop was begun",
    artifact: null,
    attestation: null
  }),
  "artifact-attested": decode({
    ...inFlow,
    event_type: "ARTIFACT_ATTESTED",
    description:
      "registry.example.com/shop/backend:1.4.0 was reported to trail build-17 of flow shop",
    artifact,
    attestation: null
  }),
  "attestation-reported": decode({
    ...inFlow,
    event_type: "ATTESTATION_REPORTED",
    description: "attestation load was reported to trail build-17 of flow shop: not compliant",
    artifact: null,
    attestation: { id: "0a1b2c3d", name: "load", type: "custom:load-test", is_compliant: false }
  }),
  "approval-reported": decode({
    ...inFlow,
    event_type: "APPROVAL_REPORTED",
    description:
      "an approval of registry.example.com/shop/backend:1.4.0 was recorded on trail build-17 of flow shop",
    artifact,
    attestation: null
  }),
  "api-key-expiry": decode({
    org: "acme",
    at,
    event_type: "API_KEY_EXPIRY",
    description: "an API key of the service account ci expires in 7 days",
    api_key: {
      id: "0f3a9c",
      description: "used by the release pipeline",
      service_account: "ci",
      expires_at: Timestamp.fromSeconds(1_767_830_400),
      days_left: 7
    }
  }),
  "emergency-key": decode({
    org: "acme",
    at,
    event_type: "EMERGENCY_KEY_USED",
    description: "mia used the key for emergencies 0f3a9c",
    emergency_key: { id: "0f3a9c", owner: "mia", operation: "membership.put" }
  }),
  "access-change": decode({
    org: "acme",
    at,
    event_type: "ACCESS_CHANGED",
    description: "mia has given the team payments the role admin in the whole org",
    access_change: {
      change: "grant-given",
      by: "mia",
      subject: { kind: "team", name: "payments" },
      role: "admin",
      previous_role: "member",
      settings: [],
      reason: "they lead the <b>move</b>"
    }
  }),
  "access-settings": decode({
    org: "acme",
    at,
    event_type: "ACCESS_CHANGED",
    description: "mia has changed how people sign in to acme: only, fresh_minutes",
    access_change: {
      change: "sign-in-set",
      by: "mia",
      subject: { kind: "org", name: "acme" },
      role: null,
      previous_role: null,
      settings: ["only", "fresh_minutes"],
      reason: ""
    }
  }),
  "access-refused": decode({
    org: "acme",
    at,
    event_type: "ACCESS_CHANGED",
    description:
      "the SCIM client okta was refused to suspend or remove mia, the last admin: make somebody else an admin first",
    access_change: {
      change: "scim-refused",
      by: "okta",
      subject: { kind: "user", name: "mia" },
      role: "admin",
      previous_role: "admin",
      settings: [],
      reason: ""
    }
  }),
  "break-glass": decode({
    org: "acme",
    at,
    event_type: "BREAK_GLASS",
    description: "mia has opened break-glass as admin in retail/payments",
    break_glass: {
      number: 3,
      change: "opened",
      by: "mia",
      opened_by: "mia",
      space: "retail/payments",
      role: "admin",
      reason: "the gate is stuck <b>now</b>",
      ends_at: at
    }
  }),
  proposal: decode({
    org: "acme",
    at,
    event_type: "PROPOSAL",
    description: "mia has proposed policy.put",
    proposal: {
      number: 7,
      state: "made",
      by: "mia",
      proposed_by: "mia",
      operation: "policy.put",
      reason: "the rule is wrong"
    }
  }),
  "waiver-expiry": decode({
    org: "acme",
    at,
    event_type: "WAIVER_EXPIRY",
    description:
      "waiver 3 of policy prod-rules, owned by mia, expires within 7 days: remove the cause, or request an " +
      "extension",
    waiver: {
      number: 3,
      policy_name: "prod-rules",
      owner: "mia",
      expires_at: Timestamp.fromSeconds(1_767_830_400),
      days_left: 7
    }
  })
} as const satisfies Record<string, Notification>

/** Text that breaks out of HTML, headers or markup without escaping. */
export const HOSTILE = [
  "</td><script>alert(1)</script>\r\nBcc: victim@example.com\r\n\r\n",
  "<!channel> @here *b* `c` [x](http://evil) \u202e\u2028\ud800 & \"'"
].join("")

/** A notification with hostile text in every field that a user can set. */
export const hostile = decode({
  ...inEnvironment,
  event_type: "ARTIFACT_STARTED",
  description: `${HOSTILE} started`,
  snapshot: { index: 1, verdict: "NonCompliant" },
  artifact: {
    name: HOSTILE,
    fingerprint,
    provenance: {
      ...provenance,
      commit: HOSTILE,
      commit_url: "javascript:alert(1)",
      build_url: 'https://ci.example.com/"><script>alert(2)</script>'
    }
  }
})

let count = 0

/** A claimed delivery of the notification to the target. */
export const deliveryOf = (
  target: NotificationTarget,
  notification: Notification = samples["artifact-started"],
  given: Partial<ClaimedDelivery> = {}
): ClaimedDelivery => {
  count += 1
  return {
    org_id: OrgId.make("org-1"),
    id: DeliveryId.make(`delivery-${count}`),
    queue: "target-1",
    intent: `intent-${count}`,
    target,
    notification,
    attempts: 0,
    created_at: at,
    token: 1,
    leased_until: Timestamp.fromSeconds(1_767_225_630),
    ...given
  }
}
