/** The broken-down time of C in the memory of an instance. Every time is UTC: there is no other zone. */
import type { WasmMemory } from "./WasmMemory.js"

const MILLIS_PER_DAY = 86_400_000
/** The offsets of the fields of `struct tm`. */
export const Field = {
  second: 0,
  minute: 4,
  hour: 8,
  day: 12,
  month: 16,
  year: 20,
  weekday: 24,
  yearday: 28,
  isSummer: 32,
  offset: 36
} as const

/** Writes a time; an invalid time becomes zeros. */
export const write = (memory: WasmMemory, address: number, date: Date): void => {
  const startOfYear = Date.UTC(date.getUTCFullYear(), 0, 1)
  memory.setI32(address + Field.second, date.getUTCSeconds())
  memory.setI32(address + Field.minute, date.getUTCMinutes())
  memory.setI32(address + Field.hour, date.getUTCHours())
  memory.setI32(address + Field.day, date.getUTCDate())
  memory.setI32(address + Field.month, date.getUTCMonth())
  memory.setI32(address + Field.year, date.getUTCFullYear() - 1900)
  memory.setI32(address + Field.weekday, date.getUTCDay())
  memory.setI32(
    address + Field.yearday,
    Math.trunc((date.getTime() - startOfYear) / MILLIS_PER_DAY)
  )
}

/** Seconds since 1970 from the two halves of a C number. */
export const fromHalves = (low: number, high: number): Date => {
  const seconds = (low >>> 0) + high * 2 ** 32
  return new Date(seconds * 1000)
}

/** The time of the fields, with the derived fields corrected. */
export const toSeconds = (memory: WasmMemory, address: number): number => {
  const at = (field: number) => memory.i32(address + field)
  const date = new Date(
    Date.UTC(
      at(Field.year) + 1900,
      at(Field.month),
      at(Field.day),
      at(Field.hour),
      at(Field.minute),
      at(Field.second)
    )
  )
  const startOfYear = Date.UTC(date.getUTCFullYear(), 0, 1)
  memory.setI32(address + Field.weekday, date.getUTCDay())
  memory.setI32(
    address + Field.yearday,
    Math.trunc((date.getTime() - startOfYear) / MILLIS_PER_DAY)
  )
  return date.getTime() / 1000
}
