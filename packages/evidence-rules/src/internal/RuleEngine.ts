/**
 * jq rules: whether a program is valid, and whether all its outputs are `true`.
 *
 * The result depends on the program, the data and the budget alone; an exception is a failure of the engine. Runs in
 * a worker only: a program may use its whole budget.
 */
import * as Jq from "./jq/Jq.js"
import { TrueOutputs } from "./TrueOutputs.js"

/** The remaining steps of the programs of one definition. */
export interface Budget {
  stepsLeft: number
}

const END = "attestry-end"
const NO_INPUT = new Uint8Array()
const COMPILE_ERROR = 3

/** WHY a mark at the end: jq prints outputs before an error occurs. `env` and `$ENV` are empty. */
const wrapped = (program: string): string => `def env: {}; {} as $ENV | (${program}\n), "${END}"`

const NOT_A_PROGRAM = "Expression should be a program of jq"
const READS_THE_CLOCK = "Expression should not read the clock: its outcome would depend on the time"
const TOO_LONG_TO_COMPILE = "Expression takes too many steps to compile"

const spend = (budget: Budget, ending: Jq.Ending): void => {
  budget.stepsLeft = ending._tag === "Exited" ? budget.stepsLeft - ending.steps : 0
}

/** A run of the compiler: the program with its options, and the receiver of its output. */
interface Compilation {
  readonly args: ReadonlyArray<string>
  readonly output: (bytes: Uint8Array) => void
}

/** Compiles a program; without an input it does not run. */
const compiled = (
  module: WebAssembly.Module,
  budget: Budget,
  { args, output }: Compilation
): Jq.Ending => {
  const ending = Jq.run(module, {
    args: ["-M", "-c", ...args, "/dev/stdin"],
    input: NO_INPUT,
    output,
    steps: budget.stepsLeft
  })
  spend(budget, ending)
  return ending
}

const problemOf = (ending: Jq.Ending): string | null => {
  if (ending._tag === "Exhausted") return TOO_LONG_TO_COMPILE
  if (ending.status === COMPILE_ERROR) return NOT_A_PROGRAM
  if (ending.status !== 0) throw new Error(`jq compiled a program and ended with ${ending.status}`)
  return null
}

/** The call of the clock in the instructions that jq prints, where a text with these words has quotes. */
const CLOCK = /^\s*\d+ CALL_BUILTIN now$/m

/** Why a program is invalid, or `null`. INVARIANT: a program that compiles by itself has balanced brackets. */
export const check = (
  module: WebAssembly.Module,
  program: string,
  budget: Budget
): string | null => {
  if (program.includes("\0")) return NOT_A_PROGRAM
  const alone = problemOf(compiled(module, budget, { args: [program], output: () => undefined }))
  if (alone !== null) return alone
  const decoder = new TextDecoder()
  let instructions = ""
  const inside = problemOf(
    compiled(module, budget, {
      args: ["--debug-dump-disasm", wrapped(program)],
      output: (bytes) => {
        instructions += decoder.decode(bytes, { stream: true })
      }
    })
  )
  if (inside !== null) return inside
  return CLOCK.test(instructions) ? READS_THE_CLOCK : null
}

/** The result of a program for some data. */
export type Verdict = "holds" | "fails" | "exhausted"

/** A program and the text of its data. */
export interface Case {
  readonly program: string
  readonly data: Uint8Array
}

/** Whether the program has at least one output, all outputs are `true`, and there is no error. */
export const evaluate = (
  module: WebAssembly.Module,
  { program, data }: Case,
  budget: Budget
): Verdict => {
  const outputs = new TrueOutputs(JSON.stringify(END))
  const ending = Jq.run(module, {
    args: ["-M", "-c", wrapped(program), "/dev/stdin"],
    input: data,
    output: (bytes) => outputs.write(bytes),
    steps: budget.stepsLeft
  })
  spend(budget, ending)
  if (ending._tag === "Exhausted") return "exhausted"
  return outputs.isComplete ? "holds" : "fails"
}
