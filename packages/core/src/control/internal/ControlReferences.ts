/**
 * Port: where controls are asked for.
 *
 * WHY: policies and environments stand to the right of controls; whoever keeps them provides this.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ControlIdentifier, OrgId, PolicyName } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { ConsumingEnvironment } from "../ControlCoverage.js"

/** Port: where controls are asked for. */
export class ControlReferences extends Context.Tag("@attestry/core/ControlReferences")<
  ControlReferences,
  {
    /** The policies whose latest version has a rule for the control, by name. */
    readonly policiesNaming: (
      org: OrgId,
      control: ControlIdentifier
    ) => Effect.Effect<ReadonlyArray<PolicyName>, StoreError>
    /** Every environment that is neither logical nor archived, with the policies attached to it. */
    readonly environments: (
      org: OrgId
    ) => Effect.Effect<ReadonlyArray<ConsumingEnvironment>, StoreError>
  }
>() {}
