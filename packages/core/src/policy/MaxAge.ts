/**
 * How old evidence may be, as policies of schema version 2 write it: `90m`, `12h`, `7d`, `2w`.
 *
 * An age is counted from the acceptance of the evidence, never from a client's clock.
 */
import * as Option from "effect/Option"

/** The pattern of an age: a number and its unit, minutes to weeks. */
export const PATTERN = "^[1-9][0-9]{0,4}(m|h|d|w)$"

/** The longest age, in days. */
export const DAYS_MAX = 3_650

const DAY = 86_400

const UNITS = [
  { letter: "w", word: "week", seconds: 7 * DAY },
  { letter: "d", word: "day", seconds: DAY },
  { letter: "h", word: "hour", seconds: 3_600 },
  { letter: "m", word: "minute", seconds: 60 }
] as const

const regExp = new RegExp(PATTERN)

/** The age in seconds; none for a text that is no age, or one that is too long. */
export const parse = (text: string): Option.Option<number> => {
  if (!regExp.test(text)) return Option.none()
  const unit = UNITS.find(({ letter }) => text.endsWith(letter))
  const seconds = Number.parseInt(text, 10) * (unit?.seconds ?? 0)
  return seconds <= DAYS_MAX * DAY ? Option.some(seconds) : Option.none()
}

/** The largest unit that counts an age without a rest. */
const unitOf = (seconds: number) =>
  UNITS.find((unit) => seconds % unit.seconds === 0) ?? { letter: "m", word: "minute", seconds: 60 }

/** The text of an age in a policy; `parse` reads it back. */
export const print = (seconds: number): string => {
  const unit = unitOf(seconds)
  return `${seconds / unit.seconds}${unit.letter}`
}

/** An age for people: `7 days`. */
export const describe = (seconds: number): string => {
  const unit = unitOf(seconds)
  const count = seconds / unit.seconds
  return `${count} ${unit.word}${count === 1 ? "" : "s"}`
}
