/**
 * A notification for people: a headline, a sentence and labelled facts, as plain text.
 *
 * `ChatMessage` and `EmailMessage` format it. All fields may hold text of users, so a renderer must escape them.
 */
import { toWire } from "@attestry/core/AttestationTypePattern"
import type {
  ApiKeyExpiryNotification,
  ArtifactNotification,
  DecayNotification,
  Notification,
  SilenceNotification,
  TestNotification,
  TrailNotification,
  VerdictNotification,
  WaiverExpiryNotification,
  WaiverNotification
} from "@attestry/core/Notification"
import type { Verdict } from "@attestry/core/Verdict"
import * as AccessSummary from "./AccessSummary.js"
import * as NotificationLinks from "./NotificationLinks.js"
import { type Fact, fact, type NotificationSummary, ownFact, printTime } from "./SummaryFacts.js"

const VERDICT = {
  Compliant: "compliant",
  NonCompliant: "not compliant",
  Unknown: "not judged"
} as const satisfies Record<Verdict, string>

const HEADLINES = {
  ARTIFACT_STARTED: (place: string) => `Artifact started in ${place}`,
  ARTIFACT_EXITED: (place: string) => `Artifact exited from ${place}`,
  ARTIFACT_SCALED: (place: string) => `Artifact scaled in ${place}`,
  ARTIFACT_ALLOWED: (place: string) => `Artifact allowed in ${place}`,
  ENVIRONMENT_NON_COMPLIANT: (place: string) => `${place} is not compliant`,
  ENVIRONMENT_COMPLIANT: (place: string) => `${place} is compliant again`,
  ENVIRONMENT_WARNED: (place: string) => `Policies on trial warn about ${place}`,
  ENVIRONMENT_SILENT: (place: string) => `${place} is silent`,
  ENVIRONMENT_REPORTING: (place: string) => `${place} reports again`,
  ENVIRONMENT_DECAYING: (place: string) => `${place} is about to become non-compliant`,
  WAIVER_CHANGED: (place: string) => `A waiver in ${place} was changed`
} as const

const TONES = {
  ARTIFACT_STARTED: "neutral",
  ARTIFACT_EXITED: "neutral",
  ARTIFACT_SCALED: "neutral",
  ARTIFACT_ALLOWED: "neutral",
  ENVIRONMENT_NON_COMPLIANT: "bad",
  ENVIRONMENT_COMPLIANT: "good",
  ENVIRONMENT_WARNED: "neutral",
  ENVIRONMENT_SILENT: "bad",
  ENVIRONMENT_REPORTING: "good",
  ENVIRONMENT_DECAYING: "bad",
  WAIVER_CHANGED: "neutral"
} as const

/** The first characters of a digest. */
const beginning = (digest: string): string =>
  digest.length > 12 ? `${digest.slice(0, 12)}…` : digest

const artifactFacts = (
  base: string,
  { artifact, org }: Pick<ArtifactNotification, "artifact" | "org">
): ReadonlyArray<Fact> => {
  const { fingerprint, name, provenance } = artifact
  const named = [
    fact("Artifact", name),
    fingerprint === ""
      ? ownFact("Fingerprint", "not known")
      : fact("Fingerprint", fingerprint, { brief: beginning(fingerprint) })
  ]
  if (provenance === null)
    return [...named, ownFact("Provenance", artifact.hidden === true ? "hidden" : "none")]
  const { build_url, commit, commit_url, flow, status, trail } = provenance
  const { html_url } = NotificationLinks.artifact(base, { org, fingerprint }, provenance)
  return [
    ...named,
    fact("Flow", flow, { link: html_url }),
    fact("Trail", trail),
    ownFact("Status", status),
    ...(commit === null
      ? []
      : [fact("Commit", commit, { brief: beginning(commit), link: commit_url })]),
    ...(build_url === null ? [] : [fact("Build", build_url, { link: build_url })])
  ]
}

type OfEnvironment =
  | ArtifactNotification
  | VerdictNotification
  | SilenceNotification
  | DecayNotification
  | WaiverNotification

/** The facts that only this event has. */
const ownFacts = (base: string, notification: OfEnvironment): ReadonlyArray<Fact> => {
  switch (notification.event_type) {
    case "ENVIRONMENT_SILENT":
    case "ENVIRONMENT_REPORTING":
      return [ownFact("Silent since", printTime(notification.silent_since))]
    case "ENVIRONMENT_DECAYING":
      return [
        ownFact("Compliant until", printTime(notification.due_at)),
        ...(notification.rows === null
          ? []
          : [ownFact("Artifacts that fail then", String(notification.rows))])
      ]
    case "WAIVER_CHANGED": {
      const { expires_at, number, policy_name, state } = notification.waiver
      return [
        ownFact("Waiver", `${number}, ${state}`),
        fact("Policy", policy_name),
        ownFact("Ends", printTime(expires_at))
      ]
    }
    default:
      return "artifact" in notification ? artifactFacts(base, notification) : []
  }
}

const ofEnvironment = (base: string, notification: OfEnvironment): NotificationSummary => {
  const { at, description, environment, event_type, org, snapshot } = notification
  return {
    tone: TONES[event_type],
    org,
    headline: HEADLINES[event_type](environment),
    sentence: description,
    facts: [
      fact("Organization", org),
      fact("Environment", environment),
      ...ownFacts(base, notification),
      ...(snapshot === null
        ? []
        : [ownFact("Snapshot", `${snapshot.index}, ${VERDICT[snapshot.verdict]}`)]),
      ownFact("Time", printTime(at))
    ],
    ...(snapshot === null
      ? {}
      : {
          page: {
            label: `Open snapshot ${snapshot.index}`,
            url: NotificationLinks.snapshot(base, { org, environment }, snapshot).html_url
          }
        })
  }
}

const TRAIL_HEADLINES = {
  TRAIL_STARTED: (flow: string) => `Trail begun in ${flow}`,
  ARTIFACT_ATTESTED: (flow: string) => `Artifact reported in ${flow}`,
  ATTESTATION_REPORTED: (flow: string) => `Attestation reported in ${flow}`,
  APPROVAL_REPORTED: (flow: string) => `Approval recorded in ${flow}`
} as const

const attestationFacts = ({ attestation }: TrailNotification): ReadonlyArray<Fact> =>
  attestation === null
    ? []
    : [
        fact("Attestation", attestation.name),
        fact("Type", toWire(attestation.type)),
        ownFact("Outcome", attestation.is_compliant ? "compliant" : "not compliant")
      ]

const ofTrail = (base: string, notification: TrailNotification): NotificationSummary => {
  const { artifact, at, attestation, description, event_type, flow, org, trail } = notification
  const { html_url } = NotificationLinks.trail(base, { org, flow, trail: trail.name })
  const about =
    artifact === null
      ? []
      : artifactFacts(base, { org, artifact }).filter(({ label }) => !OF_TRAIL.includes(label))
  return {
    tone: attestation?.is_compliant === false ? "bad" : "neutral",
    org,
    headline: TRAIL_HEADLINES[event_type](flow),
    sentence: description,
    facts: [
      fact("Organization", org),
      fact("Flow", flow),
      fact("Trail", trail.name),
      ownFact("Trail status", trail.status),
      ...about,
      ...attestationFacts(notification),
      ownFact("Time", printTime(at))
    ],
    page: { label: "Open trail", url: html_url }
  }
}

/** Labels of an artifact's facts that the facts of its trail already have. */
const OF_TRAIL = ["Flow", "Trail"]

const endInWords = (days: number): string =>
  days <= 0 ? "has expired" : `expires within ${days} ${days === 1 ? "day" : "days"}`

const ofKey = ({
  api_key,
  at,
  description,
  org
}: ApiKeyExpiryNotification): NotificationSummary => ({
  tone: "bad",
  org,
  headline: `An API key of ${api_key.service_account} ${endInWords(api_key.days_left)}`,
  sentence: description,
  facts: [
    fact("Organization", org),
    fact("Service account", api_key.service_account),
    fact("Key", api_key.id),
    ...(api_key.description === "" ? [] : [fact("Description", api_key.description)]),
    ownFact("Expires", printTime(api_key.expires_at)),
    ownFact("Time", printTime(at))
  ]
})

const ofWaiver = ({
  at,
  description,
  org,
  waiver
}: WaiverExpiryNotification): NotificationSummary => ({
  tone: "bad",
  org,
  headline: `Waiver ${waiver.number} ${endInWords(waiver.days_left)}`,
  sentence: description,
  facts: [
    fact("Organization", org),
    ownFact("Waiver", String(waiver.number)),
    fact("Policy", waiver.policy_name),
    fact("Owner", waiver.owner),
    ownFact("Expires", printTime(waiver.expires_at)),
    ownFact("Time", printTime(at))
  ]
})

const ofTest = ({ at, description, org, subscription }: TestNotification): NotificationSummary => ({
  tone: "neutral",
  org,
  headline: "A test message",
  sentence: description,
  facts: [
    fact("Organization", org),
    fact("Notification", `${subscription.number} ${subscription.name}`),
    ownFact("Time", printTime(at))
  ]
})

/** The summary of a notification, with links below the deployment's public URL. */
export const make = (base: string, notification: Notification): NotificationSummary => {
  if (notification.event_type === "TEST") return ofTest(notification)
  if (notification.event_type === "WAIVER_EXPIRY") return ofWaiver(notification)
  if ("emergency_key" in notification) return AccessSummary.ofEmergencyKey(notification)
  if ("access_change" in notification) return AccessSummary.ofAccessChange(base, notification)
  if ("break_glass" in notification) return AccessSummary.ofBreakGlass(notification)
  if ("proposal" in notification) return AccessSummary.ofProposal(notification)
  if ("api_key" in notification) return ofKey(notification)
  return "trail" in notification ? ofTrail(base, notification) : ofEnvironment(base, notification)
}
