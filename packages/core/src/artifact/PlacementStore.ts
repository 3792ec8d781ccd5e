/** Port: where contents run and ran, as snapshots say. It is derived, so there is nothing to write. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Fingerprint, FingerprintPrefix } from "./Fingerprint.js"
import type { PlacedContent, Placement, PlacementKey } from "./Placement.js"

/** Port: where contents run and ran. */
export class PlacementStore extends Context.Tag("@attestry/core/PlacementStore")<
  PlacementStore,
  {
    /**
     * Every environment, archived ones included, in whose snapshots one of the contents runs or ran; by
     * fingerprint, then by the name that the environment has now. One answer about one moment. Costs what
     * there is to tell, not the length of histories.
     */
    readonly list: (
      org: OrgId,
      fingerprints: ReadonlyArray<Fingerprint>
    ) => Effect.Effect<ReadonlyArray<Placement>, StoreError>
    /**
     * The different fingerprints that begin like this and that run, or ran, in an environment that is not
     * archived, in order; at most `limit`.
     */
    readonly matchFingerprints: (query: {
      readonly org: OrgId
      readonly prefix: FingerprintPrefix
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Fingerprint>, StoreError>
    /** The rows that contents have in snapshots that they run in, in no particular order. */
    readonly rowsAt: (
      org: OrgId,
      keys: ReadonlyArray<PlacementKey>
    ) => Effect.Effect<ReadonlyArray<PlacedContent>, StoreError>
  }
>() {}
