/**
 * A document as it was accepted, its attestations, and the subjects by which it finds artifacts that are reported
 * later.
 *
 * Append-only: what was read and verified at acceptance never changes. The bytes of the file are an attachment under
 * its digest.
 */
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { AttestationName } from "../attestation/Attestation.js"
import { AttestationTypeName } from "../attestation-type/AttestationType.js"
import {
  ARTIFACT_NAME_LENGTH_MAX,
  AttestationId,
  type FlowId,
  OrgId,
  OrgName,
  type TrailId,
  TrailName
} from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { AfterVex } from "./AfterVex.js"
import { EvidenceFacts, Subject } from "./EvidenceFacts.js"
import { EvidenceKind } from "./EvidenceKind.js"
import { EvidenceVerification, VerificationState } from "./EvidenceVerification.js"

/** The place of a document: its file, and its place in the file from 1. */
export const DocumentKey = Schema.Struct({ digest: Fingerprint, position: Schema.Int })
/** The place of a document. */
export type DocumentKey = typeof DocumentKey.Type

/** The name of a file, which is shown and never used. */
export const EvidenceFilename = Schema.String.pipe(Schema.maxLength(ARTIFACT_NAME_LENGTH_MAX))

/** A document as it was accepted. */
export const EvidenceRecord = Schema.Struct({
  org_id: OrgId,
  ...DocumentKey.fields,
  kind: EvidenceKind,
  /** The type of the predicate of a statement; null for other documents. */
  predicate_type: Schema.NullOr(Schema.String),
  state: VerificationState,
  verification: EvidenceVerification,
  /** The flows whose artifacts the rule of the verification speaks about; null for all. */
  flows: Schema.NullOr(Schema.Array(Schema.String)),
  facts: EvidenceFacts,
  /** All subjects; facts have the first ones. */
  subjects: Schema.Array(Subject),
  /** The version of the reader. */
  reader: Schema.String,
  size: Schema.Int,
  filename: EvidenceFilename,
  accepted_by: Schema.String,
  accepted_at: Timestamp,
  /** The position in the org's journal. */
  sequence: Schema.Int
})
/** A document as it was accepted. */
export type EvidenceRecord = typeof EvidenceRecord.Type

/** The outcome of a document, which is decided at its acceptance. */
export const EvidenceJudgement = Schema.Struct({
  /** The name of the attestation. */
  name: AttestationName,
  /** The custom type of the org that judged the facts; null for the built-in one. */
  type_name: Schema.NullOr(AttestationTypeName),
  /** The version of that type. */
  type_version: Schema.NullOr(Schema.Int),
  is_compliant: Schema.Boolean,
  /** The outcome in flows that the rule of the verification does not speak about. */
  is_compliant_elsewhere: Schema.Boolean,
  /** What verified VEX took away; null if it took nothing away. */
  after_vex: Schema.NullOr(AfterVex)
})
/** The outcome of a document. */
export type EvidenceJudgement = typeof EvidenceJudgement.Type

/** A subject by which a document finds artifacts, and the attestation to make for them. */
export const EvidenceSubject = Schema.Struct({
  org_id: OrgId,
  fingerprint: Fingerprint,
  ...DocumentKey.fields,
  ...EvidenceJudgement.fields
})
/** A subject by which a document finds artifacts. */
export type EvidenceSubject = typeof EvidenceSubject.Type

/** An attestation that was made for a document. */
export const EvidenceLink = Schema.Struct({
  org_id: OrgId,
  ...DocumentKey.fields,
  attestation_id: AttestationId
})
/** An attestation that was made for a document. */
export type EvidenceLink = typeof EvidenceLink.Type

/** The newest record of a fingerprint in a flow. */
export interface EvidenceTarget {
  readonly fingerprint: Fingerprint
  readonly flow_id: FlowId
  readonly trail_id: TrailId
}

/** The org has no document of that digest, or the file no document at that place. */
export class EvidenceDocumentNotFound extends Schema.TaggedError<EvidenceDocumentNotFound>()(
  "EvidenceDocumentNotFound",
  { org: OrgName, digest: Schema.String }
) {
  override get message(): string {
    return `there is no evidence \`${this.digest}\` in org \`${this.org}\``
  }
}

/** Neither the caller nor the document names a trail or an artifact. */
export class EvidenceWithoutSubject extends Schema.TaggedError<EvidenceWithoutSubject>()(
  "EvidenceWithoutSubject",
  {}
) {
  override get message(): string {
    return "the file does not say what it is about"
  }
}

/** The document has subjects, and the named fingerprint is none of them. */
export class EvidenceAboutOther extends Schema.TaggedError<EvidenceAboutOther>()(
  "EvidenceAboutOther",
  { fingerprint: Schema.String }
) {
  override get message(): string {
    return `the document is not about \`${this.fingerprint}\``
  }
}

/** No subject of the document is an artifact of the named trail. */
export class EvidenceNotOnTrail extends Schema.TaggedError<EvidenceNotOnTrail>()(
  "EvidenceNotOnTrail",
  {
    trail: TrailName,
    /** The first digests that the document names, with their algorithm. */
    digests: Schema.Array(Schema.String)
  }
) {
  override get message(): string {
    return `no subject is an artifact of trail \`${this.trail}\``
  }
}

/** No flow knows the named fingerprint. */
export class EvidenceTargetUnknown extends Schema.TaggedError<EvidenceTargetUnknown>()(
  "EvidenceTargetUnknown",
  { org: OrgName, fingerprint: Schema.String }
) {
  override get message(): string {
    return `no flow of org \`${this.org}\` has an artifact \`${this.fingerprint}\``
  }
}

/** The caller requires verified evidence, and the document is not verified. */
export class EvidenceNotVerified extends Schema.TaggedError<EvidenceNotVerified>()(
  "EvidenceNotVerified",
  { state: Schema.String, reason: Schema.NullOr(Schema.String) }
) {
  override get message(): string {
    return `the document is \`${this.state}\``
  }
}

/** The org has a type of its own under the name of a built-in one. */
export class EvidenceTypeTaken extends Schema.TaggedError<EvidenceTypeTaken>()(
  "EvidenceTypeTaken",
  { name: Schema.String }
) {
  override get message(): string {
    return `the org has a type \`${this.name}\` of its own`
  }
}
