/** The policies that name a control and that the caller reads. */
import * as Effect from "effect/Effect"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import type { ControlIdentifier } from "../../shared/Identifier.js"
import { ControlReferences } from "./ControlReferences.js"

/** Makes the list of policies whose latest version has a rule for a control, by name. */
export const make = Effect.gen(function* () {
  const references = yield* ControlReferences
  const reaches = yield* Reaches

  return (granted: GrantedWithin, control: ControlIdentifier) =>
    references.policiesNaming(granted.orgId, control).pipe(
      Effect.flatMap((all) =>
        reaches.keepReadable(granted, { kind: "policy", things: all, idOf: ({ id }) => id })
      ),
      Effect.map((readable) => readable.map(({ name }) => name))
    )
})
