/** Port: the exposures of an org. They derive from snapshots, so nothing is written. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Exposure, ExposureQuery, ExposureSummary } from "./Exposure.js"

/** Port: the exposures of an org. */
export class ExposureStore extends Context.Tag("@attestry/core/ExposureStore")<
  ExposureStore,
  {
    /**
     * One page of the exposures in physical environments, archived ones included, of every fingerprint that fits the
     * subject and that pass the filter, in the order of `Exposure.byNewest`. A fingerprint fits when one of its
     * records does; a prefix of fingerprints needs no record.
     */
    readonly list: (
      org: OrgId,
      query: ExposureQuery,
      page: Page
    ) => Effect.Effect<Paged<Exposure>, StoreError>
    /** `Exposure.summarize` of all of them. */
    readonly summary: (
      org: OrgId,
      query: ExposureQuery,
      now: Timestamp
    ) => Effect.Effect<ExposureSummary, StoreError>
  }
>() {}
