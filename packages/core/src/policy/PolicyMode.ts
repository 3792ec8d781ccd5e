/** How an attached policy counts: `enforce` decides verdicts, `warn` is evaluated and recorded, and does not count. */
import * as Schema from "effect/Schema"

/** How an attached policy counts. DECISIONS.md, "A policy can warn" */
export const PolicyMode = Schema.Literal("enforce", "warn").annotations({
  identifier: "PolicyMode"
})
/** How an attached policy counts. */
export type PolicyMode = typeof PolicyMode.Type

/** The field of a stored value that is there only for a warning policy, so that others stay as they were. */
export const warningField = {
  mode: Schema.optionalWith(Schema.Literal("warn"), { exact: true })
}

/** A value that says whether its policy warns. */
export interface Moded {
  readonly mode?: "warn"
}

/** Whether the policy of a value warns. */
export const isWarning = ({ mode }: Moded): boolean => mode === "warn"

/** Whether the policy of a value counts. */
export const isEnforced = ({ mode }: Moded): boolean => mode !== "warn"

/** The stored field of a mode. */
export const toField = (mode: PolicyMode | undefined): Moded => (mode === "warn" ? { mode } : {})
