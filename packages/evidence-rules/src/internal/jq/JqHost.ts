/**
 * The host functions of jq: one input, two outputs, an empty environment, no files, UTC.
 *
 * The names of the imports are those of the binary that `JqModule` pins by its digest.
 */
import * as CalendarTime from "./CalendarTime.js"
import * as DateText from "./DateText.js"
import { PAGES_MAX } from "./JqBudget.js"
import type { WasmMemory } from "./WasmMemory.js"

/** The program has exited. */
export class Exit {
  constructor(readonly status: number) {}
}

/** The program has exhausted its memory or its steps. */
export class Exhausted {}

/** The input of an evaluation. */
export interface World {
  readonly input: Uint8Array
  readonly output: (bytes: Uint8Array) => void
  readonly errors: (bytes: Uint8Array) => void
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The parts of the instance that the host uses. */
export interface Guest {
  readonly memory: WasmMemory
  readonly setHighHalf: (value: number) => void
  /** Subtracts steps for work of the host. Throws `Exhausted` when too few are left. */
  readonly spend: (steps: number) => void
}

/** The arguments of some imports. */
type FourNumbers = readonly [number, number, number, number]

const PAGE = 65_536
const NO_ENTRY = 44
const NOT_A_TERMINAL = 59
const NO_SEEK = 70
const REGULAR_FILE = 4
const STDIN = "/dev/stdin"
const STDIN_FILE = 3
/** The host charges one step for this many copied bytes. */
const BYTES_PER_STEP = 64

const refuse = (): number => -NO_ENTRY
const succeed = (): number => 0

/** Memory grows by at least a fifth, up to its limit. */
const grow = ({ memory }: WasmMemory, wanted: number): number => {
  const pages = memory.buffer.byteLength / PAGE
  const needed = Math.ceil(wanted / PAGE)
  if (needed > PAGES_MAX) throw new Exhausted()
  memory.grow(Math.min(PAGES_MAX, Math.max(needed, Math.ceil(pages * 1.2))) - pages)
  return 1
}

const readerOf = (input: Uint8Array) => {
  let offset = 0
  return (buffers: ReadonlyArray<Uint8Array>): number => {
    const start = offset
    for (const buffer of buffers) {
      const part = input.subarray(offset, offset + buffer.length)
      buffer.set(part)
      offset += part.length
    }
    return offset - start
  }
}

const files = (world: World, guest: () => Guest) => {
  const read = readerOf(world.input)
  return {
    c: succeed,
    f: (_folder: number, path: number) =>
      guest().memory.text(path) === STDIN ? STDIN_FILE : -NO_ENTRY,
    g: (...[file, vector, count, total]: FourNumbers) => {
      const { memory, spend } = guest()
      const length = file === 0 || file === STDIN_FILE ? read(memory.buffers(vector, count)) : 0
      spend(length / BYTES_PER_STEP)
      memory.setI32(total, length)
      return 0
    },
    d: (...[file, vector, count, total]: FourNumbers) => {
      const { memory, spend } = guest()
      const buffers = memory.buffers(vector, count)
      for (const buffer of buffers) (file === 1 ? world.output : world.errors)(buffer)
      const length = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
      spend(length / BYTES_PER_STEP)
      memory.setI32(total, length)
      return 0
    },
    n: () => NO_SEEK,
    w: (_file: number, status: number) => {
      guest().memory.setByte(status, REGULAR_FILE)
      return 0
    },
    e: succeed,
    h: () => -NOT_A_TERMINAL,
    A: refuse,
    q: refuse,
    x: refuse,
    y: refuse,
    z: refuse,
    p: refuse
  }
}

const times = (world: World, guest: () => Guest) => {
  const breakDown = (low: number, high: number, address: number) =>
    CalendarTime.write(guest().memory, address, CalendarTime.fromHalves(low, high))
  return {
    B: world.now,
    k: breakDown,
    l: (low: number, high: number, address: number) => {
      breakDown(low, high, address)
      guest().memory.setI32(address + CalendarTime.Field.isSummer, 0)
      guest().memory.setI32(address + CalendarTime.Field.offset, 0)
    },
    m: (address: number) => {
      const seconds = CalendarTime.toSeconds(guest().memory, address)
      guest().setHighHalf(Number.isNaN(seconds) ? 0 : Math.floor(seconds / 2 ** 32))
      return Number.isNaN(seconds) ? 0 : seconds
    },
    v: (...[offset, hasSummer, name, summerName]: FourNumbers) => {
      guest().memory.setI32(offset, 0)
      guest().memory.setI32(hasSummer, 0)
      guest().memory.setText(name, "UTC-0000")
      guest().memory.setText(summerName, "UTC-0000")
    },
    u: (text: number, format: number, address: number) =>
      DateText.parse(guest(), { text, format, address })
  }
}

const process = (guest: () => Guest) => {
  const exit = (status: number): never => {
    throw new Exit(status)
  }
  return {
    a: (condition: number, file: number, line: number) => {
      const { memory } = guest()
      throw new Error(`assertion ${memory.text(condition)} at ${memory.text(file)}:${line}`)
    },
    D: () => {
      throw new Error("jq aborted")
    },
    C: (to: number, from: number, length: number) => {
      guest().spend(length / BYTES_PER_STEP)
      guest().memory.bytes.copyWithin(to, from, from + length)
    },
    r: succeed,
    t: succeed,
    o: (wanted: number) => grow(guest().memory, wanted >>> 0),
    i: succeed,
    j: (count: number, size: number) => {
      guest().memory.setI32(count, 0)
      guest().memory.setI32(size, 0)
      return 0
    },
    b: exit,
    s: exit
  }
}

/** The imports of one instance. */
export const importsOf = (world: World, guest: () => Guest): WebAssembly.Imports => ({
  a: { ...files(world, guest), ...times(world, guest), ...process(guest) }
})
