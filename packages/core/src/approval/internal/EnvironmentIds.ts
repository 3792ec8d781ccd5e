/**
 * Port: which environment a name means, for approvals, whose events tell its id.
 *
 * WHY: what an environment is, and where it is kept, is `environment`'s, which stands to the right.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { EnvironmentId, EnvironmentName, OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"

/** Port: which environment a name means. */
export class EnvironmentIds extends Context.Tag("@attestry/core/EnvironmentIds")<
  EnvironmentIds,
  {
    /** The id of the environment that a name leads to, archived or not; none where it leads to none. */
    readonly find: (
      org: OrgId,
      name: EnvironmentName
    ) => Effect.Effect<Option.Option<EnvironmentId>, StoreError>
  }
>() {}
