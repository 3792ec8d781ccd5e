/**
 * Accepts evidence files: reads and verifies them, keeps their bytes, and makes the attestations of their documents.
 *
 * A file that the org has is not read again: its documents are what was read and verified at their acceptance.
 * Everything is recorded in one transaction, or nothing is.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { AccessDenied } from "../access/Access.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { AttachmentStore } from "../attestation/AttachmentStore.js"
import { Journals } from "../journal/Journals.js"
import type { OrgId, OrgName } from "../shared/Identifier.js"
import { StoreError } from "../shared/StoreError.js"
import { Transaction, type TransactionScope } from "../shared/Transaction.js"
import type { TrailPath } from "../trail/Trails.js"
import * as TrustPolicyLookup from "../trust-policy/internal/TrustPolicyLookup.js"
import type { IgnoredLine } from "./EvidenceReader.js"
import * as Record from "./EvidenceRecord.js"
import { EvidenceStore } from "./EvidenceStore.js"
import * as EvidenceAttestations from "./internal/EvidenceAttestations.js"
import * as EvidenceEntry from "./internal/EvidenceEntry.js"
import * as EvidenceMetrics from "./internal/EvidenceMetrics.js"
import * as EvidenceOutcomes from "./internal/EvidenceOutcomes.js"
import type { EvidenceFile } from "./internal/EvidenceReading.js"
import * as EvidenceReading from "./internal/EvidenceReading.js"
import * as IndexedComponents from "./internal/IndexedComponents.js"
import * as LinkPlans from "./internal/LinkPlans.js"
import * as VexRecords from "./internal/VexRecords.js"
import * as VexScope from "./internal/VexScope.js"
import * as SubjectLinks from "./SubjectLinks.js"

/** An attestation of a document. */
export type { MadeAttestation } from "./internal/EvidenceAttestations.js"
/** A file that has arrived; its content can be read more than once. */
export type { EvidenceFile } from "./internal/EvidenceReading.js"

/** What the caller says about a file. */
export interface EvidenceSubmission extends EvidenceOutcomes.OutcomeRequest {
  /** The trail, which is created where it is absent; null if subjects decide. */
  readonly trail: TrailPath | null
  readonly fingerprint: Fingerprint | null
  readonly filename: string
  readonly remarks: EvidenceAttestations.Remarks
  /** Whether a file with a document that is not verified is refused. */
  readonly isVerifiedOnly: boolean
}

/** A document of an accepted file. */
export interface AcceptedDocument {
  readonly record: Record.EvidenceRecord
  /** The SHA-256 subjects that no artifact has. */
  readonly waiting: ReadonlyArray<string>
  readonly attestations: ReadonlyArray<EvidenceAttestations.MadeAttestation>
}

/** An accepted file. */
export interface Acceptance {
  readonly documents: ReadonlyArray<AcceptedDocument>
  readonly ignored: ReadonlyArray<IgnoredLine>
  /** Whether something was recorded. */
  readonly isRecorded: boolean
}

type Draft = EvidenceReading.Draft

/** A document with its outcome, before the transaction. */
interface Judged extends EvidenceReading.ReadDraft {
  readonly judgement: Record.EvidenceJudgement
}

/** The digests of a message name at most this many subjects. */
const DIGESTS_NAMED_MAX = 3

const PLANS_MAX = 3

const refusalOf = (
  refusal: SubjectLinks.LinkRefusal,
  {
    org,
    submission: { fingerprint, trail }
  }: {
    readonly org: OrgName
    readonly submission: EvidenceSubmission
  },
  { subjects }: Draft
) => {
  if (refusal === "not_on_trail" && trail !== null) {
    const digests = subjects.flatMap(({ digest }) =>
      Object.entries(digest).map(([algorithm, value]) => `${algorithm}:${value}`)
    )
    return new Record.EvidenceNotOnTrail({
      trail: trail.name,
      digests: digests.slice(0, DIGESTS_NAMED_MAX)
    })
  }
  if (fingerprint === null) return new Record.EvidenceWithoutSubject()
  return refusal === "unknown_fingerprint"
    ? new Record.EvidenceTargetUnknown({ org, fingerprint })
    : new Record.EvidenceAboutOther({ fingerprint })
}

/** Use cases of accepting evidence files. */
export class Evidences extends Effect.Service<Evidences>()("@attestry/core/Evidences", {
  effect: Effect.gen(function* () {
    const store = yield* EvidenceStore
    const reaches = yield* Reaches
    const { read } = yield* EvidenceReading.make
    const trustOf = yield* TrustPolicyLookup.make
    const contents = yield* AttachmentStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const { attestAll } = yield* EvidenceAttestations.make
    const plans = yield* LinkPlans.make
    const index = yield* IndexedComponents.make
    const { judge } = yield* EvidenceOutcomes.make
    const { keep } = yield* VexRecords.make

    /** The documents of a file that the org does not have yet. */
    const readNew = <E>(
      org: OrgId,
      file: EvidenceFile<E>,
      { filename, trail }: EvidenceSubmission
    ) =>
      Effect.gen(function* () {
        const trust = EvidenceReading.rulesFirst(yield* trustOf(org), trail?.flow ?? null)
        const bytes = yield* EvidenceReading.bytesOf(file)
        return yield* read({ org, file, bytes, filename, trust })
      })

    const checkVerified = (
      documents: ReadonlyArray<EvidenceReading.ReadDraft>,
      { isVerifiedOnly }: EvidenceSubmission
    ) => {
      const drafts = documents.map(({ draft }) => draft)
      const open = drafts.find(({ state }) => isVerifiedOnly && state !== "verified")
      return open === undefined
        ? Effect.void
        : new Record.EvidenceNotVerified({
            state: open.state,
            reason: open.verification.reason
          })
    }

    /** Records documents that the org does not have; returns them as they are stored. */
    const keepAll = Effect.fnUntraced(function* (
      writer: WriteContext.WriteContext,
      judged: ReadonlyArray<Judged>,
      known: ReadonlyArray<Record.EvidenceRecord>
    ) {
      if (known.length > 0) return known
      return yield* Effect.forEach(judged, ({ draft, statements }) =>
        Effect.gen(function* () {
          const made = { ...draft, accepted_by: writer.actor.name, accepted_at: writer.at }
          const { sequence } = yield* journals.record({
            ...writer,
            kind: "evidence_accepted",
            subject: { type: "evidence", id: draft.digest },
            content: EvidenceEntry.accepted(made)
          })
          const record = { ...made, sequence }
          yield* store.append(record)
          yield* keep(writer, record, statements)
          return record
        })
      )
    })

    /** Records subjects by which a document finds artifacts that are reported later. */
    const keepSubjects = Effect.fnUntraced(function* (
      writer: WriteContext.WriteContext,
      record: Record.EvidenceRecord,
      judgement: Record.EvidenceJudgement
    ) {
      const { digest, position } = record
      const subjects = SubjectLinks.fingerprintsOf(record.subjects).map((value) => ({
        org_id: writer.org,
        fingerprint: Fingerprint.make(value),
        digest,
        position,
        ...judgement
      }))
      const added = yield* store.addSubjects(writer.org, subjects)
      if (added.length === 0) return false
      yield* journals.record({
        ...writer,
        kind: "evidence_awaits",
        subject: { type: "evidence", id: digest },
        content: EvidenceEntry.awaits(record, judgement, added)
      })
      return true
    })

    const recordAll = Effect.fnUntraced(function* <E>(
      granted: GrantedWithin,
      {
        file,
        judged,
        submission
      }: {
        readonly file: EvidenceFile<E>
        readonly judged: ReadonlyArray<Judged>
        readonly submission: EvidenceSubmission
      },
      scope: TransactionScope
    ) {
      const { org, orgId } = granted
      const { content, fingerprint } = file
      yield* store.lockFile(orgId, fingerprint)
      const known = yield* store.listByDigest(orgId, fingerprint)
      // WHY first: other writers of a trail must not wait while the file is stored.
      if (known.length === 0) yield* contents.put({ org: orgId, fingerprint }, content)
      const ids = yield* index.keep(orgId, known.length === 0 ? judged : [])
      const writer = WriteContext.make(granted, yield* scope.now)
      const documents = judged.map(({ draft: { subjects } }) => subjects)
      const plan = yield* plans.plan(granted, { ...submission, documents }, { scope, writer })
      const records = yield* keepAll(writer, judged, known)
      yield* index.keepVulnerable(records, judged, ids)
      const isBySubject = submission.trail === null && submission.fingerprint === null
      // WHY only for the whole org: an artifact of any flow would find the document.
      const isWaiting = isBySubject && granted.reach._tag === "Whole"
      let isRecorded = known.length === 0
      const accepted: Array<AcceptedDocument> = []
      let events = plan.events
      for (const [at, { draft, judgement }] of judged.entries()) {
        const record = records[at]
        if (record === undefined) continue
        const decided = yield* Either.mapLeft(
          SubjectLinks.decide(draft.subjects, plan.named, plan.targetsOf(draft.subjects)),
          (refusal) => refusalOf(refusal, { org, submission }, draft)
        )
        if (isWaiting && (yield* keepSubjects(writer, record, judgement))) isRecorded = true
        const places = decided.links.flatMap((link) => {
          const event = events.get(link.trail)
          const about = link.fingerprint === null ? null : Fingerprint.make(link.fingerprint)
          return event === undefined ? [] : [{ org, event, fingerprint: about }]
        })
        const document = { record, judgement, remarks: submission.remarks }
        const attestations = yield* attestAll(writer, document, places)
        if (attestations.some(({ isCreated }) => isCreated)) isRecorded = true
        // WHY: listeners are told once that a report began its trail.
        events = new Map(
          Array.from(events, ([id, { flow, trail }]) => [id, { writer, flow, trail }])
        )
        const waiting = isWaiting || !isBySubject ? decided.waiting : []
        accepted.push({ record, waiting, attestations })
      }
      const { permission, reach } = granted
      // A document without a flow belongs to the whole org.
      if (reach._tag === "Part" && accepted.every(({ attestations }) => attestations.length === 0))
        return yield* new AccessDenied({ org, permission })
      return { accepted, isRecorded, isNew: known.length === 0 }
    })

    /** The documents of a file, read now unless the org has them. */
    const documentsOf = Effect.fnUntraced(function* <E>(
      orgId: OrgId,
      file: EvidenceFile<E>,
      submission: EvidenceSubmission
    ) {
      const known = yield* store.listByDigest(orgId, file.fingerprint)
      // WHY a cut list is read again: facts have the first findings alone, and VEX may take away any of them.
      const isRead = known.length === 0 || known.some(VexScope.isCut)
      const { drafts, ignored } = isRead
        ? yield* readNew(orgId, file, submission)
        : { drafts: [], ignored: [] }
      return known.length === 0
        ? { drafts, ignored }
        : { drafts: known.map((each) => VexScope.ofRecord(each, drafts)), ignored: [] }
    })

    /**
     * Accepts a file, or nothing of it: keeps it, and makes an attestation for each artifact or trail that its
     * documents are about, creating the named flow and trail where they are absent. The same file for the same target
     * records nothing.
     */
    const accept = Effect.fn("Evidences.accept")(function* <E>(
      org: OrgName,
      file: EvidenceFile<E>,
      submission: EvidenceSubmission
    ) {
      const granted = yield* reaches.authorize(org, "evidence.write")
      const { drafts, ignored } = yield* documentsOf(granted.orgId, file, submission)
      yield* checkVerified(drafts, submission)
      const { fingerprint, trail } = submission
      const target = { fingerprint, flow: trail?.flow ?? null, beside: VexScope.besideOf(drafts) }
      const judged = yield* Effect.forEach(drafts, (each) => {
        const content = { document: each.draft, scanned: VexScope.of(each, target) }
        return Effect.map(judge(granted, content, submission), (judgement) => ({
          ...each,
          judgement
        }))
      })
      const recorded = transaction.run(granted.orgId, (scope) =>
        recordAll(granted, { file, judged, submission }, scope)
      )
      const { accepted, isNew, isRecorded } = yield* recorded.pipe(
        Effect.retry({
          times: PLANS_MAX,
          while: (error) => error instanceof LinkPlans.LinkPlanChanged
        }),
        Effect.catchTag(
          "LinkPlanChanged",
          (cause) => new StoreError({ operation: "Evidences.accept", cause })
        )
      )
      if (isNew)
        yield* Effect.forEach(accepted, ({ record }) => EvidenceMetrics.count(record), {
          discard: true
        })
      return { documents: accepted, ignored, isRecorded } satisfies Acceptance
    })

    return { accept } as const
  })
}) {}
