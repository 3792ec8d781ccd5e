/** The messages between threads: tasks and results as plain values. */
import type { RuleOutcome, RuleProblem } from "@attestry/core/PayloadRules"

/** A program with the name of its field. */
export interface NamedProgram {
  readonly field: string
  readonly program: string
}

/** The start data of a worker: the engine, and the budget of each task. */
export interface RuleEquipment {
  readonly module: WebAssembly.Module
  readonly stepsMax: number
}

/** A task of a worker; a schema and data are JSON text. */
export type RuleTask =
  | {
      readonly _tag: "Check"
      readonly schema: string | null
      readonly programs: ReadonlyArray<NamedProgram>
    }
  | {
      readonly _tag: "Evaluate"
      readonly schema: string | null
      readonly rules: ReadonlyArray<NamedProgram>
      readonly data: string
    }

/** The result of a task. */
export type RuleResult =
  | { readonly _tag: "Checked"; readonly problems: ReadonlyArray<RuleProblem> }
  | { readonly _tag: "Evaluated"; readonly outcome: RuleOutcome }

/** A message of a worker: it is ready, the result of a task, or a failure of the engine. */
export type RuleMessage =
  | { readonly _tag: "Ready" }
  | { readonly _tag: "Failed"; readonly cause: string }
  | RuleResult
