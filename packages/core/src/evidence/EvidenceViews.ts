/** Reads accepted evidence: lists of documents, a document with its attestations, and the bytes of files. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
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
    const contents = yield* AttachmentStore
    const attestations = yield* AttestationStore
    const { named } = yield* AttestationLookup.make

    const read = (org: OrgName) =>
      Effect.flatMap(CurrentActor, (actor) => Access.authorize(actor, org, "org.read"))

    const viewOf = (record: EvidenceRecord) =>
      Effect.gen(function* () {
        const { digest, org_id: org, position } = record
        const ids = yield* store.listLinks({ org, digest, position })
        const found = yield* attestations.listByIds(org, ids)
        const inOrder = [...found].sort((left, right) => left.sequence - right.sequence)
        return { record, attestations: yield* named(org, inOrder) } satisfies EvidenceView
      })

    /** One page of the documents that pass the query, newest first. */
    const list = Effect.fn("EvidenceViews.list")(function* (
      org: OrgName,
      query: EvidenceQuery,
      page: Page
    ) {
      const { orgId } = yield* read(org)
      const { items, total } = yield* store.list(orgId, query, page)
      return { items: yield* Effect.forEach(items, viewOf), total }
    })

    /** The document at a place of a file. */
    const get = Effect.fn("EvidenceViews.get")(function* (
      { digest, org }: EvidencePath,
      position: number
    ) {
      const { orgId } = yield* read(org)
      const found = yield* Effect.flatMap(
        store.find({ org: orgId, digest, position }),
        Either.fromOption(() => new EvidenceDocumentNotFound({ org, digest }))
      )
      return yield* viewOf(found)
    })

    /** The bytes of a file as they were sent. */
    const raw = Effect.fn("EvidenceViews.raw")(function* ({ digest, org }: EvidencePath) {
      const { orgId } = yield* read(org)
      const key = { org: orgId, fingerprint: digest }
      const [first] = yield* store.listByDigest(orgId, digest)
      // The content is gone after an erasure; the document still names it.
      if (first === undefined || !(yield* contents.has(key)))
        return yield* new EvidenceDocumentNotFound({ org, digest })
      return { filename: first.filename, size: first.size, content: contents.read(key) }
    })

    return { list, get, raw } as const
  })
}) {}
