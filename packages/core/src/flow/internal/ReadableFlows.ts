/** Finds flows for callers who may read only some of them. */
import * as Effect from "effect/Effect"
import type { AccessDenied } from "../../access/Access.js"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import type { FlowName } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import { type Flow, FlowNotFound } from "../Flow.js"
import { FlowStore } from "../FlowStore.js"

/** Makes the lookup. */
export const make = Effect.gen(function* () {
  const flows = yield* FlowStore
  const reaches = yield* Reaches

  /** The flow of a current or former name: as absent where the caller does not read it, else denied. */
  const find = (
    granted: GrantedWithin,
    name: FlowName
  ): Effect.Effect<Flow, FlowNotFound | AccessDenied | StoreError> => {
    const notFound = () => new FlowNotFound({ org: granted.org, flow: name })
    return Effect.flatMap(flows.findByName({ org: granted.orgId, name }), (found) =>
      reaches.permitFound(granted, found, { kind: "flow", idOf: ({ id }) => id, notFound })
    )
  }

  return { find } as const
})
