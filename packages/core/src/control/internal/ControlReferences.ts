/**
 * Port inside core: which policies and environments refer to controls.
 *
 * WHY a port: policies and environments build on controls.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ControlIdentifier, OrgId, PolicyId, PolicyName } from "../../shared/Identifier.js"
import type { Page } from "../../shared/Page.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { PlaceId } from "../../space/PlaceId.js"
import type { Consuming, CoverageFilter } from "../ControlCoverage.js"

/** A policy that names a control. */
export interface NamedPolicy {
  readonly id: PolicyId
  readonly name: PolicyName
}

/** Which environments a report of coverage lists. */
export interface CoverageQuery extends CoverageFilter {
  /** Those whose rules are about the control. */
  readonly policies: ReadonlyArray<PolicyId>
  readonly within?: ReadonlyArray<PlaceId>
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
    /** The active physical environments with their attached policies, by name. */
    readonly environments: (
      org: OrgId,
      query: CoverageQuery,
      page: Page
    ) => Effect.Effect<Consuming, StoreError>
  }
>() {}
