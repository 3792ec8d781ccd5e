/**
 * Reads one instruction of WebAssembly, to find the next one and the nesting of blocks.
 *
 * Supports the output of a C compiler: numbers, memory, calls, blocks, bulk memory. Throws for anything else.
 */
import type { ByteReader } from "./ByteReader.js"

/** The instructions that change the nesting of blocks, or leave a function. */
export const Op = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  br: 0x0c,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Const: 0x41,
  i64Const: 0x42,
  i32LtU: 0x49,
  i64LtS: 0x53,
  i64Add: 0x7c,
  i64Sub: 0x7d
} as const

/** The number of operands of prefixed instructions, by their code: bulk memory and tables. */
const PREFIXED: ReadonlyMap<number, number> = new Map([
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((code) => [code, 0] as const),
  [8, 2],
  [9, 1],
  [10, 2],
  [11, 1]
])

const skipNumbers = (reader: ByteReader, count: number): void => {
  for (let index = 0; index < count; index += 1) reader.skipLeb()
}

const skipPrefixed = (reader: ByteReader): void => {
  const code = reader.u32()
  const count = PREFIXED.get(code)
  if (count === undefined) throw new Error(`unknown instruction 0xfc ${code}`)
  skipNumbers(reader, count)
}

const between = (op: number, low: number, high: number): boolean => op >= low && op <= high

/** The number of operands of an instruction, where it is fixed. */
const numbersOf = (op: number): number => {
  if (op === Op.callIndirect || between(op, 0x28, 0x3e)) return 2
  const isOne =
    between(op, Op.block, Op.if) ||
    between(op, Op.br, 0x0d) ||
    op === Op.call ||
    between(op, 0x20, 0x24) ||
    between(op, 0x3f, Op.i64Const)
  return isOne ? 1 : 0
}

/** Skips the operands of an instruction. */
export const skipImmediates = (reader: ByteReader, op: number): void => {
  const count = numbersOf(op)
  if (count > 0) skipNumbers(reader, count)
  else if (op === Op.brTable) skipNumbers(reader, reader.u32() + 1)
  else if (op === 0x43) reader.take(4)
  else if (op === 0x44) reader.take(8)
  else if (op === 0xfc) skipPrefixed(reader)
  else if (!isBare(op)) throw new Error(`unknown instruction 0x${op.toString(16)}`)
}

/** Whether the instruction has no operands. */
const isBare = (op: number): boolean =>
  op <= 0x01 ||
  op === 0x05 ||
  op === Op.end ||
  op === Op.return ||
  op === 0x1a ||
  op === 0x1b ||
  (op >= 0x45 && op <= 0xc4)
