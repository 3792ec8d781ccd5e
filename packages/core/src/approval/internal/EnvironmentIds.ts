/**
 * Port inside core: the id of an environment by its name, for the events of approvals.
 *
 * WHY a port: `environment` stands to the right of `approval`.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { EnvironmentId, EnvironmentName, OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"

/** Port: ids of environments by name. */
export class EnvironmentIds extends Context.Tag("@attestry/core/EnvironmentIds")<
  EnvironmentIds,
  {
    /** The id of the environment of that name, archived or not; none when there is none. */
    readonly find: (
      org: OrgId,
      name: EnvironmentName
    ) => Effect.Effect<Option.Option<EnvironmentId>, StoreError>
  }
>() {}
