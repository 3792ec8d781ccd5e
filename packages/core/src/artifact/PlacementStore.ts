/** Port: where fingerprints run and ran. The answers derive from snapshots, so nothing is written. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Fingerprint, FingerprintPrefix } from "./Fingerprint.js"
import type { PlacedContent, Placement, PlacementKey } from "./Placement.js"

/** Port: where fingerprints run and ran. */
export class PlacementStore extends Context.Tag("@attestry/core/PlacementStore")<
  PlacementStore,
  {
    /**
     * Every environment, archived ones included, with a snapshot that contains one of the fingerprints; by
     * fingerprint, then by the current name of the environment. All placements are of one instant.
     */
    readonly placements: (
      org: OrgId,
      fingerprints: ReadonlyArray<Fingerprint>
    ) => Effect.Effect<ReadonlyArray<Placement>, StoreError>
    /**
     * The distinct fingerprints with this prefix that run or ran in an environment that is not archived, in
     * ascending order; at most `limit`.
     */
    readonly placedFingerprints: (query: {
      readonly org: OrgId
      readonly prefix: FingerprintPrefix
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Fingerprint>, StoreError>
    /** The rows of these fingerprints in these snapshots, in any order; a key without a row is left out. */
    readonly placedRows: (
      org: OrgId,
      keys: ReadonlyArray<PlacementKey>
    ) => Effect.Effect<ReadonlyArray<PlacedContent>, StoreError>
  }
>() {}
