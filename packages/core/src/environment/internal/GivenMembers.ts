/** The members of a logical environment that a request names. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { GrantedWithin } from "../../access/Reaches.js"
import type { Environment } from "../Environment.js"
import * as EnvironmentFailure from "../EnvironmentFailure.js"
import * as EnvironmentLookup from "../EnvironmentLookup.js"
import { EnvironmentStore } from "../EnvironmentStore.js"
import * as PlacedEnvironments from "./PlacedEnvironments.js"

/** Makes the lookups. */
export const make = Effect.gen(function* () {
  const store = yield* EnvironmentStore
  const present = yield* PlacedEnvironments.make

  /** The id of a physical environment that the permission reaches, by its name. */
  const memberOf = (granted: GrantedWithin) => (given: string) =>
    Effect.gen(function* () {
      const name = yield* EnvironmentLookup.nameOf(granted, given)
      const found = yield* store.findByName({ org: granted.orgId, name })
      const { environment } = yield* present(granted, given)(found)
      return environment.type === "logical"
        ? yield* new EnvironmentFailure.EnvironmentNotPhysical({ environment: environment.name })
        : environment.id
    })

  /** The ids of members by their names; fails for members of a physical environment. */
  const idsOf = (
    granted: GrantedWithin,
    { name, type }: Pick<Environment, "name" | "type">,
    names: ReadonlyArray<string> | undefined
  ) => {
    if (names === undefined) return Effect.succeed(undefined)
    if (type !== "logical") {
      return names.length === 0
        ? Effect.succeed(undefined)
        : new EnvironmentFailure.EnvironmentNotLogical({ environment: name, kind: type })
    }
    return Effect.map(Effect.forEach(names, memberOf(granted)), (found) => [...new Set(found)])
  }

  /**
   * Holds the physical environments of these names, before the logical one that may take them is locked. Other names
   * are left to `idsOf`.
   */
  const hold = (granted: GrantedWithin, names: ReadonlyArray<string> = []) =>
    Effect.gen(function* () {
      const found = yield* Effect.forEach(
        names.flatMap((name) =>
          Option.toArray(Either.getRight(EnvironmentLookup.nameOf(granted, name)))
        ),
        (name) => store.findByName({ org: granted.orgId, name })
      )
      const physical = found
        .flatMap(Option.toArray)
        .flatMap(({ environment: { id, type } }) => (type === "logical" ? [] : [id]))
      yield* store.holdMembers(granted.orgId, [...new Set(physical)])
    })

  return { memberOf, idsOf, hold } as const
})
