/** Which controls a policy must not name: those that do not exist, and those that are archived. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ControlIdentifier, type OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { ControlStore } from "./ControlStore.js"

/** Why a control must not be named. */
export type ControlRefusal = "unknown" | "archived"

const decode = Schema.decodeOption(ControlIdentifier)

/** The refused ones of these identifiers, with the reason. */
export const refused = (
  store: Pick<ControlStore["Type"], "find">,
  org: OrgId,
  identifiers: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, ControlRefusal>, StoreError> => {
  const refusalOf = (name: string): Effect.Effect<ControlRefusal | undefined, StoreError> =>
    Option.match(decode(name), {
      onNone: () => Effect.succeed("unknown"),
      onSome: (identifier) =>
        Effect.map(store.find({ org, identifier }), (found) => {
          if (Option.isNone(found)) return "unknown"
          return found.value.archived ? "archived" : undefined
        })
    })
  return Effect.gen(function* () {
    const found = new Map<string, ControlRefusal>()
    for (const name of new Set(identifiers)) {
      const refusal = yield* refusalOf(name)
      if (refusal !== undefined) found.set(name, refusal)
    }
    return found
  })
}
