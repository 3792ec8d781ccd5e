/**
 * Judges accepted documents again, by the trust policy, the VEX and the reader of today.
 *
 * A recorded attestation never changes (V-10): one that comes out otherwise is followed by a new one of the same trail,
 * artifact, name and type. The document stays as it was accepted, and so do the subjects by which it waits.
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Access from "../access/Access.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { AttachmentStore } from "../attestation/AttachmentStore.js"
import * as Attestation from "../attestation/Attestation.js"
import { CommonFields } from "../attestation/AttestationReport.js"
import { AttestationStore } from "../attestation/AttestationStore.js"
import { AttestationTypeName } from "../attestation-type/AttestationType.js"
import type { AttestationView } from "../compliance/AttestationViews.js"
import * as AttestationLookup from "../compliance/internal/AttestationLookup.js"
import { CUSTOM_PREFIX } from "../flow/AttestationTypePattern.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import type { FlowName, OrgId } from "../shared/Identifier.js"
import { Transaction } from "../shared/Transaction.js"
import type { TrailEvent } from "../trail/internal/TrailEvent.js"
import * as TrustPolicyLookup from "../trust-policy/internal/TrustPolicyLookup.js"
import type { TrustPolicyDocument } from "../trust-policy/TrustPolicyDocument.js"
import * as EvidenceKind from "./EvidenceKind.js"
import { EvidenceDocumentNotFound, type EvidenceRecord } from "./EvidenceRecord.js"
import { EvidenceStore } from "./EvidenceStore.js"
import type { EvidencePath } from "./EvidenceViews.js"
import * as EvidenceAttestations from "./internal/EvidenceAttestations.js"
import * as EvidenceOutcomes from "./internal/EvidenceOutcomes.js"
import * as EvidenceReading from "./internal/EvidenceReading.js"
import * as LinkPlans from "./internal/LinkPlans.js"
import * as VexScope from "./internal/VexScope.js"

/** The attestations of a file after it was judged again, the newest of each place. */
export interface Judgement {
  readonly attestations: ReadonlyArray<EvidenceAttestations.MadeAttestation>
}

/** An attestation of a document, with the names of its flow and trail. */
interface Linked {
  readonly record: EvidenceRecord
  readonly view: AttestationView
}

type Judged = Omit<EvidenceAttestations.JudgedDocument, "remarks">

const Remarks = CommonFields.pick("origin_url", "description")

const remarksOf = ({ body }: Attestation.Attestation): EvidenceAttestations.Remarks =>
  Option.getOrElse(Schema.decodeUnknownOption(Remarks)(body), () => ({}))

/** Whether attestations have the same place. */
const isSamePlace = (left: Attestation.Attestation, right: Attestation.Attestation): boolean =>
  left.trail_id === right.trail_id &&
  left.fingerprint === right.fingerprint &&
  left.name === right.name &&
  left.type === right.type

/** The flow whose rules come first; null for every flow that no rule speaks about. */
const ruledFlow = ({ rules }: TrustPolicyDocument, flow: FlowName): FlowName | null =>
  rules.some(({ flows }) => flows?.includes(flow)) ? flow : null

/** What the judgement of an attestation depends on, beside its file. */
const keyOf = (trust: TrustPolicyDocument, { record, view }: Linked): string => {
  const { fingerprint, name, type } = view.attestation
  // WHY: statements of VEX may be about one image, and about the artifacts of some flows.
  const isScan = record.kind === "scan" || record.kind === "snyk"
  const target = isScan ? [fingerprint, view.flow] : []
  return JSON.stringify([record.position, name, type, ruledFlow(trust, view.flow), ...target])
}

const Data = Schema.Struct({
  after_vex: Schema.optional(Schema.Unknown),
  build_level: Schema.optional(Schema.Unknown),
  verification: Schema.optional(Schema.Unknown)
})

/** What was decided about a document: its verification, the build level of provenance, and what VEX took away. */
const decidedOf = (data: unknown): unknown => {
  const given = Schema.is(Data)(data) ? data : {}
  const { after_vex = null, build_level = null, verification = null } = given
  return { after_vex, build_level, verification }
}

const isOtherwise = (
  { body, isCompliant }: Attestation.Attestation,
  report: Pick<Attestation.Attestation, "isCompliant"> & {
    readonly body: { readonly [field: string]: unknown }
  }
): boolean =>
  isCompliant !== report.isCompliant ||
  !CanonicalJson.equals(decidedOf(body.attestation_data), decidedOf(report.body.attestation_data))

/** The custom type of the org that judged an attestation; null for a built-in type. */
const typeNameOf = (
  { kind }: EvidenceRecord,
  { type }: Attestation.Attestation
): AttestationTypeName | null =>
  type === EvidenceKind.attestationType(kind)
    ? null
    : AttestationTypeName.make(type.slice(CUSTOM_PREFIX.length))

/** Use cases of judging accepted documents again. */
export class EvidenceJudgements extends Effect.Service<EvidenceJudgements>()(
  "@attestry/core/EvidenceJudgements",
  {
    effect: Effect.gen(function* () {
      const store = yield* EvidenceStore
      const attestations = yield* AttestationStore
      const contents = yield* AttachmentStore
      const transaction = yield* Transaction
      const reaches = yield* Reaches
      const trustOf = yield* TrustPolicyLookup.make
      const { named } = yield* AttestationLookup.make
      const { attestAgain } = yield* EvidenceAttestations.make
      const { judge: decide } = yield* EvidenceOutcomes.make
      const { read } = yield* EvidenceReading.make
      const { lockTrails } = yield* LinkPlans.make

      /** The newest attestation of each place of a document, oldest first. */
      const linkedTo = (record: EvidenceRecord) =>
        Effect.gen(function* () {
          const { digest, org_id: org, position } = record
          const ids = yield* store.listLinks({ org, digest, position })
          const found = [...(yield* attestations.listByIds(org, ids))].sort(
            (left, right) => right.sequence - left.sequence
          )
          const newest = Arr.dedupeWith(found, isSamePlace).reverse()
          const views = yield* named(org, newest)
          return views.map((view): Linked => ({ record, view }))
        })

      /** What the permission reaches of the attestations of documents; absent where the caller reads none of them. */
      const reachedOf = (granted: GrantedWithin, records: ReadonlyArray<EvidenceRecord>) =>
        Effect.gen(function* () {
          const linked = Arr.flatten(yield* Effect.forEach(records, linkedTo))
          const { org, orgId, permission, reach } = granted
          if (reach._tag === "Whole") return linked
          const wanted = {
            kind: "flow" as const,
            things: linked,
            idOf: ({ view }: Linked) => view.attestation.flow_id
          }
          const reached = yield* reaches.keepReadable({ orgId, readable: reach }, wanted)
          if (reached.length > 0) return reached
          const readable = yield* reaches.keepReadable(granted, wanted)
          const [first] = records
          return yield* readable.length > 0 || first === undefined
            ? new Access.AccessDenied({ org, permission })
            : new EvidenceDocumentNotFound({ org, digest: first.digest })
        })

      /** The documents of a file as they are read today, with the rules of a flow first. */
      const readAgain = Effect.fnUntraced(function* (
        record: EvidenceRecord,
        trust: TrustPolicyDocument,
        flow: FlowName | null
      ) {
        const { digest, filename, org_id: org, size } = record
        const content = contents.read({ org, fingerprint: digest })
        const bytes = yield* EvidenceReading.bytesOf({ content, size })
        const ordered = EvidenceReading.rulesFirst(trust, flow)
        const file = { fingerprint: digest, size }
        return (yield* read({ org, file, bytes, filename, trust: ordered })).drafts
      })

      /** Judges a document for an attestation; none where its type or its kind is gone. */
      const decideFor = (
        granted: GrantedWithin,
        { record, view: { attestation, flow } }: Linked,
        drafts: ReadonlyArray<EvidenceReading.ReadDraft>
      ) =>
        Effect.gen(function* () {
          const found = drafts.find(({ draft }) => draft.position === record.position)
          // WHY: another kind has another type, and the attestation must keep its own.
          if (found?.draft.kind !== record.kind) return Option.none<Judged>()
          const { facts, flows, state, verification } = found.draft
          const again = { ...record, facts, flows, state, verification }
          const request = { name: attestation.name, typeName: typeNameOf(record, attestation) }
          const target = { fingerprint: attestation.fingerprint, flow, beside: [] }
          const content = { document: again, scanned: VexScope.of(found, target) }
          const judgement = yield* decide(granted, content, request)
          return Option.some<Judged>({ record: again, judgement })
        }).pipe(Effect.catchTag("AttestationTypeNotFound", () => Effect.succeedNone))

      /** The judgements of attestations, by what they depend on. */
      const decideAll = Effect.fnUntraced(function* (
        granted: GrantedWithin,
        trust: TrustPolicyDocument,
        linked: ReadonlyArray<Linked>
      ) {
        const read = new Map<FlowName | null, ReadonlyArray<EvidenceReading.ReadDraft>>()
        const judged = new Map<string, Option.Option<Judged>>()
        for (const each of linked) {
          const flow = ruledFlow(trust, each.view.flow)
          const drafts = read.get(flow) ?? (yield* readAgain(each.record, trust, flow))
          read.set(flow, drafts)
          const key = keyOf(trust, each)
          if (!judged.has(key)) judged.set(key, yield* decideFor(granted, each, drafts))
        }
        return judged
      })

      /** Whether no other attestation has followed one of its name and target. */
      const isInForce = (org: OrgId, attestation: Attestation.Attestation) =>
        Effect.map(attestations.listFacts(org, attestation.trail_id), (facts) => {
          const [newest] = Attestation.ofTarget(facts, attestation)
          return newest?.id === attestation.id
        })

      /** Makes an attestation again if it comes out otherwise. */
      const renew = Effect.fnUntraced(function* (
        { org, orgId }: Access.Granted,
        { view: { attestation, flow, trail } }: Linked,
        { event, judged }: { readonly event: TrailEvent; readonly judged: Judged }
      ) {
        const place = { org, event, fingerprint: attestation.fingerprint }
        const document = { ...judged, remarks: remarksOf(attestation) }
        const isRenewed =
          isOtherwise(attestation, EvidenceAttestations.reportOf(document, place)) &&
          (yield* isInForce(orgId, attestation))
        return isRenewed
          ? yield* attestAgain(event.writer, document, place)
          : { flow, trail, fact: attestation, isCreated: false }
      })

      /**
       * Judges the documents of a file again. An attestation that another one of its name and target has followed, such
       * as an override or newer evidence, is left as it is.
       */
      const judge = Effect.fn("EvidenceJudgements.judge")(function* ({
        digest,
        org
      }: EvidencePath) {
        const granted = yield* reaches.authorize(org, "evidence.write")
        const { orgId } = granted
        const records = yield* store.listByDigest(orgId, digest)
        // The content is gone after an erasure; the document still names it.
        if (records.length === 0 || !(yield* contents.has({ org: orgId, fingerprint: digest })))
          return yield* new EvidenceDocumentNotFound({ org, digest })
        const trust = yield* trustOf(orgId)
        const judgements = yield* decideAll(granted, trust, yield* reachedOf(granted, records))
        return yield* transaction.run(orgId, (scope) =>
          Effect.gen(function* () {
            yield* store.lockFile(orgId, digest)
            const known = yield* reachedOf(granted, records)
            const writer = WriteContext.make(granted, yield* scope.now)
            const trails = [...new Set(known.map(({ view }) => view.attestation.trail_id))]
            const events = yield* lockTrails(granted, trails, writer)
            // WHY again: reports may have added attestations before their trails were locked.
            const linked = yield* reachedOf(granted, records)
            const made = yield* Effect.forEach(linked, (each) => {
              const { attestation: fact, flow, trail } = each.view
              const event = events.get(fact.trail_id)
              const judged = Option.getOrUndefined(
                judgements.get(keyOf(trust, each)) ?? Option.none()
              )
              return event === undefined || judged === undefined
                ? Effect.succeed({ flow, trail, fact, isCreated: false })
                : renew(granted, each, { event, judged })
            })
            return { attestations: made } satisfies Judgement
          })
        )
      })

      return { judge } as const
    })
  }
) {}
