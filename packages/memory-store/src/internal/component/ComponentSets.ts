/** The sets of components in memory, and which artifacts have them. */
import type { ComponentListing, ComponentSet } from "@attestry/core/Component"
import type { Fingerprint } from "@attestry/core/Fingerprint"
import type { OrgId } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import { type MemoryState, table } from "../shared/MemoryState.js"

/** A set of an org. */
export interface SetRow extends ComponentSet {
  readonly org_id: OrgId
}

/** The sets by org and digest. */
export const sets = table<SetRow>("component_set")
/** The documents that list components of artifacts. */
export const listings = table<ComponentListing>("component_listing")

/** The artifacts with a bill of materials. */
export const billed = (state: MemoryState, org: OrgId): Effect.Effect<ReadonlySet<Fingerprint>> =>
  Effect.map(state.read(listings), (all) => {
    const own = Array.from(HashMap.values(all)).filter(({ org_id }) => org_id === org)
    return new Set(own.flatMap(({ fingerprint, kind }) => (kind === "sbom" ? [fingerprint] : [])))
  })

/** The ids of the components of each artifact for which a document lists some. */
export const contents = (
  state: MemoryState,
  org: OrgId
): Effect.Effect<ReadonlyMap<Fingerprint, ReadonlySet<number>>> =>
  Effect.zipWith(state.read(sets), state.read(listings), (allSets, allListings) => {
    const own = Array.from(HashMap.values(allSets)).filter(({ org_id }) => org_id === org)
    const byDigest = new Map(own.map((set) => [set.digest, set.components]))
    const found = new Map<Fingerprint, Set<number>>()
    for (const { fingerprint, org_id, set_digest } of HashMap.values(allListings)) {
      if (org_id !== org) continue
      const known = found.get(fingerprint) ?? new Set()
      for (const id of byDigest.get(set_digest) ?? []) known.add(id)
      found.set(fingerprint, known)
    }
    return found
  })
