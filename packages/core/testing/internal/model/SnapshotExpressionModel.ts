/**
 * A slow, plain model of snapshot expressions, from the specification.
 *
 * Characters are read one by one, dates are counted in days from the year 1, and snapshots are searched from
 * the first to the last. Shares nothing with the module under test. SPEC §4.5
 */

/** The index, or the reason why there is none: the text (400) or the history (404). */
export type Resolved = number | "malformed" | "missing"

const isDigits = (text: string): boolean =>
  text.length >= 1 && text.length <= 9 && [...text].every((digit) => "0123456789".includes(digit))

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** The number of days of a month, months counting from 1. */
export const monthLength = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

const MICROS_PER_DAY = 86_400_000_000n

/** Days from 1 January of the year 1 to a date. */
const daysFromYearOne = (year: number, month: number, day: number): number => {
  const years = year - 1
  let days = years * 365 + Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400)
  for (let passed = 1; passed < month; passed++) days += monthLength(year, passed)
  return days + day - 1
}

const EPOCH_DAY = daysFromYearOne(1970, 1, 1)

const microsOf = (year: number, month: number, day: number, timeOfDay: bigint): bigint =>
  BigInt(daysFromYearOne(year, month, day) - EPOCH_DAY) * MICROS_PER_DAY + timeOfDay

/** Splits an instant into a date, found by iteration, and the microseconds since midnight. */
const split = (micros: bigint) => {
  let year = 1970
  while (microsOf(year, 1, 1, 0n) > micros) year -= 1
  while (microsOf(year + 1, 1, 1, 0n) <= micros) year += 1
  let month = 1
  while (month < 12 && microsOf(year, month + 1, 1, 0n) <= micros) month += 1
  let day = 1
  while (microsOf(year, month, day + 1, 0n) <= micros) day += 1
  return { year, month, day, timeOfDay: micros - microsOf(year, month, day, 0n) }
}

/** The same time of day some calendar months earlier, or none before the year 1. */
export const minusMonths = (micros: bigint, months: number): bigint | undefined => {
  let { year, month, day, timeOfDay } = split(micros)
  year -= Math.floor(months / 12)
  month -= months % 12
  if (month < 1) {
    month += 12
    year -= 1
  }
  if (year < 1) return undefined
  while (day > monthLength(year, month)) day -= 1
  return microsOf(year, month, day, timeOfDay)
}

const parseMoment = (text: string): bigint | undefined => {
  if (text.length !== 19) return undefined
  const numbers = [text.slice(0, 4), ...[5, 8, 11, 14, 17].map((at) => text.slice(at, at + 2))]
  if (!numbers.every(isDigits)) return undefined
  if ([4, 7, 10, 13, 16].map((at) => text[at]).join("") !== "--T::") return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers.map(Number)
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > monthLength(year, month))
    return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  return microsOf(year, month, day, BigInt(hour * 3600 + minute * 60 + second) * 1_000_000n)
}

const HOURS = new Map([
  ["hours", 1n],
  ["days", 24n],
  ["weeks", 168n]
])

const byIndex = (index: number, snapshots: ReadonlyArray<number>): Resolved =>
  index >= 1 && index <= snapshots.length ? index : "missing"

const byTime = (micros: bigint | undefined, snapshots: ReadonlyArray<number>): Resolved => {
  let found: Resolved = "missing"
  snapshots.forEach((at, position) => {
    if (micros !== undefined && BigInt(at) <= micros) found = position + 1
  })
  return found
}

const resolveNumber = (text: string, snapshots: ReadonlyArray<number>): Resolved => {
  const digits = text.startsWith("-") ? text.slice(1) : text
  if (!isDigits(digits) || Number(digits) === 0) return "malformed"
  return byIndex(
    text.startsWith("-") ? snapshots.length + 1 - Number(digits) : Number(digits),
    snapshots
  )
}

const resolveBraces = (inside: string, snapshots: ReadonlyArray<number>, now: bigint): Resolved => {
  if (inside === "now") return byIndex(snapshots.length, snapshots)
  const [count = "", unit = "", ago, ...rest] = inside.split(".")
  if (ago === "ago" && rest.length === 0 && isDigits(count) && Number(count) > 0) {
    const hours = HOURS.get(unit)
    if (hours !== undefined) return byTime(now - BigInt(count) * hours * 3_600_000_000n, snapshots)
    if (unit === "months") return byTime(minusMonths(now, Number(count)), snapshots)
  }
  const moment = parseMoment(inside)
  return moment === undefined ? "malformed" : byTime(moment, snapshots)
}

/** Resolves an expression in a history of snapshots, given by their instants in microseconds. */
export const resolve = (text: string, snapshots: ReadonlyArray<number>, now: number): Resolved => {
  if (text.startsWith("@{") && text.endsWith("}"))
    return resolveBraces(text.slice(2, -1), snapshots, BigInt(now))
  if (text.startsWith("~"))
    return isDigits(text.slice(1))
      ? byIndex(snapshots.length - Number(text.slice(1)), snapshots)
      : "malformed"
  return resolveNumber(text.startsWith("#") ? text.slice(1) : text, snapshots)
}
