/**
 * jq: whether a program compiles, and whether it says nothing but `true`. DECISION D3.9
 *
 * Runs in the worker only: a program may run for ever. Its memory is the engine's own 256 MiB at most.
 */
import { raw } from "jq-wasm"

const END = '"attestry-end"'

/**
 * WHY: the engine hides an error once there has been an output, so the program ends with a mark that only
 * a program without errors reaches. `env` and `$ENV` are empty, whatever the process has.
 */
const wrapped = (program: string): string => `def env: {}; {} as $ENV | (${program}\n), ${END}`

const isCompileError = (cause: unknown): boolean =>
  cause instanceof Error && /\b\d+ compile errors?\b/.test(cause.message)

const compiles = async (program: string): Promise<boolean> => {
  try {
    await raw("null", program, ["-c"])
    return true
  } catch (cause) {
    return !isCompileError(cause)
  }
}

/** Why a program cannot be used, or `null`. INVARIANT: one that compiles alone has balanced brackets. */
export const check = async (program: string): Promise<string | null> =>
  (await compiles(program)) && (await compiles(wrapped(program)))
    ? null
    : "Expression should be a program of jq"

/** Whether the program gives at least one output, nothing but `true`, and no error. */
export const holds = async (program: string, data: string): Promise<boolean> => {
  try {
    const outputs = (await raw(data, wrapped(program), ["-c"])).trim().split("\n")
    const last = outputs.pop()
    return last === END && outputs.length > 0 && outputs.every((output) => output === "true")
  } catch {
    return false
  }
}
