/** What the worker is asked, and what it answers: plain values, as threads exchange them. */
import type { RuleOutcome, RuleProblem } from "@attestry/core/PayloadRules"

/** A program under the name of the field that it came in. */
export interface NamedProgram {
  readonly field: string
  readonly program: string
}

/** Work for the worker; a schema and data are JSON text. */
export type RuleTask =
  | {
      readonly _tag: "Check"
      readonly schema: string | null
      readonly programs: ReadonlyArray<NamedProgram>
    }
  | {
      readonly _tag: "Judge"
      readonly schema: string | null
      readonly rules: ReadonlyArray<string>
      readonly data: string
    }

/** What the worker says: that it is ready, that data fits its schema, or what a task came to. */
export type RuleMessage =
  | { readonly _tag: "Ready" }
  | { readonly _tag: "Valid" }
  | { readonly _tag: "Checked"; readonly problems: ReadonlyArray<RuleProblem> }
  | { readonly _tag: "Judged"; readonly outcome: RuleOutcome }
