/** `ControlCatalog` on the store of controls: active controls may be named. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ControlStore } from "../../control/ControlStore.js"
import { ControlIdentifier, type OrgId } from "../../shared/Identifier.js"
import { ControlCatalog, type ControlRefusal } from "./ControlCatalog.js"

const decode = Schema.decodeOption(ControlIdentifier)

const make = Effect.map(ControlStore, (store) => {
  const refusalOf = (org: OrgId, name: string) =>
    Option.match(decode(name), {
      onNone: () =>
        Effect.succeed<ReadonlyArray<readonly [string, ControlRefusal]>>([[name, "unknown"]]),
      onSome: (identifier) =>
        Effect.map(
          store.find({ org, identifier }),
          Option.match({
            onNone: (): ReadonlyArray<readonly [string, ControlRefusal]> => [[name, "unknown"]],
            onSome: ({ archived }) => (archived ? [[name, "archived"]] : [])
          })
        )
    })
  return {
    refused: (org: OrgId, identifiers: ReadonlyArray<string>) =>
      Effect.map(
        Effect.forEach(new Set(identifiers), (name) => refusalOf(org, name)),
        (found) => new Map(found.flat())
      )
  }
})

/** `ControlCatalog` on the store of controls. */
export const layer: Layer.Layer<ControlCatalog, never, ControlStore> = Layer.effect(
  ControlCatalog,
  make
)
