/** Makes the response of an attestation: its reported fields under their names, its evaluation. */
import { toWire } from "@attestry/core/AttestationTypePattern"
import type { AttestationView } from "@attestry/core/AttestationViews"
import type { JsonObject } from "@attestry/core/Evidence"
import type { OrgName } from "@attestry/core/Identifier"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Links from "../../shared/internal/Links.js"

/** The path of a file of an attestation, below the public URL; the first file without a fingerprint. */
export const evidencePath = (
  org: OrgName,
  { attestation, flow, trail }: AttestationView,
  fingerprint: string | undefined
): string => {
  const names = [org, flow, "trail", trail, "attestation", attestation.id, "evidence"]
  const path = names.map(encodeURIComponent).join("/")
  const query = fingerprint === undefined ? "" : `?fingerprint=${fingerprint}`
  return `/api/v2/attestations/${path}${query}`
}

const filesOf = (base: string, org: OrgName, view: AttestationView): JsonObject => {
  const { org_id, id, attachments } = view.attestation
  const [first] = attachments
  return {
    evidence_archive_path:
      first === undefined ? "" : `${org_id}/artifact_attestation/${id}/${first.filename}`,
    evidence_archive_fingerprint: first?.fingerprint ?? "",
    attachments: attachments.map((attachment) => ({
      ...attachment,
      href: base + evidencePath(org, view, attachment.fingerprint)
    })),
    _links: {
      self: {
        href: `${base}/api/v2/attestations/${encodeURIComponent(org)}?attestation_id=${id}`
      },
      ...(first === undefined
        ? {}
        : { evidence: { href: base + evidencePath(org, view, first.fingerprint) } })
    }
  }
}

/** The response of an attestation. */
export const responseOf = (base: string, org: OrgName, view: AttestationView): JsonObject => {
  const { attestation, flow, trail } = view
  const { body } = attestation
  return {
    schema_version: 2,
    origin_url: null,
    git_commit_info: null,
    user_data: {},
    ...body,
    ...("snyk_results" in body ? { processed_snyk_results: body.snyk_results } : {}),
    attestation_id: attestation.id,
    attestation_type: toWire(attestation.type),
    attestation_name: attestation.name,
    is_compliant: attestation.isCompliant,
    is_override: attestation.isOverride,
    target_artifacts: attestation.slots,
    created_at: Timestamp.toSeconds(attestation.created_at),
    reported_by: attestation.created_by,
    flow_name: flow,
    trail_name: trail,
    html_url: Links.trailPage(base, { org, flow, trail }, attestation.id),
    has_audit_package: attestation.attachments.length > 0,
    ...filesOf(base, org, view)
  }
}
