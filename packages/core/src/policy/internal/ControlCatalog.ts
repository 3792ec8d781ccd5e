/**
 * Port inside core: which controls a policy may name when it is saved.
 *
 * The default has no control and refuses every name.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"

/** Why a control must not be named. */
export type ControlRefusal = "unknown" | "archived"

/** A catalogue of controls. */
export interface Catalog {
  /** The refused ones of these identifiers, with the reason. */
  readonly refused: (
    org: OrgId,
    identifiers: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, ControlRefusal>, StoreError>
}

/** Port: which controls a policy may name. */
export class ControlCatalog extends Context.Reference<ControlCatalog>()(
  "@attestry/core/ControlCatalog",
  {
    defaultValue: (): Catalog => ({
      refused: (_org, identifiers) =>
        Effect.succeed(new Map(identifiers.map((name) => [name, "unknown"])))
    })
  }
) {}
