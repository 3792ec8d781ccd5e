/**
 * A stored attestation: the reported content, its target, and its outcome.
 *
 * Append-only: the outcome is decided at the report and never changes. `AttestationBinding` decides which artifact
 * records it counts for.
 */
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { ATTESTATION_NAME_PATTERN } from "../flow/FlowTemplate.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { JsonObject } from "../shared/Evidence.js"
import {
  ARTIFACT_NAME_LENGTH_MAX,
  AttestationId,
  CommitSha,
  FlowId,
  NAME_LENGTH_MAX,
  OrgId,
  TargetSlotName,
  TrailId
} from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { AttestationFacts } from "./AttestationFacts.js"

/** The name of an attestation, which templates and policies refer to. */
export const AttestationName = Schema.String.pipe(
  Schema.maxLength(NAME_LENGTH_MAX),
  Schema.pattern(new RegExp(ATTESTATION_NAME_PATTERN)),
  Schema.brand("AttestationName")
)
/** The name of an attestation. */
export type AttestationName = typeof AttestationName.Type

/** A file of an attestation: its name, and the fingerprint of its content. */
export const Attachment = Schema.Struct({
  filename: Schema.String.pipe(Schema.maxLength(ARTIFACT_NAME_LENGTH_MAX)),
  fingerprint: Fingerprint,
  size: Schema.Int
}).annotations({ identifier: "Attachment" })
/** A file of an attestation. */
export type Attachment = typeof Attachment.Type

/** The fields of an attestation that compliance depends on, with the digest of its body. */
export const AttestationFact = Schema.Struct({
  sequence: Schema.Int,
  id: AttestationId,
  name: AttestationName,
  /** The reported type; of an override, the type of the overridden attestation. */
  type: Schema.String,
  isCompliant: Schema.Boolean,
  isOverride: Schema.Boolean,
  fingerprint: Schema.NullOr(Fingerprint),
  slots: Schema.Array(TargetSlotName),
  commit: Schema.NullOr(CommitSha),
  digest: Schema.String
})
/** The fields of an attestation that compliance depends on. */
export type AttestationFact = typeof AttestationFact.Type

/** An attestation. */
export const Attestation = Schema.Struct({
  org_id: OrgId,
  flow_id: FlowId,
  trail_id: TrailId,
  ...AttestationFact.fields,
  /** The body as it was sent. */
  body: JsonObject,
  /** What policies ask about; null for an attestation without facts. */
  policy_facts: Schema.NullOr(AttestationFacts),
  attachments: Schema.Array(Attachment),
  created_by: Schema.String,
  created_at: Timestamp
})
/** An attestation. */
export type Attestation = typeof Attestation.Type

/** The members of an attestation that its digest is about, as the journal has them. */
export interface DigestedMembers {
  readonly attachments: unknown
  readonly body: unknown
  readonly isCompliant: unknown
  readonly isOverride: unknown
  readonly type: unknown
}

/**
 * The text whose SHA-256 is the digest of an attestation. Of an override, it has the type that was overridden and the
 * control that the body inherits, so that verification finds the same text in the journal.
 */
export const digestedText = (members: DigestedMembers): string => {
  const { attachments, body, isCompliant, isOverride, type } = members
  return CanonicalJson.print({ attachments, body, isCompliant, isOverride, type })
}

/** The fields of an attestation that compliance depends on. */
export const factOf = (attestation: Attestation): AttestationFact => ({
  sequence: attestation.sequence,
  id: attestation.id,
  name: attestation.name,
  type: attestation.type,
  isCompliant: attestation.isCompliant,
  isOverride: attestation.isOverride,
  fingerprint: attestation.fingerprint,
  slots: attestation.slots,
  commit: attestation.commit,
  digest: attestation.digest
})

/** The target of an attestation: its name, and the artifact or the slots that it names. */
export type AttestationTarget = Pick<AttestationFact, "name" | "fingerprint" | "slots">

const sameSlots = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  left.length === right.length && left.every((slot) => right.includes(slot))

/** The attestations of a trail with the same name and target, newest first. */
export const ofTarget = (
  facts: ReadonlyArray<AttestationFact>,
  target: AttestationTarget
): ReadonlyArray<AttestationFact> =>
  facts
    .filter(
      (fact) =>
        fact.name === target.name &&
        fact.fingerprint === target.fingerprint &&
        sameSlots(fact.slots, target.slots)
    )
    .sort((left, right) => right.sequence - left.sequence)

/** The kind of event of an attestation in the history of its trail. */
export const eventKind = ({ fingerprint, slots }: AttestationTarget): string => {
  if (fingerprint !== null) return "artifact_attestation_reported"
  return slots.length > 0 ? "trail_attestation_for_artifact_reported" : "trail_attestation_reported"
}
