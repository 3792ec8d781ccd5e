/** Which environments a caller reads, by name. For lists of other things that name environments. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import type { EnvironmentName } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import { EnvironmentStore } from "../EnvironmentStore.js"

/** Which of some environments, by current or former names, the caller reads. */
export type ReadableNames = (
  granted: Pick<GrantedWithin, "orgId" | "readable">,
  names: Iterable<EnvironmentName>
) => Effect.Effect<(name: EnvironmentName) => boolean, StoreError>

/** Makes the check. A caller who reads the whole org costs no query. */
export const make = Effect.gen(function* () {
  const environments = yield* EnvironmentStore
  const reaches = yield* Reaches

  const readableNames: ReadableNames = (granted, names) =>
    Effect.gen(function* () {
      if (granted.readable._tag === "Whole") return () => true
      const found = yield* Effect.forEach(new Set(names), (name) =>
        Effect.map(
          environments.findByName({ org: granted.orgId, name }),
          Option.map(({ environment }) => ({ name, id: environment.id }))
        )
      )
      const known = found.flatMap(Option.toArray)
      const kept = yield* reaches.keepReadable(granted, {
        kind: "environment",
        things: known,
        idOf: ({ id }) => id
      })
      const readable = new Set(kept.map(({ name }) => name))
      return (name: EnvironmentName) => readable.has(name)
    })
  return readableNames
})
