/** The environment that had a name at an instant, for callers who may read only some of them. */
import * as Effect from "effect/Effect"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import { EnvironmentNotFound } from "../../environment/EnvironmentFailure.js"
import type { EnvironmentName } from "../../shared/Identifier.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import * as NamesAsOf from "../NamesAsOf.js"

/** Makes the lookup. */
export const make = Effect.gen(function* () {
  const names = yield* NamesAsOf.make
  const reaches = yield* Reaches

  /** The environment that had the name; one that the caller does not read is as absent. */
  return (granted: GrantedWithin, name: EnvironmentName, asOf: Timestamp) =>
    Effect.gen(function* () {
      const named = names.environment(granted, name, asOf)
      if (granted.readable._tag === "Whole") return yield* named
      const notFound = () => new EnvironmentNotFound({ org: granted.org, environment: name })
      // Whether an environment was archived is not told of one that the caller does not read.
      const environment = yield* Effect.mapError(named, (error) =>
        error._tag === "EnvironmentArchived" ? notFound() : error
      )
      yield* reaches.permit(granted, { kind: "environment", id: environment.id }, notFound)
      return environment
    })
})
