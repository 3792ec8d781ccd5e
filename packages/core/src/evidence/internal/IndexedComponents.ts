/**
 * Writes the components and vulnerabilities of new documents into the index, in the transaction that accepts them.
 *
 * Rows follow from the bytes of the file alone. A document that lists components is connected to an artifact with its
 * attestation, which a report can make long after this: `EvidenceAttestations` does that by the digest of the set.
 */
import * as Effect from "effect/Effect"
import type { ComponentId } from "../../component/Component.js"
import * as ComponentIndex from "../../component/ComponentIndex.js"
import { ComponentStore } from "../../component/ComponentStore.js"
import type { OrgId } from "../../shared/Identifier.js"
import * as Slices from "../../shared/Slices.js"
import type { EvidenceRecord } from "../EvidenceRecord.js"
import type { Draft } from "./EvidenceReading.js"

/** The ids of components by their purls. */
type Ids = ReadonlyMap<string, ComponentId>

/** The components that a document lists, and the digest of their set. */
interface ReadSet extends Pick<ComponentIndex.IndexedDocument, "components"> {
  readonly digest: string
}

/** A document with what the index has of it. */
export interface IndexedDraft extends ComponentIndex.IndexedDocument {
  readonly draft: Draft
}

/** The listing of a document; provenance without images makes none. */
const listingOf = ({ components, draft }: IndexedDraft) => {
  const listing = ComponentIndex.listingOf(draft)
  return listing?.kind === "provenance" && components.length === 0 ? undefined : listing
}

/** Writes the index. */
export const make = Effect.gen(function* () {
  const store = yield* ComponentStore

  const putAll = (org: OrgId, indexed: ReadonlyArray<ComponentIndex.IndexedDocument>) =>
    Effect.gen(function* () {
      const components = yield* Slices.run(() => ComponentIndex.componentsOf(indexed))
      const ids = new Map<string, ComponentId>()
      for (const slice of Slices.partsOf(components, ComponentIndex.SLICE_MAX)) {
        // WHY: a store in memory adds all slices without a turn of the event loop.
        yield* Slices.between(components.length)
        const given = yield* store.put(org, slice)
        for (const [at, { purl }] of slice.entries()) {
          const id = given[at]
          if (id !== undefined) ids.set(purl, id)
        }
      }
      return ids
    })

  const putSet = (org: OrgId, { components: read, digest }: ReadSet, ids: Ids) =>
    Effect.gen(function* () {
      const components = yield* Slices.run(function* () {
        const found = new Set<ComponentId>()
        for (const { purl } of read) {
          yield
          const id = ids.get(purl)
          if (id !== undefined) found.add(id)
        }
        return yield* Slices.sort([...found], (left, right) => left - right)
      })
      yield* store.putSet(org, { digest, components })
    })

  /** Adds the components of documents, and the sets that the org does not have; returns ids of components. */
  const keep = Effect.fnUntraced(function* (org: OrgId, documents: ReadonlyArray<IndexedDraft>) {
    const isNew = (document: IndexedDraft) => {
      const listing = listingOf(document)
      return listing?.kind === "sbom"
        ? Effect.map(store.hasSet(org, listing.set_digest), (isKnown) => !isKnown)
        : Effect.succeed(true)
    }
    const fresh = yield* Effect.filter(documents, isNew)
    const ids = yield* putAll(
      org,
      fresh.map((each) => (listingOf(each) === undefined ? { ...each, components: [] } : each))
    )
    for (const document of fresh) {
      const { components } = document
      const listing = listingOf(document)
      if (listing !== undefined) yield* putSet(org, { components, digest: listing.set_digest }, ids)
    }
    return ids
  })

  /** Adds the vulnerabilities that recorded documents name with components; documents have the places of records. */
  const keepVulnerable = Effect.fnUntraced(function* (
    records: ReadonlyArray<EvidenceRecord>,
    documents: ReadonlyArray<IndexedDraft>,
    ids: Ids
  ) {
    const named = yield* Slices.run(() => ComponentIndex.vulnerabilitiesOf(documents))
    for (const slice of Slices.partsOf(named, ComponentIndex.SLICE_MAX)) {
      yield* Slices.between(named.length)
      const rows = slice.flatMap(({ document, purl, severity, vulnerability }) => {
        const record = records[document]
        const component_id = ids.get(purl)
        if (component_id === undefined || record === undefined) return []
        const { digest, org_id, sequence } = record
        return [{ org_id, vulnerability, component_id, severity, digest, sequence }]
      })
      yield* store.addVulnerable(rows)
    }
  })

  return { keep, keepVulnerable } as const
})
