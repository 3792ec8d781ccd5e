/**
 * Reads instants as epoch seconds. A text or number that is no instant, or that the log cannot hold, is null.
 */
import * as Timestamp from "@attestry/core/Timestamp"

const SECONDS_MAX = Timestamp.MICROSECONDS_MAX / 1_000_000
/** From here on a number of an instant is milliseconds: as seconds it would be after the year 5000. */
const MILLIS_MIN = 100_000_000_000

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?(?:[Zz]|([+-])(\d\d):?(\d\d)))?)?$/

const within = (seconds: number): number | null =>
  Math.abs(seconds) <= SECONDS_MAX ? seconds : null

const isDate = (year: number, month: number, day: number): boolean => {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** The instant of a text of ISO 8601; without a zone it is UTC. */
export const fromText = (value: unknown): number | null => {
  const parts = typeof value === "string" && value.length <= 64 ? ISO.exec(value.trim()) : null
  if (parts === null) return null
  const number = (index: number): number => Number(parts[index] ?? 0)
  const [year, month, day] = [number(1), number(2), number(3)]
  const [hour, minute, second] = [number(4), number(5), number(6)]
  const [zoneHour, zoneMinute] = [number(9), number(10)]
  if (!isDate(year, month, day) || hour > 23 || minute > 59 || second > 60) return null
  if (zoneHour > 23 || zoneMinute > 59) return null
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const zone = (zoneHour * 3_600 + zoneMinute * 60) * (parts[8] === "-" ? -1 : 1)
  const whole = date.getTime() / 1_000 + hour * 3_600 + minute * 60 + second - zone
  const micros = Number((parts[7] ?? "").padEnd(6, "0").slice(0, 6))
  return within((whole * 1_000_000 + micros) / 1_000_000)
}

/** The instant of a number of seconds or milliseconds since the epoch, or of digits of one; zero is no instant. */
export const fromEpoch = (value: unknown): number | null => {
  const isDigits = typeof value === "string" && /^\d{1,16}(?:\.\d{1,9})?$/.test(value)
  const number = isDigits ? Number(value) : value
  if (typeof number !== "number" || !(number > 0)) return null
  return within(number >= MILLIS_MIN ? number / 1_000 : number)
}
