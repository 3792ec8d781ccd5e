/** `EvidenceStore` in memory. A transaction is the only writer, so nothing needs a lock. */
import type { Artifact } from "@attestry/core/Artifact"
import type {
  DocumentKey,
  EvidenceLink,
  EvidenceRecord,
  EvidenceSubject,
  EvidenceTarget
} from "@attestry/core/EvidenceRecord"
import { type DocumentOfOrg, type EvidenceQuery, EvidenceStore } from "@attestry/core/EvidenceStore"
import type { Fingerprint } from "@attestry/core/Fingerprint"
import type { FlowId, OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { artifacts } from "../artifact/ArtifactStoreMemory.js"
import { attestations } from "../attestation/AttestationStoreMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

const documents = table<EvidenceRecord>("evidence_document")
const subjects = table<EvidenceSubject>("evidence_subject")
const links = table<EvidenceLink>("evidence_link")

const isOf =
  ({ digest, org, position }: DocumentOfOrg) =>
  (row: DocumentKey & { readonly org_id: OrgId }): boolean =>
    row.org_id === org && row.digest === digest && row.position === position

const compare = (left: string | number, right: string | number): number =>
  left < right ? -1 : left > right ? 1 : 0

const bySubject = (left: EvidenceSubject, right: EvidenceSubject): number =>
  compare(left.digest, right.digest) ||
  left.position - right.position ||
  compare(left.name, right.name)

const byTarget = (left: EvidenceTarget, right: EvidenceTarget): number =>
  compare(left.trail_id, right.trail_id) || compare(left.fingerprint, right.fingerprint)

/** The newest record of a fingerprint in each flow. */
const newestOf = (
  records: ReadonlyArray<Artifact>,
  fingerprint: Fingerprint
): ReadonlyArray<EvidenceTarget> => {
  const newest = new Map<string, Artifact>()
  for (const record of records) {
    const known = newest.get(record.flow_id)
    const isOlder = known !== undefined && known.sequence > record.sequence
    if (record.fingerprint === fingerprint && !isOlder) newest.set(record.flow_id, record)
  }
  return Array.from(newest.values(), ({ flow_id, trail_id }) => ({
    fingerprint,
    flow_id,
    trail_id
  }))
}

/** `EvidenceStore` in memory. */
export const layer: Layer.Layer<EvidenceStore, never, MemoryState> = Layer.effect(
  EvidenceStore,
  Effect.gen(function* () {
    const rows = yield* MemoryRows.make(documents)
    const subjectRows = yield* MemoryRows.make(subjects)
    const linkRows = yield* MemoryRows.make(links)
    const reported = yield* MemoryRows.make(artifacts)
    const attested = yield* MemoryRows.make(attestations)

    const ofOrg = (org: OrgId) =>
      Effect.map(rows.values, (all) => all.filter(({ org_id }) => org_id === org))

    const artifactsOf = (org: OrgId) =>
      Effect.map(reported.values, (all) => all.flat().filter(({ org_id }) => org_id === org))

    const attestationsOf = (org: OrgId) =>
      Effect.map(attested.values, (all) => all.flat().filter(({ org_id }) => org_id === org))

    /** The condition of a query. */
    const passes = (org: OrgId, query: EvidenceQuery) =>
      Effect.gen(function* () {
        const isOfFlow = ({ flow_id }: { readonly flow_id: FlowId }) =>
          query.flows === undefined || query.flows.includes(flow_id)
        const records = (yield* artifactsOf(org)).filter(isOfFlow)
        const known = new Set(records.map(({ fingerprint }) => fingerprint))
        const about = new Map(
          (yield* attestationsOf(org)).filter(isOfFlow).map((each) => [each.id, each])
        )
        const allSubjects = yield* subjectRows.values
        const allLinks = yield* linkRows.values
        return ({ digest, kind, position, predicate_type, state }: EvidenceRecord): boolean => {
          const own = isOf({ org, digest, position })
          const ownSubjects = allSubjects.filter(own)
          const prints = [
            ...ownSubjects.map(({ fingerprint }) => fingerprint),
            ...allLinks
              .filter(own)
              .map(({ attestation_id }) => about.get(attestation_id)?.fingerprint)
          ]
          const isLinked = allLinks
            .filter(own)
            .some(({ attestation_id }) => about.has(attestation_id))
          const isWaiting = ownSubjects.some(({ fingerprint }) => !known.has(fingerprint))
          return (
            (query.kind ?? kind) === kind &&
            (query.state ?? state) === state &&
            (query.predicateType ?? predicate_type) === predicate_type &&
            (query.fingerprint === undefined || prints.includes(query.fingerprint)) &&
            (query.isWaiting ?? isWaiting) === isWaiting &&
            (query.flows === undefined || isLinked)
          )
        }
      })

    return EvidenceStore.of({
      listByDigest: (org, digest) =>
        Effect.map(ofOrg(org), (all) =>
          all
            .filter((each) => each.digest === digest)
            .sort((left, right) => left.position - right.position)
        ),
      find: ({ digest, org, position }) => rows.find(key(org, digest, position)),
      list: (org, query, page) =>
        Effect.zipWith(ofOrg(org), passes(org, query), (all, isWanted) =>
          Page.slice(
            all.filter(isWanted).sort((left, right) => right.sequence - left.sequence),
            page
          )
        ),
      lockFile: () => Effect.void,
      append: (record) => rows.set(key(record.org_id, record.digest, record.position), record),
      addSubjects: (org, given) =>
        Effect.filter(given, (subject) => {
          const { digest, fingerprint, name, position } = subject
          return subjectRows.insert(key(org, fingerprint, digest, position, name), subject)
        }),
      holdSubjects: (org, fingerprint) =>
        Effect.map(subjectRows.values, (all) =>
          all
            .filter((each) => each.org_id === org && each.fingerprint === fingerprint)
            .sort(bySubject)
        ),
      listTargets: (org, fingerprints) =>
        Effect.map(artifactsOf(org), (all) =>
          fingerprints.flatMap((fingerprint) => newestOf(all, fingerprint)).sort(byTarget)
        ),
      appendLink: (link) =>
        linkRows.set(key(link.org_id, link.digest, link.position, link.attestation_id), link),
      listLinks: (of) =>
        Effect.gen(function* () {
          const all = yield* linkRows.values
          const mine = new Set(all.filter(isOf(of)).map(({ attestation_id }) => attestation_id))
          return (yield* attestationsOf(of.org))
            .filter(({ id }) => mine.has(id))
            .sort((left, right) => left.sequence - right.sequence)
            .map(({ id }) => id)
        })
    })
  })
)
