/**
 * Port inside core: which policies and environments refer to controls.
 *
 * WHY a port: policies and environments build on controls.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type {
  ControlIdentifier,
  EnvironmentId,
  OrgId,
  PolicyId,
  PolicyName
} from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { ConsumingEnvironment } from "../ControlCoverage.js"

/** A policy that names a control. */
export interface NamedPolicy {
  readonly id: PolicyId
  readonly name: PolicyName
}

/** An environment with its attached policies and its id. */
export interface IdentifiedEnvironment extends ConsumingEnvironment {
  readonly id: EnvironmentId
}

/** Port: references to controls. */
export class ControlReferences extends Context.Tag("@attestry/core/ControlReferences")<
  ControlReferences,
  {
    /** The policies whose latest version has a rule for the control, by name. */
    readonly policiesNaming: (
      org: OrgId,
      control: ControlIdentifier
    ) => Effect.Effect<ReadonlyArray<NamedPolicy>, StoreError>
    /** Every active physical environment with its attached policies. */
    readonly environments: (
      org: OrgId
    ) => Effect.Effect<ReadonlyArray<IdentifiedEnvironment>, StoreError>
  }
>() {}
