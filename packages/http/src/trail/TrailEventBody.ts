/**
 * What happened on a trail, as answers tell it: the journal's entries about the trail, in the words of
 * the wire. Entries that are no event of the trail, such as an evaluation by itself, are left out.
 */
import { toWire } from "@attestry/core/AttestationTypePattern"
import type { UserData } from "@attestry/core/Evidence"
import type { JournalEntry } from "@attestry/core/JournalEntry"
import * as Timestamp from "@attestry/core/Timestamp"
import type { Trail } from "@attestry/core/Trail"

type Content = { readonly [field: string]: unknown }

const isObject = (value: unknown): value is Content =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const inside = (content: Content, field: string): Content => {
  const value = content[field]
  return isObject(value) ? value : {}
}

const trailData = (trail: Content): Content => ({
  org_id: trail.org_id,
  flow_id: trail.flow_id,
  name: trail.name,
  description: trail.description,
  git_commit_info: trail.git_commit_info,
  template_id: trail.template_id,
  origin_url: trail.origin_url,
  user_data: JSON.stringify(trail.user_data)
})

const reported = (content: Content, { actor }: JournalEntry): Content => ({
  setting_user_id: actor.id,
  trail_data_json: { ...trailData(content), creating_user_id: actor.id },
  git_commit_info: content.git_commit_info ?? null,
  repo_info: content.repo_info ?? null
})

const updated = (content: Content, { actor }: JournalEntry): Content => {
  const trail = inside(content, "trail")
  const changes = Array.isArray(content.changes) ? content.changes.map(String) : []
  return {
    setting_user_id: actor.id,
    changes,
    trail_data_json: Object.fromEntries(
      Object.entries(trailData(trail)).filter(([field]) =>
        changes.includes(field === "template_id" ? "template" : field)
      )
    ),
    git_commit_info: trail.git_commit_info ?? null,
    repo_info: trail.repo_info ?? null
  }
}

const attested = (content: Content): Content => {
  const body = inside(content, "body")
  const [target] = Array.isArray(content.slots) ? content.slots : []
  return {
    attestation_type: toWire(String(content.type)),
    is_compliant: content.isCompliant,
    attestation_id: content.attestation_id,
    template_reference_name: content.name,
    is_reattestation: null,
    ...(content.fingerprint === null ? {} : { artifact_fingerprint: content.fingerprint }),
    ...(target === undefined ? {} : { target_artifact: target }),
    git_commit_info: body.git_commit_info ?? null,
    repo_info: body.repo_info ?? null
  }
}

const created = (content: Content): Content => {
  const report = inside(content, "report")
  return {
    artifact_fingerprint: report.fingerprint,
    artifact_name: report.filename,
    artifact_id: content.artifact_id,
    template_reference_name: report.template_reference_name ?? "artifact",
    git_commit: report.git_commit ?? null,
    origin_url: report.build_url ?? null,
    git_commit_info: report.git_commit_info ?? null,
    repo_info: report.repo_info ?? null
  }
}

const approved = ({ approval: _, ...event }: Content): Content => event

const asWritten = (content: Content): Content => content

const bodies = new Map<string, (content: Content, entry: JournalEntry) => Content>([
  ["trail_reported", reported],
  ["trail_updated", updated],
  ["trail_attestation_reported", attested],
  ["trail_attestation_for_artifact_reported", attested],
  ["artifact_attestation_reported", attested],
  ["artifact_creation_reported", created],
  ["artifact_started_running", asWritten],
  ["artifact_stopped_running", asWritten],
  ["artifact_approval_reported", approved]
])

/** The event that an entry is, if it is one. */
export const fromEntry = (trail: Trail, entry: JournalEntry): ReadonlyArray<UserData> => {
  const body = bodies.get(entry.kind)
  const content: unknown = JSON.parse(entry.content)
  if (body === undefined || !isObject(content)) return []
  return [
    {
      org_id: trail.org_id,
      flow_id: trail.flow_id,
      trail_id: trail.id,
      timestamp: Timestamp.toSeconds(entry.at),
      type: entry.kind,
      git_commit_info: null,
      repo_info: null,
      ...body(content, entry)
    }
  ]
}
