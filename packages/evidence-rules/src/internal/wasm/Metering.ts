/**
 * Adds metering to a WebAssembly module: every function call and every iteration of a loop costs a step.
 *
 * The result exports two globals. `steps` is the remaining budget; the module traps below zero. `depth` is the stack
 * of nested calls; the module traps above `depthMax` and when the stack of C is full. The module counts both itself,
 * so they are the same on every machine and at every load.
 */
import { ByteReader } from "./ByteReader.js"
import { ByteWriter, name, signed, u32 } from "./ByteWriter.js"
import { Op, skipImmediates } from "./Instruction.js"

const Section = {
  type: 1,
  import: 2,
  function: 3,
  memory: 5,
  global: 6,
  export: 7,
  code: 10
} as const
const EMPTY_BLOCK = 0x40
const I64 = 0x7e
const MUTABLE = 1
const GLOBAL_KIND = 3
const STACK_POINTER = 0

/** The limits of a module. */
export interface MeterLimits {
  /** Pages of 64 KiB. */
  readonly pagesMax: number
  /** Slots of eight bytes of the stack for nested calls. */
  readonly depthMax: number
  /** The lowest address of the stack of C; the first global is its current address. */
  readonly stackFloor: number
}

interface Section {
  readonly id: number
  readonly body: Uint8Array
}

const sectionsOf = (bytes: Uint8Array): ReadonlyArray<Section> => {
  const reader = new ByteReader(bytes, 8)
  const sections: Array<Section> = []
  while (!reader.isAtEnd) {
    const id = reader.byte()
    sections.push({ id, body: reader.take(reader.u32()) })
  }
  return sections
}

/** The number of parameters of a function, and its result as the type of a block. */
interface FunctionType {
  readonly params: number
  readonly result: number
}

const typesOf = (body: Uint8Array): ReadonlyArray<FunctionType> => {
  const reader = new ByteReader(body)
  return Array.from({ length: reader.u32() }, () => {
    if (reader.byte() !== 0x60) throw new Error("a type is not of a function")
    const params = reader.take(reader.u32()).length
    const results = reader.take(reader.u32())
    if (results.length > 1) throw new Error("a function has several results")
    return { params, result: results[0] ?? EMPTY_BLOCK }
  })
}

const refuseGlobalImports = (body: Uint8Array): void => {
  const reader = new ByteReader(body)
  const count = reader.u32()
  for (let index = 0; index < count; index += 1) {
    reader.take(reader.u32())
    reader.take(reader.u32())
    if (reader.byte() !== 0) throw new Error("something else than a function is imported")
    reader.u32()
  }
}

const numbersOf = (body: Uint8Array): ReadonlyArray<number> => {
  const reader = new ByteReader(body)
  return Array.from({ length: reader.u32() }, () => reader.u32())
}

/** Appends entries to a section that begins with the number of its entries. */
const extended = (body: Uint8Array, more: ReadonlyArray<ReadonlyArray<number>>): Uint8Array => {
  const reader = new ByteReader(body)
  const count = reader.u32()
  return new ByteWriter()
    .push(u32(count + more.length))
    .push(body.subarray(reader.offset))
    .push(more.flat())
    .done()
}

const limitedMemory = (body: Uint8Array, pagesMax: number): ReadonlyArray<number> => {
  const reader = new ByteReader(body)
  if (reader.u32() !== 1) throw new Error("there is not one memory")
  reader.byte()
  return [1, 1, ...u32(reader.u32()), ...u32(pagesMax)]
}

const trapIf = (
  condition: ReadonlyArray<number>,
  before: ReadonlyArray<number> = []
): ReadonlyArray<number> => [...condition, Op.if, EMPTY_BLOCK, ...before, Op.unreachable, Op.end]

interface Globals {
  readonly steps: number
  readonly depth: number
}

/** The code that is inserted at each metered position. */
interface Prices {
  readonly step: ReadonlyArray<number>
  readonly stack: ReadonlyArray<number>
  readonly enter: (slots: number) => ReadonlyArray<number>
  readonly leave: (slots: number) => ReadonlyArray<number>
}

const changed = (global: number, op: number, amount: number): ReadonlyArray<number> => [
  Op.globalGet,
  ...u32(global),
  Op.i64Const,
  ...signed(amount),
  op,
  Op.globalSet,
  ...u32(global)
]

const pricesOf = ({ steps, depth }: Globals, { depthMax, stackFloor }: MeterLimits): Prices => ({
  step: [
    ...changed(steps, Op.i64Sub, 1),
    ...trapIf([Op.globalGet, ...u32(steps), Op.i64Const, 0, Op.i64LtS])
  ],
  stack: trapIf(
    [Op.globalGet, STACK_POINTER, Op.i32Const, ...signed(stackFloor), Op.i32LtU],
    [Op.i64Const, ...signed(depthMax + 1), Op.globalSet, ...u32(depth)]
  ),
  enter: (slots) => [
    ...changed(depth, Op.i64Add, slots),
    ...trapIf([Op.i64Const, ...signed(depthMax), Op.globalGet, ...u32(depth), Op.i64LtS])
  ],
  leave: (slots) => changed(depth, Op.i64Sub, slots)
})

/** Copies the instructions of a function: loops are metered, and `return` becomes a branch out of the outer block. */
const meteredBody = (reader: ByteReader, prices: Prices, writer: ByteWriter): void => {
  let nesting = 0
  while (true) {
    const start = reader.offset
    const op = reader.byte()
    skipImmediates(reader, op)
    const instruction = reader.since(start)
    if (op >= Op.block && op <= Op.if) nesting += 1
    if (op === Op.return) writer.push([Op.br, ...u32(nesting)])
    else writer.push(instruction)
    if (op === Op.loop) writer.push(prices.step)
    if (op === Op.globalSet && instruction[1] === STACK_POINTER) writer.push(prices.stack)
    if (op !== Op.end) continue
    if (nesting === 0) return
    nesting -= 1
  }
}

const localsOf = (reader: ByteReader): number => {
  const groups = reader.u32()
  let count = 0
  for (let index = 0; index < groups; index += 1) {
    count += reader.u32()
    reader.byte()
  }
  return count
}

/** The slots of a frame besides its locals: return address, saved registers, temporary values. */
const FRAME_SLOTS = 16

const meteredFunction = (code: Uint8Array, type: FunctionType, prices: Prices): Uint8Array => {
  const reader = new ByteReader(code)
  const slots = FRAME_SLOTS + type.params + localsOf(reader)
  const writer = new ByteWriter()
    .push(reader.since(0))
    .push(prices.step)
    .push(prices.enter(slots))
    .push([Op.block, type.result])
  meteredBody(reader, prices, writer)
  return writer.push(prices.leave(slots)).push([Op.end]).done()
}

const need = (sections: ReadonlyArray<Section>, id: number): Uint8Array => {
  const found = sections.find((section) => section.id === id)
  if (found === undefined) throw new Error(`the module has no section ${id}`)
  return found.body
}

const meteredCode = (sections: ReadonlyArray<Section>, prices: Prices): Uint8Array => {
  const types = typesOf(need(sections, Section.type))
  const typeOfFunction = numbersOf(need(sections, Section.function))
  const reader = new ByteReader(need(sections, Section.code))
  const count = reader.u32()
  const writer = new ByteWriter().push(u32(count))
  for (let index = 0; index < count; index += 1) {
    const type = types[typeOfFunction[index] ?? -1]
    if (type === undefined) throw new Error(`function ${index} has no type`)
    writer.sized(meteredFunction(reader.take(reader.u32()), type, prices))
  }
  return writer.done()
}

/** The metered module. Throws for a module that is not the output of a C compiler. */
export const meter = (bytes: Uint8Array, limits: MeterLimits): Uint8Array<ArrayBuffer> => {
  const sections = sectionsOf(bytes)
  refuseGlobalImports(need(sections, Section.import))
  const first = new ByteReader(need(sections, Section.global)).u32()
  const globals: Globals = { steps: first, depth: first + 1 }
  const zero = [I64, MUTABLE, Op.i64Const, 0, Op.end]
  const exported = (text: string, index: number) => [...name(text), GLOBAL_KIND, ...u32(index)]
  const rewritten = ({ id, body }: Section): ArrayLike<number> => {
    if (id === Section.memory) return limitedMemory(body, limits.pagesMax)
    if (id === Section.global) return extended(body, [zero, zero])
    if (id === Section.export)
      return extended(body, [exported("steps", globals.steps), exported("depth", globals.depth)])
    return id === Section.code ? meteredCode(sections, pricesOf(globals, limits)) : body
  }
  const writer = new ByteWriter().push(bytes.subarray(0, 8))
  for (const section of sections) writer.push([section.id]).sized(rewritten(section))
  return writer.done()
}
