/**
 * Makes the attestations of accepted documents, on trails that the caller has locked.
 *
 * A document has one attestation for each trail, artifact, name and type. Its outcome was decided when the document was
 * accepted; a later trust policy changes nothing. Judging again adds one, which then is the one of its place.
 */
import * as Effect from "effect/Effect"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import type { Fingerprint } from "../../artifact/Fingerprint.js"
import type { AttestationFact } from "../../attestation/Attestation.js"
import type { AttestationReport, CommonFields } from "../../attestation/AttestationReport.js"
import { AttestationStore } from "../../attestation/AttestationStore.js"
import { Attestations } from "../../attestation/Attestations.js"
import * as ComponentIndex from "../../component/ComponentIndex.js"
import { ComponentStore } from "../../component/ComponentStore.js"
import { CUSTOM_PREFIX } from "../../flow/AttestationTypePattern.js"
import { Journals } from "../../journal/Journals.js"
import type {
  AttestationId,
  FlowName,
  OrgName,
  TrailId,
  TrailName
} from "../../shared/Identifier.js"
import type { TrailEvent } from "../../trail/internal/TrailEvent.js"
import * as EvidenceKind from "../EvidenceKind.js"
import type { EvidenceJudgement, EvidenceRecord } from "../EvidenceRecord.js"
import { EvidenceStore } from "../EvidenceStore.js"
import { type EvidenceVerification, inFlow } from "../EvidenceVerification.js"

/** Members of a request that its attestations repeat. */
export type Remarks = Pick<CommonFields, "origin_url" | "description">

/** A document with its outcome. */
export interface JudgedDocument {
  readonly record: EvidenceRecord
  readonly judgement: EvidenceJudgement
  readonly remarks: Remarks
}

/** An attestation to make on a locked trail. */
export interface AttestedPlace {
  readonly org: OrgName
  readonly event: TrailEvent
  readonly fingerprint: Fingerprint | null
}

/** An attestation of a document. */
export interface MadeAttestation {
  readonly flow: FlowName
  readonly trail: TrailName
  readonly fact: AttestationFact
  readonly isCreated: boolean
}

/** The attestation type of a judged document. */
export const typeOf = (
  { kind }: Pick<EvidenceRecord, "kind">,
  { type_name }: Pick<EvidenceJudgement, "type_name">
): string => (type_name === null ? EvidenceKind.attestationType(kind) : CUSTOM_PREFIX + type_name)

/** What was decided about a document. */
interface Decided extends Pick<EvidenceJudgement, "after_vex"> {
  readonly verification: EvidenceVerification
}

/** The data of an attestation: the facts with the result of verification, and what verified VEX took away. */
export const dataOf = (
  { facts }: Pick<EvidenceRecord, "facts">,
  { after_vex, verification }: Decided
): { readonly [member: string]: unknown } => ({
  ...facts,
  ...(after_vex === null ? {} : { after_vex }),
  ...(facts.kind === "provenance" && verification.state !== "verified"
    ? { build_level: null }
    : {}),
  verification
})

/** The report of a document on a trail. */
export const reportOf = (
  { judgement, record, remarks }: JudgedDocument,
  { event, fingerprint }: AttestedPlace
): AttestationReport => {
  const verification = inFlow(record.verification, record.flows, event.flow.name)
  const isElsewhere = verification !== record.verification
  const type = typeOf(record, judgement)
  const { name, type_version } = judgement
  return {
    type,
    isOverride: false,
    isCompliant: isElsewhere ? judgement.is_compliant_elsewhere : judgement.is_compliant,
    body: {
      attestation_name: name,
      ...(fingerprint === null ? {} : { artifact_fingerprint: fingerprint }),
      ...remarks,
      ...(type.startsWith(CUSTOM_PREFIX) ? { type_name: type.slice(CUSTOM_PREFIX.length) } : {}),
      ...(type_version === null ? {} : { type_version }),
      attestation_data: dataOf(record, { after_vex: judgement.after_vex, verification }),
      evidence_digest: record.digest,
      evidence_position: record.position
    }
  }
}

/** The attestations of documents. */
export const make = Effect.gen(function* () {
  const attestations = yield* Attestations
  const attestationStore = yield* AttestationStore
  const store = yield* EvidenceStore
  const components = yield* ComponentStore
  const journals = yield* Journals

  /** Connects the components that a document lists with the artifact of an attestation. */
  const index = (
    record: EvidenceRecord,
    fact: AttestationFact,
    { event, fingerprint }: AttestedPlace
  ) => {
    const listing = ComponentIndex.listingOf(record)
    return listing === undefined || fingerprint === null
      ? Effect.void
      : components.appendListing({
          org_id: event.trail.org_id,
          ...listing,
          fingerprint,
          attestation_id: fact.id,
          sequence: fact.sequence
        })
  }

  /** Finds the attestation of a document for a place; the document has each once. */
  const finderOf = ({ judgement, record }: JudgedDocument) =>
    Effect.gen(function* () {
      const { digest, org_id: org, position } = record
      const ids = yield* store.listLinks({ org, digest, position })
      const known = yield* attestationStore.listByIds(org, ids)
      const type = typeOf(record, judgement)
      const newestFirst = [...known].sort((left, right) => right.sequence - left.sequence)
      return (trail: TrailId, fingerprint: Fingerprint | null) =>
        newestFirst.find(
          (each) =>
            each.trail_id === trail &&
            each.fingerprint === fingerprint &&
            each.name === judgement.name &&
            each.type === type
        )
    })

  const attest = (document: JudgedDocument, place: AttestedPlace) =>
    Effect.gen(function* () {
      const { event, org } = place
      const { record } = document
      const { digest, filename, size } = record
      const path = { org, flow: event.flow.name, trail: event.trail.name }
      const given = reportOf(document, place)
      const attachments = [{ filename, fingerprint: digest, size }]
      const { fact, result } = yield* attestations.recordOn(event, path, { given, attachments })
      const { org_id, position } = record
      yield* store.appendLink({ org_id, digest, position, attestation_id: fact.id })
      yield* index(record, fact, place)
      return { flow: path.flow, trail: path.trail, fact, isCreated: result === "created" }
    })

  /** Records which attestations a document has got. */
  const recordLinks = (
    writer: WriteContext,
    { digest, position }: EvidenceRecord,
    linked: ReadonlyArray<AttestationId>
  ) =>
    linked.length === 0
      ? Effect.void
      : Effect.asVoid(
          journals.record({
            ...writer,
            kind: "evidence_linked",
            subject: { type: "evidence", id: digest },
            content: { digest, position, attestations: linked }
          })
        )

  /** Makes the attestations of a document that it does not have; returns all of them, in the order of places. */
  const attestAll = Effect.fnUntraced(function* (
    writer: WriteContext,
    document: JudgedDocument,
    places: ReadonlyArray<AttestedPlace>
  ) {
    const find = yield* finderOf(document)
    const made: Array<MadeAttestation> = []
    const linked: Array<AttestationId> = []
    for (const place of places) {
      const { flow, trail } = place.event
      const known = find(trail.id, place.fingerprint)
      if (known === undefined) {
        const attestation = yield* attest(document, place)
        linked.push(attestation.fact.id)
        made.push(attestation)
      } else {
        made.push({ flow: flow.name, trail: trail.name, fact: known, isCreated: false })
      }
    }
    yield* recordLinks(writer, document.record, linked)
    return made
  })

  /** Makes an attestation of a document again, beside the ones that it has. */
  const attestAgain = Effect.fnUntraced(function* (
    writer: WriteContext,
    document: JudgedDocument,
    place: AttestedPlace
  ) {
    const made = yield* attest(document, place)
    yield* recordLinks(writer, document.record, [made.fact.id])
    return made
  })

  return { attestAgain, attestAll } as const
})
