/**
 * Port: which controls a policy may ask about when it is saved. DECISION D6.1
 *
 * The default knows no control and refuses every name, as a deployment without a catalogue must.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"

/** How a name stands in the catalogue, if it may not be asked about. */
export type ControlRefusal = "unknown" | "archived"

/** A catalogue of controls. */
export interface Catalog {
  /** Which of these identifiers may not be asked about by a new version, and why. */
  readonly refused: (
    org: OrgId,
    identifiers: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, ControlRefusal>, StoreError>
}

/** Port: which controls a policy may ask about. */
export class ControlCatalog extends Context.Reference<ControlCatalog>()(
  "@attestry/core/ControlCatalog",
  {
    defaultValue: (): Catalog => ({
      refused: (_org, identifiers) =>
        Effect.succeed(new Map(identifiers.map((name) => [name, "unknown"])))
    })
  }
) {}
