/** Serves the operations of evidence files. */
import {
  type AcceptedEvidence,
  EvidenceApi,
  type ListEvidence,
  type ListedEvidence,
  type SubmitEvidence
} from "@attestry/api/EvidenceApi"
import { type BadRequest, invalid } from "@attestry/api/HttpError"
import { toWire as typeToWire } from "@attestry/core/AttestationTypePattern"
import type { AttestationView } from "@attestry/core/AttestationViews"
import { EvidenceJudgements } from "@attestry/core/EvidenceJudgements"
import type { EvidenceRecord } from "@attestry/core/EvidenceRecord"
import {
  type AcceptedDocument,
  type EvidenceSubmission,
  Evidences,
  type MadeAttestation
} from "@attestry/core/Evidences"
import { type EvidenceView, EvidenceViews } from "@attestry/core/EvidenceViews"
import type { OrgName } from "@attestry/core/Identifier"
import * as SubjectLinks from "@attestry/core/SubjectLinks"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { created, ok } from "../../shared/HttpMessage.js"
import { disposition } from "../../shared/internal/ContentDisposition.js"
import { group } from "../../shared/internal/Handlers.js"
import { counters, pageOf } from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

/** The name of a file that has none. */
const FILENAME = "evidence"

const REQUIRED = "Field required: `flow_name` and `trail_name` go together [input: None]"

const submissionOf = (
  query: typeof SubmitEvidence.Type,
  filename: string
): Either.Either<EvidenceSubmission, BadRequest> => {
  const { flow_name: flow, trail_name: name } = query
  if (flow === undefined && name !== undefined)
    return Either.left(invalid({ "query.flow_name": REQUIRED }))
  if (flow !== undefined && name === undefined)
    return Either.left(invalid({ "query.trail_name": REQUIRED }))
  return Either.right({
    trail: flow === undefined || name === undefined ? null : { flow, name },
    fingerprint: query.fingerprint ?? null,
    name: query.name ?? null,
    typeName: query.type_name ?? null,
    filename: query.filename ?? (filename === "" ? FILENAME : filename),
    remarks: {
      ...(query.origin_url === undefined ? {} : { origin_url: query.origin_url }),
      ...(query.description === undefined ? {} : { description: query.description })
    },
    isVerifiedOnly: query.require !== undefined
  })
}

const documentOf = ({ digest, facts, kind, position, subjects, verification }: EvidenceRecord) => ({
  digest,
  position,
  kind,
  format: facts.format,
  verification,
  subject_count: subjects.length
})

const createdOf = ({ fact, flow, isCreated, trail }: MadeAttestation) => ({
  flow_name: flow,
  trail_name: trail,
  artifact_fingerprint: fact.fingerprint,
  attestation_id: fact.id,
  attestation_name: fact.name,
  attestation_type: typeToWire(fact.type),
  is_compliant: fact.isCompliant,
  created: isCreated
})

const acceptedOf = ({
  attestations,
  record,
  waiting
}: AcceptedDocument): (typeof AcceptedEvidence.Type)["documents"][number] => ({
  ...documentOf(record),
  waiting,
  links: attestations.map(createdOf)
})

const linkOf = ({ attestation, flow, trail }: AttestationView) => ({
  flow_name: flow,
  trail_name: trail,
  artifact_fingerprint: attestation.fingerprint,
  attestation_id: attestation.id,
  attestation_name: attestation.name,
  attestation_type: typeToWire(attestation.type),
  is_compliant: attestation.isCompliant
})

const listedOf =
  (base: string, org: OrgName) =>
  ({ attestations, record }: EvidenceView): typeof ListedEvidence.Type => {
    const self = `${base}/api/v2/evidence/${encodeURIComponent(org)}/${record.digest}`
    const linked = new Set<string | null>(
      attestations.map(({ attestation }) => attestation.fingerprint)
    )
    return {
      ...documentOf(record),
      predicate_type: record.predicate_type,
      size: record.size,
      filename: record.filename,
      accepted_at: record.accepted_at,
      accepted_by: record.accepted_by,
      subjects: record.facts.subjects.map((subject) => {
        const [own = null] = SubjectLinks.fingerprintsOf([subject])
        return { ...subject, linked: linked.has(own) }
      }),
      links: attestations.map(linkOf),
      _links: {
        self: { href: record.position === 1 ? self : `${self}?position=${record.position}` },
        raw: { href: `${self}/raw` }
      }
    }
  }

const queryOf = (query: typeof ListEvidence.Type) => ({
  ...(query.kind === undefined ? {} : { kind: query.kind }),
  ...(query.state === undefined ? {} : { state: query.state }),
  ...(query.fingerprint === undefined ? {} : { fingerprint: query.fingerprint }),
  ...(query.predicate_type === undefined ? {} : { predicateType: query.predicate_type }),
  ...(query.waiting === undefined ? {} : { isWaiting: query.waiting })
})

/** Serves the operations of evidence files. */
export const EvidenceHandlers = group(
  EvidenceApi,
  Effect.gen(function* () {
    const evidences = yield* Evidences
    const judgements = yield* EvidenceJudgements
    const views = yield* EvidenceViews
    const base = yield* PublicUrl

    return {
      submit: ({ files: [file], path, urlParams }) =>
        Effect.gen(function* () {
          // INVARIANT: the body of the operation has exactly one file.
          if (file === undefined) return yield* invalid({ file: "Field required [input: None]" })
          const submission = yield* submissionOf(urlParams, file.filename)
          const found = yield* evidences.accept(path.org, file, submission)
          const { documents, ignored, isRecorded } = found
          const value = { documents: documents.map(acceptedOf), ignored }
          return isRecorded ? created(value) : ok(value)
        }).pipe(toWire),
      list: ({ incoming, path, urlParams }) => {
        const page = pageOf(urlParams)
        return views.list(path.org, queryOf(urlParams), page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({
              ...counters(base, incoming, { total, page }),
              documents: items.map(listedOf(base, path.org))
            })
          )
        )
      },
      get: ({ path, urlParams }) =>
        views.get(path, urlParams.position ?? 1).pipe(
          toWire,
          Effect.map((view) => ok({ ...listedOf(base, path.org)(view), facts: view.record.facts }))
        ),
      raw: ({ path }) =>
        views.raw(path).pipe(
          toWire,
          Effect.map(({ content, filename, size }) => ({
            status: 200,
            stream: content,
            // P-OUT: a browser must not render a file that a client has sent.
            headers: {
              "content-type": "application/octet-stream",
              "content-length": String(size),
              "content-disposition": disposition(filename),
              "x-content-type-options": "nosniff"
            }
          }))
        ),
      judge: ({ path }) =>
        judgements.judge(path).pipe(
          toWire,
          Effect.map(({ attestations }) =>
            ok({
              links: attestations.map(createdOf),
              changed: attestations.filter(({ isCreated }) => isCreated).length
            })
          )
        )
    }
  })
)
