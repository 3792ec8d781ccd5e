/** Which flows of an answer its caller may not read, by one lookup; none for a caller who reads the whole org. */
import * as Effect from "effect/Effect"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { HiddenFlows } from "../FlowMask.js"

/** The hidden ones of some flows, by id and by the names that the answer gives them; undefined where there is none. */
export type HiddenOf = (
  granted: Pick<GrantedWithin, "orgId" | "readable">,
  flows: Iterable<readonly [id: string, name: string]>
) => Effect.Effect<HiddenFlows | undefined, StoreError>

/** Makes the lookup. */
export const make: Effect.Effect<HiddenOf, never, Reaches> = Effect.map(
  Reaches,
  (reaches) => (granted, flows) =>
    Effect.gen(function* () {
      if (granted.readable._tag === "Whole") return undefined
      const things = [...flows]
      const readable = yield* reaches.keepReadable(granted, {
        kind: "flow",
        things,
        idOf: ([id]) => id
      })
      if (readable.length === things.length) return undefined
      const known = new Set(readable)
      const hidden = things.filter((flow) => !known.has(flow))
      return {
        ids: new Set(hidden.map(([id]) => id)),
        names: new Set(hidden.map(([, name]) => name))
      }
    })
)
