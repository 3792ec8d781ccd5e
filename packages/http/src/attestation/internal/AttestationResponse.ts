/** Makes the response of an attestation: its reported fields under their names, its evaluation. */
import type { AttestationResponse } from "@attestry/api/AttestationResponse"
import { toWire } from "@attestry/core/AttestationTypePattern"
import type { AttestationView } from "@attestry/core/AttestationViews"
import type { EvidenceVerification } from "@attestry/core/EvidenceVerification"
import type { OrgName } from "@attestry/core/Identifier"
import * as Predicate from "effect/Predicate"
import * as Links from "../../shared/internal/Links.js"

type Response = typeof AttestationResponse.Type

/** The fields about files. */
type FileFields = Pick<
  Response,
  "evidence_archive_path" | "evidence_archive_fingerprint" | "attachments" | "_links"
>

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

const filesOf = (base: string, org: OrgName, view: AttestationView): FileFields => {
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

/** The result of verification of an attestation that was made for an evidence file; reported data has none. */
const verificationOf = ({
  attestation_data: data,
  evidence_digest
}: Partial<Response>): Pick<Response, "verification"> =>
  evidence_digest !== undefined && Predicate.isRecord(data)
    ? // WHY: the service made the data of such an attestation.
      { verification: data.verification as EvidenceVerification }
    : {}

/** The response of an attestation. */
export const responseOf = (base: string, org: OrgName, view: AttestationView): Response => {
  const { attestation, flow, trail } = view
  // WHY: a body was checked by the schema of its type when it was reported.
  const body = attestation.body as Partial<Response>
  return {
    schema_version: 2,
    origin_url: null,
    git_commit_info: null,
    user_data: {},
    ...body,
    ...verificationOf(body),
    ...(body.snyk_results === undefined ? {} : { processed_snyk_results: body.snyk_results }),
    attestation_id: attestation.id,
    attestation_type: toWire(attestation.type),
    attestation_name: attestation.name,
    is_compliant: attestation.isCompliant,
    is_override: attestation.isOverride,
    target_artifacts: attestation.slots,
    created_at: attestation.created_at,
    reported_by: attestation.created_by,
    flow_name: flow,
    trail_name: trail,
    html_url: Links.trailPage(base, { org, flow, trail }, attestation.id),
    has_audit_package: attestation.attachments.length > 0,
    ...filesOf(base, org, view)
  }
}
