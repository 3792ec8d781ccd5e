/**
 * An attestation as it is kept: what was reported, what it is about, and what it came to.
 *
 * Append-only: its outcome was decided when it was reported and never changes. Which artifact records it
 * counts for is `AttestationBinding`'s question.
 */
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { ATTESTATION_NAME_PATTERN } from "../flow/FlowTemplate.js"
import { UserData } from "../shared/Evidence.js"
import {
  ARTIFACT_NAME_LENGTH_MAX,
  AttestationId,
  CommitSha,
  FlowId,
  NAME_LENGTH_MAX,
  OrgId,
  SlotName,
  TrailId
} from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** The name of an attestation, which templates and policies ask for. */
export const AttestationName = Schema.String.pipe(
  Schema.maxLength(NAME_LENGTH_MAX),
  Schema.pattern(new RegExp(ATTESTATION_NAME_PATTERN)),
  Schema.brand("AttestationName")
)
/** The name of an attestation. */
export type AttestationName = typeof AttestationName.Type

/** A file that came with an attestation: what it was called, and what names its content. */
export const Attachment = Schema.Struct({
  filename: Schema.String.pipe(Schema.maxLength(ARTIFACT_NAME_LENGTH_MAX)),
  fingerprint: Fingerprint,
  size: Schema.Int
}).annotations({ identifier: "Attachment" })
/** A file that came with an attestation. */
export type Attachment = typeof Attachment.Type

/** An attestation as far as compliance depends on it, with the digest of everything it said. */
export const AttestationFact = Schema.Struct({
  sequence: Schema.Int,
  id: AttestationId,
  name: AttestationName,
  /** The reported type; of an override, the type of what it stands for. DECISION D2.14 */
  type: Schema.String,
  isCompliant: Schema.Boolean,
  isOverride: Schema.Boolean,
  fingerprint: Schema.NullOr(Fingerprint),
  slots: Schema.Array(SlotName),
  commit: Schema.NullOr(CommitSha),
  digest: Schema.String
})
/** An attestation as far as compliance depends on it. */
export type AttestationFact = typeof AttestationFact.Type

/** An attestation. */
export const Attestation = Schema.Struct({
  org_id: OrgId,
  flow_id: FlowId,
  trail_id: TrailId,
  ...AttestationFact.fields,
  /** The body as it was sent. */
  body: UserData,
  attachments: Schema.Array(Attachment),
  created_by: Schema.String,
  created_at: Timestamp
})
/** An attestation. */
export type Attestation = typeof Attestation.Type

/** The facts of an attestation. */
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

/** What an attestation is reported under: its name, and the artifact or the slots it names. */
export type AttestationTarget = Pick<AttestationFact, "name" | "fingerprint" | "slots">

const sameSlots = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  left.length === right.length && left.every((slot) => right.includes(slot))

/** Those of a trail that are reported under the same name and target, the newest first. */
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

/** What kind of event an attestation is in the history of its trail. */
export const eventKind = ({ fingerprint, slots }: AttestationTarget): string => {
  if (fingerprint !== null) return "artifact_attestation_reported"
  return slots.length > 0 ? "trail_attestation_for_artifact_reported" : "trail_attestation_reported"
}
