/** Reads accepted evidence: lists of documents, a document with its attestations, and the bytes of files. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import { AttachmentStore } from "../attestation/AttachmentStore.js"
import { AttestationStore } from "../attestation/AttestationStore.js"
import type { AttestationView } from "../compliance/AttestationViews.js"
import * as AttestationLookup from "../compliance/internal/AttestationLookup.js"
import type { OrgName } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import { EvidenceDocumentNotFound, type EvidenceRecord } from "./EvidenceRecord.js"
import { type EvidenceQuery, EvidenceStore } from "./EvidenceStore.js"

/** A document with its attestations. */
export interface EvidenceView {
  readonly record: EvidenceRecord
  readonly attestations: ReadonlyArray<AttestationView>
}

/** The place of a document by the name of its org. */
export interface EvidencePath {
  readonly org: OrgName
  readonly digest: Fingerprint
}

/** Use cases of reading accepted evidence. */
export class EvidenceViews extends Effect.Service<EvidenceViews>()("@attestry/core/EvidenceViews", {
  effect: Effect.gen(function* () {
    const store = yield* EvidenceStore
    const reaches = yield* Reaches
    const contents = yield* AttachmentStore
    const attestations = yield* AttestationStore
    const { named } = yield* AttestationLookup.make

    const read = (org: OrgName) => reaches.authorize(org, "org.read")

    /** A document with its attestations in readable flows. */
    const viewOf = (granted: GrantedWithin, record: EvidenceRecord) =>
      Effect.gen(function* () {
        const { digest, org_id: org, position } = record
        const ids = yield* store.listLinks({ org, digest, position })
        const found = yield* reaches.keepReadable(granted, {
          kind: "flow",
          things: yield* attestations.listByIds(org, ids),
          idOf: ({ flow_id }) => flow_id
        })
        const inOrder = [...found].sort((left, right) => left.sequence - right.sequence)
        return { record, attestations: yield* named(org, inOrder) } satisfies EvidenceView
      })

    /** Whether a caller reads a document: the whole org, or a flow that has an attestation of it. */
    const isReadable = (granted: GrantedWithin, record: EvidenceRecord) =>
      granted.readable._tag === "Whole"
        ? Effect.succeed(true)
        : Effect.map(viewOf(granted, record), (view) => view.attestations.length > 0)

    /** One page of the documents that pass the query, newest first. */
    const list = Effect.fn("EvidenceViews.list")(function* (
      org: OrgName,
      query: EvidenceQuery,
      page: Page
    ) {
      const granted = yield* read(org)
      const shown = { ...query, ...(yield* reaches.readableFlows(granted)) }
      const { items, total } = yield* store.list(granted.orgId, shown, page)
      return { items: yield* Effect.forEach(items, (item) => viewOf(granted, item)), total }
    })

    /** The document at a place of a file. */
    const get = Effect.fn("EvidenceViews.get")(function* (
      { digest, org }: EvidencePath,
      position: number
    ) {
      const granted = yield* read(org)
      const notFound = () => new EvidenceDocumentNotFound({ org, digest })
      const found = yield* Effect.flatMap(
        store.find({ org: granted.orgId, digest, position }),
        Either.fromOption(notFound)
      )
      const view = yield* viewOf(granted, found)
      const isHidden = granted.readable._tag === "Part" && view.attestations.length === 0
      return isHidden ? yield* notFound() : view
    })

    /** The bytes of a file as they were sent. */
    const raw = Effect.fn("EvidenceViews.raw")(function* ({ digest, org }: EvidencePath) {
      const granted = yield* read(org)
      const key = { org: granted.orgId, fingerprint: digest }
      const all = yield* store.listByDigest(granted.orgId, digest)
      const [first] = yield* Effect.filter(all, (record) => isReadable(granted, record))
      // The content is gone after an erasure; the document still names it.
      if (first === undefined || !(yield* contents.has(key)))
        return yield* new EvidenceDocumentNotFound({ org, digest })
      return { filename: first.filename, size: first.size, content: contents.read(key) }
    })

    return { list, get, raw } as const
  })
}) {}
