/**
 * Calendar arithmetic on instants, in UTC and the Gregorian calendar.
 *
 * There are no zones and no leap seconds. An instant beyond the range of `Timestamp` is clamped to its first or
 * last whole second.
 */
import * as Option from "effect/Option"
import { MICROSECONDS_MAX, Timestamp } from "../Timestamp.js"

const MICROS_PER_SECOND = 1_000_000
const MILLIS_PER_DAY = 86_400_000
const SECONDS_MAX = Math.floor(MICROSECONDS_MAX / MICROS_PER_SECOND)

/** The earliest whole second that a `Timestamp` can hold, in the year 1684. */
export const EARLIEST: Timestamp = Timestamp.make(-SECONDS_MAX * MICROS_PER_SECOND)
/** The latest whole second that a `Timestamp` can hold, in the year 2255. */
export const LATEST: Timestamp = Timestamp.make(SECONDS_MAX * MICROS_PER_SECOND)

/** The instant nearest to a number of microseconds, between `EARLIEST` and `LATEST`. */
export const clamp = (micros: number): Timestamp =>
  micros <= EARLIEST ? EARLIEST : micros >= LATEST ? LATEST : Timestamp.make(micros)

/** A day of the calendar; months count from 1. */
export interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

// WHY: `Date.UTC` takes the years 0 to 99 for 1900 to 1999, `setUTCFullYear` takes them as they are.
const millisOf = ({ year, month, day }: Day): number =>
  new Date(0).setUTCFullYear(year, month - 1, day)

const millisFloor = (instant: Timestamp): number => Math.floor(instant / 1000)

/** The number of days of a month. */
export const daysInMonth = (year: number, month: number): number =>
  new Date(millisOf({ year, month: month + 1, day: 0 })).getUTCDate()

/** The day of an instant. */
export const dayOf = (instant: Timestamp): Day => {
  const date = new Date(millisFloor(instant))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

const MOMENT = /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})$/

/** The instant of `YYYY-MM-DDTHH:MM:SS`; none when there is no such date or time. */
export const parseMoment = (text: string): Option.Option<Timestamp> => {
  const [year, month, day, hour, minute, second] = (MOMENT.exec(text) ?? []).slice(1).map(Number)
  if (year === undefined || month === undefined || day === undefined) return Option.none()
  if (hour === undefined || minute === undefined || second === undefined) return Option.none()
  // WHY: the platform rolls 30 February over to 1 March, so every part is checked first.
  const exists =
    year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
  if (!exists || hour > 23 || minute > 59 || second > 59) return Option.none()
  const seconds = hour * 3600 + minute * 60 + second
  return Option.some(clamp(millisOf({ year, month, day }) * 1000 + seconds * MICROS_PER_SECOND))
}

/** The whole second of an instant as `YYYY-MM-DDTHH:MM:SS`; a fraction is dropped. */
export const printMoment = (instant: Timestamp): string =>
  new Date(millisFloor(instant)).toISOString().slice(0, 19)

/** An instant as ISO 8601 with microseconds and the zone `Z`. */
export const printIso = (instant: Timestamp): string => {
  const micros = instant - Math.floor(instant / MICROS_PER_SECOND) * MICROS_PER_SECOND
  return `${printMoment(instant)}.${String(micros).padStart(6, "0")}Z`
}

/**
 * The same time of day this many calendar months earlier; a day that the month does not have becomes its last
 * one.
 */
export const minusMonths = (instant: Timestamp, months: number): Timestamp => {
  const { year, month, day } = dayOf(instant)
  const monthIndex = year * 12 + (month - 1) - months
  const target = { year: Math.floor(monthIndex / 12), month: (monthIndex % 12) + 1 }
  if (target.year < 1) return EARLIEST
  const lastDay = daysInMonth(target.year, target.month)
  const midnight = Math.floor(millisFloor(instant) / MILLIS_PER_DAY) * MILLIS_PER_DAY
  const timeOfDay = instant - midnight * 1000
  return clamp(millisOf({ ...target, day: Math.min(day, lastDay) }) * 1000 + timeOfDay)
}
