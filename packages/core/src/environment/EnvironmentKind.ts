/**
 * The kinds of environments: eight physical ones that report, and `logical`, which groups them.
 *
 * Words are exact; a wrong case is refused, not folded. What each kind reports is in `ReportedUnit`.
 * DECISION D4.1
 */
import * as Schema from "effect/Schema"

/** A kind whose environments are reported to. */
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
/** A kind whose environments are reported to. */
export type PhysicalKind = typeof PhysicalKind.Type

/** Every kind of environment; it never changes after creation. DECISION D4.2 */
export const EnvironmentKind = Schema.Literal(...PhysicalKind.literals, "logical").annotations({
  identifier: "EnvironmentKind"
})
/** Every kind of environment. */
export type EnvironmentKind = typeof EnvironmentKind.Type

/** Whether environments of this kind are reported to. */
export const isPhysical: (kind: EnvironmentKind) => kind is PhysicalKind = Schema.is(PhysicalKind)
