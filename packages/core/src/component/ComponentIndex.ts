/**
 * Decides which rows of the index follow from the documents of a file.
 *
 * Computations pause by themselves: a bill of materials can have 200,000 components.
 */

import * as Schema from "effect/Schema"
import { SEVERITIES, type Severity } from "../evidence/EvidenceFacts.js"
import type { ReadDocument } from "../evidence/EvidenceReader.js"
import type { EvidenceRecord } from "../evidence/EvidenceRecord.js"
import * as SubjectLinks from "../evidence/SubjectLinks.js"
import * as Slices from "../shared/Slices.js"
import * as StorableText from "../shared/StorableText.js"
import { type Component, type ComponentListing, ComponentType } from "./Component.js"
import * as Purl from "./Purl.js"

/** The most components of one call of the store. */
export const SLICE_MAX = 1_000
/** The most characters of the purl of a component that is indexed. The key of an index has 2,704 bytes at most. */
export const PURL_CHARACTERS_MAX = Purl.CHARACTERS_MAX
/** The most characters of the name of a vulnerability that is indexed. */
export const VULNERABILITY_CHARACTERS_MAX = 256

/** What the index has of a document. */
export type IndexedDocument = Pick<ReadDocument, "components" | "findings">

/** A vulnerability that a document names with a component. */
export interface NamedVulnerability {
  readonly vulnerability: string
  readonly purl: string
  readonly severity: Severity
  /** The place of the first document that names it, from 0. */
  readonly document: number
}

/** The document that lists components, and the digest of its set. */
export type DocumentListing = Pick<ComponentListing, "kind" | "set_digest">

/**
 * What a document lists components as; undefined for one that lists none. Provenance lists images of an artifact if a
 * SHA-256 is among its subjects. Its facts do not name a set, so that the set has the name of the document.
 */
export const listingOf = ({
  digest,
  facts,
  position,
  subjects
}: Pick<EvidenceRecord, "digest" | "facts" | "position" | "subjects">):
  | DocumentListing
  | undefined => {
  if (facts.kind === "sbom") return { kind: "sbom", set_digest: facts.set_sha256 }
  return facts.kind === "provenance" && SubjectLinks.fingerprintsOf(subjects).length > 0
    ? { kind: "provenance", set_digest: `provenance:${digest}:${position}` }
    : undefined
}

const isType = Schema.is(ComponentType)

const isIndexed = ({ name, purl, type, version }: Component): boolean =>
  isType(type) &&
  purl.length <= PURL_CHARACTERS_MAX &&
  !StorableText.isUnstorable(purl) &&
  !StorableText.isUnstorable(`${name}${version ?? ""}`)

const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** The component of a purl in a finding; undefined for one that is not indexed. */
const componentOf = (purl: string): Component | undefined => {
  const parsed = Purl.parse(purl)
  return parsed._tag === "Right" ? { purl, ...parsed.right } : undefined
}

/** The components of documents and findings that are indexed, each once, in ascending order of purls. */
export function* componentsOf(
  documents: ReadonlyArray<IndexedDocument>
): Generator<void, ReadonlyArray<Component>> {
  const byPurl = new Map<string, Component>()
  for (const { components, findings } of documents) {
    for (const { name, purl, type, version } of components) {
      yield
      const component = { purl, type, name, version }
      if (isIndexed(component)) byPurl.set(purl, component)
    }
    for (const { purl } of findings) {
      yield
      const component = purl === null || byPurl.has(purl) ? undefined : componentOf(purl)
      if (component !== undefined && isIndexed(component)) byPurl.set(component.purl, component)
    }
  }
  return yield* Slices.sort([...byPurl.values()], (left, right) => byText(left.purl, right.purl))
}

const RANKS: ReadonlyMap<Severity, number> = new Map(
  [...SEVERITIES, "unknown" as const].map((severity, rank) => [severity, rank])
)

const isWorse = (one: Severity, other: Severity): boolean =>
  (RANKS.get(one) ?? 0) < (RANKS.get(other) ?? 0)

const isNamed = (vulnerability: string): boolean =>
  vulnerability.length <= VULNERABILITY_CHARACTERS_MAX &&
  vulnerability !== "" &&
  !StorableText.isUnstorable(vulnerability)

/**
 * The vulnerabilities that findings name with components, each pair once with its highest severity, in ascending order
 * of vulnerability and purl.
 */
export function* vulnerabilitiesOf(
  documents: ReadonlyArray<IndexedDocument>
): Generator<void, ReadonlyArray<NamedVulnerability>> {
  const named = new Map<string, NamedVulnerability>()
  for (const [document, { findings }] of documents.entries())
    for (const { id, purl, severity } of findings) {
      yield
      if (purl === null || !isNamed(id)) continue
      const key = `${id}\n${purl}`
      const known = named.get(key)
      if (known === undefined || isWorse(severity, known.severity))
        named.set(key, { document, vulnerability: id, ...known, purl, severity })
    }
  return yield* Slices.sort(
    [...named.values()],
    (left, right) =>
      byText(left.vulnerability, right.vulnerability) || byText(left.purl, right.purl)
  )
}
