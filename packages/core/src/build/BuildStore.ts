/**
 * Port: the builds of an org. A build is the first record of a fingerprint; artifact records make them, so nothing
 * is written here.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Artifact } from "../artifact/Artifact.js"
import type { OrgId, RepoId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { WholeWindow } from "../shared/TimeWindow.js"

/** Which builds are listed: within a window, and of repositories that the first record names. */
export interface BuildFilter extends WholeWindow {
  readonly repos?: ReadonlyArray<RepoId>
}

/** Port: the builds of an org. */
export class BuildStore extends Context.Tag("@attestry/core/BuildStore")<
  BuildStore,
  {
    /** One page of the first records that pass the filter, newest first; of one instant by ascending fingerprint. */
    readonly list: (
      org: OrgId,
      filter: BuildFilter,
      page: Page
    ) => Effect.Effect<Paged<Artifact>, StoreError>
    /** The instants of all builds that pass the filter, in ascending order. */
    readonly instants: (
      org: OrgId,
      filter: BuildFilter
    ) => Effect.Effect<ReadonlyArray<Timestamp>, StoreError>
  }
>() {}
