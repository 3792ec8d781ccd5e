/**
 * Runs jq: each evaluation in a new instance, so that evaluations share no state.
 *
 * Equal arguments give equal results on every machine. An exception is a failure of the engine, not a result of the
 * program.
 */
import { DEPTH_MAX } from "./JqBudget.js"
import * as JqHost from "./JqHost.js"
import { WasmMemory } from "./WasmMemory.js"

/** One run of jq. */
export interface Run {
  readonly args: ReadonlyArray<string>
  readonly input: Uint8Array
  readonly output: (bytes: Uint8Array) => void
  readonly errors?: (bytes: Uint8Array) => void
  /** The step budget. */
  readonly steps: number
}

/** The end of a run: a status and the used steps, or the exhausted resource. */
export type Ending =
  | { readonly _tag: "Exited"; readonly status: number; readonly steps: number }
  | { readonly _tag: "Exhausted" }

interface Exports {
  readonly memory: WebAssembly.Memory
  readonly steps: WebAssembly.Global<"i64">
  readonly depth: WebAssembly.Global<"i64">
  readonly start: () => void
  readonly main: (count: number, values: number) => number
  readonly setHighHalf: (value: number) => void
  readonly allocate: (bytes: number) => number
}

/** WHY: the binary is pinned by its digest, so its exports have these types. */
const exportsOf = ({ exports }: WebAssembly.Instance): Exports =>
  ({
    memory: exports.E,
    steps: exports.steps,
    depth: exports.depth,
    start: exports.F,
    main: exports.G,
    setHighHalf: exports.I,
    allocate: exports.J
  }) as unknown as Exports

const guestOf = ({ memory, steps, setHighHalf }: Exports): JqHost.Guest => ({
  memory: new WasmMemory(memory),
  setHighHalf,
  spend: (amount) => {
    steps.value -= BigInt(Math.ceil(amount))
    if (steps.value < 0n) throw new JqHost.Exhausted()
  }
})

const writeArguments = (
  { memory }: JqHost.Guest,
  allocate: Exports["allocate"],
  args: ReadonlyArray<string>
): number => {
  const values = allocate((args.length + 1) * 4)
  args.forEach((arg, index) => {
    const address = allocate(Buffer.byteLength(arg) + 1)
    memory.setText(address, arg)
    memory.setI32(values + index * 4, address)
  })
  memory.setI32(values + args.length * 4, 0)
  return values
}

const statusOf = (call: () => number): number => {
  try {
    return call()
  } catch (cause) {
    if (cause instanceof JqHost.Exit) return cause.status
    throw cause
  }
}

/** Runs jq once. Throws when the engine fails. */
export const run = (module: WebAssembly.Module, { args, steps, ...world }: Run): Ending => {
  let guest: JqHost.Guest | undefined
  const imports = JqHost.importsOf({ errors: () => undefined, now: Date.now, ...world }, () => {
    if (guest === undefined) throw new Error("jq called its host before it had a memory")
    return guest
  })
  const exports = exportsOf(new WebAssembly.Instance(module, imports))
  guest = guestOf(exports)
  exports.steps.value = BigInt(steps)
  try {
    exports.start()
    const all = ["jq", ...args]
    const values = writeArguments(guest, exports.allocate, all)
    const status = statusOf(() => exports.main(all.length, values))
    return { _tag: "Exited", status, steps: steps - Number(exports.steps.value) }
  } catch (cause) {
    const isExhausted =
      cause instanceof JqHost.Exhausted ||
      exports.steps.value < 0n ||
      exports.depth.value > BigInt(DEPTH_MAX)
    if (isExhausted) return { _tag: "Exhausted" }
    throw cause
  }
}
