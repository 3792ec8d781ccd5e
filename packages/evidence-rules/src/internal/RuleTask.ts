/** What a worker is asked, and what it answers: plain values, as threads exchange them. */
import type { RuleOutcome, RuleProblem } from "@attestry/core/PayloadRules"

/** A program under the name of the field that it came in. */
export interface NamedProgram {
  readonly field: string
  readonly program: string
}

/** What every worker is given when it starts: the engine, and how much each task may take. */
export interface RuleEquipment {
  readonly module: WebAssembly.Module
  readonly stepsMax: number
}

/** Work for a worker; a schema and data are JSON text. */
export type RuleTask =
  | {
      readonly _tag: "Check"
      readonly schema: string | null
      readonly programs: ReadonlyArray<NamedProgram>
    }
  | {
      readonly _tag: "Judge"
      readonly schema: string | null
      readonly rules: ReadonlyArray<NamedProgram>
      readonly data: string
    }

/** What a task came to. */
export type RuleResult =
  | { readonly _tag: "Checked"; readonly problems: ReadonlyArray<RuleProblem> }
  | { readonly _tag: "Judged"; readonly outcome: RuleOutcome }

/** What a worker says: that it is ready, what a task came to, or that the engine failed in it. */
export type RuleMessage =
  | { readonly _tag: "Ready" }
  | { readonly _tag: "Failed"; readonly cause: string }
  | RuleResult
