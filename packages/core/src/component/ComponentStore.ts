/** Port: components, the documents that list them for artifacts, and their vulnerabilities; append-only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { EnvironmentId, FlowId, OrgId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type {
  Component,
  ComponentId,
  ComponentListing,
  ComponentSet,
  ComponentUse,
  StoredComponent,
  VulnerableComponent
} from "./Component.js"
import type { Purl } from "./Purl.js"

/** Which components are listed; all given conditions must hold. */
export interface ComponentQuery {
  /** This package, in this version if there is one. */
  readonly purl?: Purl
  /** Names begin with this text. */
  readonly search?: string
  /** A document about this artifact lists it. */
  readonly fingerprint?: Fingerprint
  /** Only components that documents of these flows list, in the artifacts that these are about. */
  readonly flows?: ReadonlyArray<FlowId>
  /** Only these environments are named. */
  readonly environments?: ReadonlyArray<EnvironmentId>
}

/** The components of a question that an artifact contains, by their purls. */
export interface ContainedComponents {
  readonly fingerprint: Fingerprint
  /** In ascending order; at most the asked number. */
  readonly purls: ReadonlyArray<string>
}

/** Artifacts, and the components that are looked for in them. */
export interface ContainedQuery {
  readonly fingerprints: ReadonlyArray<Fingerprint>
  readonly components: ReadonlyArray<ComponentId>
  /** The most purls of an artifact. */
  readonly limit: number
  /** Only what documents of these flows list. */
  readonly flows?: ReadonlyArray<FlowId>
}

/** Port: components. */
export class ComponentStore extends Context.Tag("@attestry/core/ComponentStore")<
  ComponentStore,
  {
    /**
     * Adds the components that the org does not have; returns the ids of all, in the order of the given ones.
     *
     * The calls of a transaction give at most `SLICE_MAX` components each, all in ascending order of purls, so that no
     * two transactions wait for each other.
     */
    readonly put: (
      org: OrgId,
      components: ReadonlyArray<Component>
    ) => Effect.Effect<ReadonlyArray<ComponentId>, StoreError>
    /** Whether there is a set with this digest. */
    readonly hasSet: (org: OrgId, digest: string) => Effect.Effect<boolean, StoreError>
    /** Adds a set; does nothing when there is one with its digest. */
    readonly putSet: (org: OrgId, set: ComponentSet) => Effect.Effect<void, StoreError>
    /** Adds a document that lists components of an artifact; does nothing when it is there or its set is not. */
    readonly appendListing: (listing: ComponentListing) => Effect.Effect<void, StoreError>
    /**
     * Adds those that the org does not have. The calls of a transaction give at most `SLICE_MAX` each, all in ascending
     * order of vulnerability and purl.
     */
    readonly addVulnerable: (
      named: ReadonlyArray<VulnerableComponent>
    ) => Effect.Effect<void, StoreError>
    /** One page of the components that pass the query, in ascending order of name, type and purl. */
    readonly list: (
      org: OrgId,
      query: ComponentQuery,
      page: Page
    ) => Effect.Effect<Paged<ComponentUse>, StoreError>
    /** All versions of a package, in ascending order of purls. */
    readonly listVersions: (
      org: OrgId,
      purl: Pick<Purl, "type" | "name">
    ) => Effect.Effect<ReadonlyArray<StoredComponent>, StoreError>
    /** The components that evidence names with a vulnerability, in ascending order of ids. */
    readonly listVulnerable: (
      org: OrgId,
      vulnerability: string
    ) => Effect.Effect<ReadonlyArray<VulnerableComponent>, StoreError>
    /** The asked components of artifacts, in any order; no artifact without one. */
    readonly listContained: (
      org: OrgId,
      query: ContainedQuery
    ) => Effect.Effect<ReadonlyArray<ContainedComponents>, StoreError>
  }
>() {}
