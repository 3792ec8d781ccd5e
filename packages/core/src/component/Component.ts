/**
 * Components of bills of materials and of findings, and what is stored about them.
 *
 * Everything here follows from the bytes of accepted evidence files, and nothing of it changes.
 */
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { Severity } from "../evidence/EvidenceFacts.js"
import { AttestationId, EnvironmentName, OrgId } from "../shared/Identifier.js"

/** The id of a component; one sequence for all orgs. */
export const ComponentId = Schema.Int.pipe(Schema.brand("ComponentId"))
/** The id of a component. */
export type ComponentId = typeof ComponentId.Type

/** The type of a purl, such as `npm`. */
export const ComponentType = Schema.String.pipe(Schema.pattern(/^[a-z][a-z0-9.+-]*$/))

/** A component with a purl. */
export const Component = Schema.Struct({
  /** Without qualifiers and subpath; the key of the component in its org. */
  purl: Schema.String,
  type: ComponentType,
  /** With its namespace. */
  name: Schema.String,
  version: Schema.NullOr(Schema.String)
})
/** A component with a purl. */
export type Component = typeof Component.Type

/** A component of an org. */
export const StoredComponent = Schema.Struct({ id: ComponentId, ...Component.fields })
/** A component of an org. */
export type StoredComponent = typeof StoredComponent.Type

/** The fewest characters by which names are searched. */
export const SEARCH_CHARACTERS_MIN = 3
/** The most characters by which names are searched. */
export const SEARCH_CHARACTERS_MAX = 256

/** A component with the artifacts that contain it. */
export const ComponentUse = Schema.Struct({
  ...StoredComponent.fields,
  /** How many artifacts contain it. */
  artifacts: Schema.Int,
  /** The environments in which one of them runs, by name. */
  running_in: Schema.Array(EnvironmentName)
})
/** A component with the artifacts that contain it. */
export type ComponentUse = typeof ComponentUse.Type

/** The components that a document lists. Bills of materials of the same components share a set. */
export interface ComponentSet {
  /** The SHA-256 of the sorted purls of a bill of materials; for provenance a name that its document alone has. */
  readonly digest: string
  /** Ascending, each once. */
  readonly components: ReadonlyArray<ComponentId>
}

/** A document about an artifact that lists components of it. */
export const ComponentListing = Schema.Struct({
  org_id: OrgId,
  /** The kind of the document: a bill of materials, or provenance that names images. */
  kind: Schema.Literal("sbom", "provenance"),
  /** The digest of its set. */
  set_digest: Schema.String,
  fingerprint: Fingerprint,
  attestation_id: AttestationId,
  /** The position of the attestation in the org's journal. */
  sequence: Schema.Int
})
/** A document about an artifact that lists components of it. */
export type ComponentListing = typeof ComponentListing.Type

/** A component that accepted evidence names with a vulnerability; the first document that did. */
export const VulnerableComponent = Schema.Struct({
  org_id: OrgId,
  vulnerability: Schema.String,
  component_id: ComponentId,
  severity: Severity,
  /** The file. */
  digest: Fingerprint,
  /** The position of its document in the org's journal. */
  sequence: Schema.Int
})
/** A component that accepted evidence names with a vulnerability. */
export type VulnerableComponent = typeof VulnerableComponent.Type
