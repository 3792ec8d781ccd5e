/** A policy as its readers see it. SPEC §4.6 */

import type { EnvironmentName } from "../shared/Identifier.js"
import type * as Policy from "./Policy.js"
import type * as PolicyEvent from "./PolicyEvent.js"

/** A policy with its history and the environments that it is attached to. */
export interface PolicyView {
  readonly policy: Policy.Policy
  /** Oldest first. */
  readonly versions: ReadonlyArray<Policy.PolicyVersionRecord>
  /** Oldest first. */
  readonly events: ReadonlyArray<PolicyEvent.PolicyEvent>
  /** By name. */
  readonly consumers: ReadonlyArray<EnvironmentName>
}
