/**
 * `strptime`: parses a time by a format of C. The binary of jq imports this function from its host.
 *
 * Matching backtracks over the choices of each part; each attempt costs a step, so no format exceeds its budget. Times
 * are UTC.
 */
import * as CalendarTime from "./CalendarTime.js"
import * as DatePart from "./DatePart.js"
import type { WasmMemory } from "./WasmMemory.js"

/** The calling instance. */
export interface Asker {
  readonly memory: WasmMemory
  readonly spend: (steps: number) => void
}

/** The addresses of the text, the format and the time. */
export interface Places {
  readonly text: number
  readonly format: number
  readonly address: number
}

/** The end of the match, and the first match of each directive by its letter. */
interface Match {
  readonly end: number
  readonly found: ReadonlyMap<string, string>
}

/** Matches the parts in order; backtracks when a part does not match. */
const matchAll = (
  parts: ReadonlyArray<DatePart.DatePart>,
  text: string,
  spend: (steps: number) => void
): Match | undefined => {
  const choices: Array<ReadonlyArray<number>> = []
  const chosen: Array<number> = []
  const starts: Array<number> = [0]
  let index = 0
  while (index >= 0 && index < parts.length) {
    spend(1)
    const part = parts[index]
    const start = starts[index] ?? 0
    const lengths =
      choices[index] ?? (part === undefined ? [] : DatePart.lengths(part, { text, start, spend }))
    choices[index] = lengths
    const next = (chosen[index] ?? -1) + 1
    const length = lengths[next]
    if (length === undefined) {
      choices.length = index
      chosen.length = index
      index -= 1
    } else {
      chosen[index] = next
      index += 1
      starts[index] = start + length
    }
  }
  if (index < 0) return undefined
  const found = new Map<string, string>()
  parts.forEach((part, at) => {
    const matched = text.slice(starts[at], starts[at + 1])
    const letter = DatePart.directiveOf(part, matched)
    if (letter !== undefined && !found.has(letter)) found.set(letter, matched)
  })
  return { end: starts[parts.length] ?? 0, found }
}

const monthOf = (found: ReadonlyMap<string, string>): number | undefined => {
  const number = found.get("m")
  if (number !== undefined) return Number.parseInt(number, 10) - 1
  const name = found.get("b")
  return name === undefined ? undefined : DatePart.indexIn(DatePart.MONTHS, name)
}

const hourOf = (found: ReadonlyMap<string, string>): number | undefined => {
  const hour = found.get("H")
  if (hour !== undefined) return Number.parseInt(hour, 10)
  const half = found.get("I")
  if (half === undefined) return undefined
  const isLater = found.get("p")?.toUpperCase().startsWith("P") === true
  return Number.parseInt(half, 10) + (isLater ? 12 : 0)
}

const yearOf = (found: ReadonlyMap<string, string>): number | undefined => {
  const year = found.get("Y")
  if (year !== undefined) return Number.parseInt(year, 10)
  const short = found.get("y")
  if (short === undefined) return undefined
  const century = found.get("C")
  const value = Number.parseInt(short, 10)
  return century === undefined
    ? value + (value < 69 ? 2000 : 1900)
    : value + Number.parseInt(century, 10) * 100
}

/** The day of the year of a week and a weekday, counted from the first of January. */
const dayOfWeek = (year: number, found: ReadonlyMap<string, string>): number | undefined => {
  const weekday = found.get("a")
  const fromSunday = found.get("U")
  const week = fromSunday ?? found.get("W")
  if (weekday === undefined || week === undefined) return undefined
  const shift = fromSunday === undefined ? 6 : 0
  const day = (DatePart.indexIn(DatePart.WEEKDAYS, weekday) + shift) % 7
  const first = (new Date(Date.UTC(year, 0, 1)).getUTCDay() + shift) % 7
  const beforeFirstWeek = first === 0 ? 0 : 7 - first
  return beforeFirstWeek + day + 7 * (Number.parseInt(week, 10) - 1)
}

const numberOf = (found: ReadonlyMap<string, string>, letter: string): number | undefined => {
  const text = found.get(letter)
  return text === undefined ? undefined : Number.parseInt(text, 10)
}

/** The day of the month and the month; absent parts are those of the first of January. */
const dateOf = (year: number, found: ReadonlyMap<string, string>): number => {
  const month = monthOf(found) ?? 0
  const day = numberOf(found, "d")
  if (day !== undefined) return Date.UTC(year, month, day)
  const yearday = numberOf(found, "j")
  if (yearday !== undefined) return Date.UTC(year, 0, yearday)
  const fromWeek = dayOfWeek(year, found)
  return fromWeek === undefined ? Date.UTC(year, month, 1) : Date.UTC(year, 0, 1 + fromWeek)
}

const offsetOf = (text: string | undefined): number => {
  if (text === undefined || text.toUpperCase() === "Z") return 0
  const sign = text.startsWith("-") ? -1 : 1
  const digits = text.replaceAll(/[^0-9]/g, "")
  const minutes = digits.length === 4 ? Number.parseInt(digits.slice(2), 10) : 0
  return sign * (Number.parseInt(digits.slice(0, 2), 10) * 3600 + minutes * 60)
}

/** Parses a time. Returns the address after it in the text, or zero when the text does not match. */
export const parse = ({ memory, spend }: Asker, { text, format, address }: Places): number => {
  const said = memory.text(text)
  const parts = DatePart.parse(memory.text(format))
  spend((said.length + parts.length) / 8)
  const match = matchAll(parts, said, spend)
  if (match === undefined) return 0
  const { found, end } = match
  const time =
    dateOf(yearOf(found) ?? 1970, found) +
    ((hourOf(found) ?? 0) * 3600 + (numberOf(found, "M") ?? 0) * 60 + (numberOf(found, "S") ?? 0)) *
      1000
  CalendarTime.write(memory, address, new Date(time))
  memory.setI32(address + CalendarTime.Field.isSummer, 0)
  memory.setI32(address + CalendarTime.Field.offset, offsetOf(found.get("z")))
  return text + Buffer.byteLength(said.slice(0, end))
}
