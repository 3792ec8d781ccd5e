/** The sets of components in memory, and which artifacts have them. */
import type { ComponentListing, ComponentSet } from "@attestry/core/Component"
import type { Fingerprint } from "@attestry/core/Fingerprint"
import type { FlowId, OrgId } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import { attestations } from "../attestation/AttestationStoreMemory.js"
import { type MemoryState, table } from "../shared/MemoryState.js"

/** A set of an org. */
export interface SetRow extends ComponentSet {
  readonly org_id: OrgId
}

/** The sets by org and digest. */
export const sets = table<SetRow>("component_set")
/** The documents that list components of artifacts. */
export const listings = table<ComponentListing>("component_listing")

/** Which listings of an org count: all, or those that attestations of some flows are for. */
const listed = (
  state: MemoryState,
  org: OrgId,
  { flows }: { readonly flows?: ReadonlyArray<FlowId> | undefined }
): Effect.Effect<ReadonlyArray<ComponentListing>> =>
  Effect.zipWith(state.read(listings), state.read(attestations), (all, trails) => {
    const own = Array.from(HashMap.values(all)).filter(({ org_id }) => org_id === org)
    if (flows === undefined) return own
    const counted = new Set(
      Array.from(HashMap.values(trails))
        .flat()
        .filter(({ flow_id }) => flows.includes(flow_id))
        .map(({ id }) => id)
    )
    return own.filter(({ attestation_id }) => counted.has(attestation_id))
  })

/** The artifacts with a bill of materials. */
export const billed = (
  state: MemoryState,
  org: OrgId,
  filter: { readonly flows?: ReadonlyArray<FlowId> | undefined } = {}
): Effect.Effect<ReadonlySet<Fingerprint>> =>
  Effect.map(
    listed(state, org, filter),
    (own) => new Set(own.flatMap(({ fingerprint, kind }) => (kind === "sbom" ? [fingerprint] : [])))
  )

/** The ids of the components of each artifact for which a document lists some. */
export const contents = (
  state: MemoryState,
  org: OrgId,
  filter: { readonly flows?: ReadonlyArray<FlowId> | undefined } = {}
): Effect.Effect<ReadonlyMap<Fingerprint, ReadonlySet<number>>> =>
  Effect.zipWith(state.read(sets), listed(state, org, filter), (allSets, counted) => {
    const own = Array.from(HashMap.values(allSets)).filter(({ org_id }) => org_id === org)
    const byDigest = new Map(own.map((set) => [set.digest, set.components]))
    const found = new Map<Fingerprint, Set<number>>()
    for (const { fingerprint, set_digest } of counted) {
      const known = found.get(fingerprint) ?? new Set()
      for (const id of byDigest.get(set_digest) ?? []) known.add(id)
      found.set(fingerprint, known)
    }
    return found
  })
