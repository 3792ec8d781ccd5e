/** Environments by name for callers who may read only some of them. */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccessDenied } from "../../access/Access.js"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import type { StoreError } from "../../shared/StoreError.js"
import { type EnvironmentMissing, EnvironmentNotFound } from "../EnvironmentFailure.js"
import * as EnvironmentLookup from "../EnvironmentLookup.js"
import type { ReportedEnvironment } from "../EnvironmentStore.js"

/** Makes the check. */
export const make = Effect.gen(function* () {
  const reaches = yield* Reaches

  /**
   * The environment, if it is present and active and the permission reaches it: as absent where the caller does not
   * read it, else denied. `given` is the name in the request.
   */
  return (granted: GrantedWithin, given: string) =>
    (
      found: Option.Option<ReportedEnvironment>
    ): Effect.Effect<ReportedEnvironment, EnvironmentMissing | AccessDenied | StoreError> => {
      const present = EnvironmentLookup.present(granted, given)
      if (granted.reach._tag === "Whole") return present(found)
      const notFound = () => new EnvironmentNotFound({ org: granted.org, environment: given })
      const idOf = ({ environment }: ReportedEnvironment) => environment.id
      const permitted = reaches.permitFound(granted, found, { kind: "environment", idOf, notFound })
      return Effect.zipRight(permitted, present(found))
    }
})
