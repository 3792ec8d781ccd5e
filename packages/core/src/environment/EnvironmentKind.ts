/**
 * The kinds of environments: eight physical kinds with reports, and `logical`, which groups them.
 *
 * Words are exact; a wrong case is refused, not folded. `ReportedUnit` has the report of each kind. DECISION D4.1
 */
import * as Schema from "effect/Schema"

/** A kind of environment with reports. */
export const PhysicalKind = Schema.Literal(
  "K8S",
  "container-tasks",
  "object-store",
  "functions",
  "server",
  "docker",
  "cloudx-apps",
  "serverless-run"
).annotations({ identifier: "PhysicalKind" })
/** A kind of environment with reports. */
export type PhysicalKind = typeof PhysicalKind.Type

/** Every kind of environment; the kind of an environment never changes. DECISION D4.2 */
export const EnvironmentKind = Schema.Literal(...PhysicalKind.literals, "logical").annotations({
  identifier: "EnvironmentKind"
})
/** Every kind of environment. */
export type EnvironmentKind = typeof EnvironmentKind.Type

/** Whether environments of this kind have reports. */
export const isPhysical: (kind: EnvironmentKind) => kind is PhysicalKind = Schema.is(PhysicalKind)
