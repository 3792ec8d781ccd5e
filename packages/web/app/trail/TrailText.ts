/** A trail in words: its status, its events, and where its artifacts run. */
import type { TrailEvent, TrailSummary } from "../shared/Contract.js"

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** The status text of a trail whose template expects nothing. */
export const NOTHING_EXPECTED = "nothing is expected of this trail"

/** The status of a trail: missing and failed attestations. */
export const standingOf = ({ compliance_status, compliance_state }: TrailSummary): string => {
  const slots = Object.values(compliance_status.artifacts_statuses)
  const entries = [
    ...compliance_status.attestations_statuses,
    ...slots.flatMap(({ attestations_statuses }) => attestations_statuses)
  ]
  const expected = entries.filter(({ unexpected }) => !unexpected).length
  const missing = entries.filter(({ status }) => status === "MISSING").length
  const failed = entries.filter(({ is_compliant }) => is_compliant === false).length
  const unbuilt = slots.filter(({ artifact_fingerprint }) => artifact_fingerprint === null).length
  const parts = [
    ...(failed > 0 ? [`${plural(failed, "attestation")} not compliant`] : []),
    ...(missing > 0 ? [`${missing} of ${plural(expected, "attestation")} missing`] : []),
    ...(unbuilt > 0 ? [`${plural(unbuilt, "artifact")} missing`] : [])
  ]
  if (parts.length > 0) return parts.join(" · ")
  if (compliance_state !== "COMPLIANT") return "its artifacts are not compliant"
  if (expected > 0) return `all ${plural(expected, "attestation")} in place`
  const isAsked = slots.some(({ unexpected }) => !unexpected)
  return isAsked ? "its artifacts are in place" : NOTHING_EXPECTED
}

export const eventText = (event: TrailEvent): string => {
  switch (event.type) {
    case "trail_reported":
      return "begun"
    case "trail_updated":
      return `updated: ${event.changes.join(", ")}`
    case "artifact_creation_reported":
      return `${event.artifact_name} reported for ${event.template_reference_name}`
    case "artifact_started_running":
      return `started to run in ${event.environment_name} #${event.snapshot_index}`
    case "artifact_stopped_running":
      return `stopped in ${event.environment_name} #${event.snapshot_index}`
    case "artifact_approval_reported":
      return `approval ${event.approval_number} ${event.state.toLowerCase()}`
    default: {
      const about =
        event.target_artifact === undefined || event.target_artifact === null
          ? ""
          : ` for ${event.target_artifact}`
      return `${event.template_reference_name} ${
        event.is_reattestation === true ? "reported again" : "reported"
      }${about}: ${event.is_compliant ? "compliant" : "not compliant"}${
        event.verification_state ? `, ${event.verification_state}` : ""
      }`
    }
  }
}

/** Where an artifact runs or ran, by environment. */
export interface Sighting {
  readonly environment: string
  readonly index: number
  readonly at: number
  readonly isRunning: boolean
}

/** The last exposure of a fingerprint in each environment; running ones come first. */
export const sightingsOf = (
  events: ReadonlyArray<TrailEvent>,
  fingerprint: string
): ReadonlyArray<Sighting> => {
  const last = new Map<string, Sighting>()
  for (const event of events) {
    if (event.type !== "artifact_started_running" && event.type !== "artifact_stopped_running")
      continue
    if (event.artifact_fingerprint !== fingerprint) continue
    last.set(event.environment_id, {
      environment: event.environment_name,
      index: event.snapshot_index,
      at: event.timestamp,
      isRunning: event.type === "artifact_started_running"
    })
  }
  return [...last.values()].sort((a, b) => Number(b.isRunning) - Number(a.isRunning) || b.at - a.at)
}
