/**
 * How lines for people look: colours and shortened values on a terminal, whole values elsewhere.
 *
 * Foreign texts pass through `text`, which makes them safe to print.
 */
import * as Duration from "./Duration.js"
import * as ForeignText from "./ForeignText.js"

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const

/** A colour or weight. */
export type Tint = keyof typeof CODES

/** The style of lines. */
export interface Style {
  readonly isTerminal: boolean
  readonly columns: number
  readonly tint: (tint: Tint, text: string) => string
  /** A foreign text, made safe, on one line. */
  readonly text: (text: unknown) => string
  /** A fingerprint or a commit, shortened on a terminal. */
  readonly short: (digest: unknown) => string
  /** An instant in epoch seconds: relative on a terminal, ISO 8601 elsewhere. */
  readonly instant: (seconds: unknown) => string
}

/** The options of a style. */
export interface StyleOptions {
  readonly isTerminal: boolean
  readonly isColoured: boolean
  readonly columns: number
  readonly nowMs: number
}

const SHORT_LENGTH = 12

const instantOf = ({ isTerminal, nowMs }: StyleOptions, seconds: unknown): string => {
  if (typeof seconds !== "number" || seconds === 0) return "never"
  const millis = seconds * 1_000
  if (isTerminal) return Duration.relative(millis - nowMs)
  return Math.abs(millis) > 8.64e15 ? String(seconds) : new Date(millis).toISOString()
}

/** Makes a style. */
export const make = (options: StyleOptions): Style => {
  const text = (value: unknown) => ForeignText.line(String(value ?? ""))
  return {
    isTerminal: options.isTerminal,
    columns: options.columns,
    tint: (tint, value) => (options.isColoured ? `\u001b[${CODES[tint]}m${value}\u001b[0m` : value),
    text,
    short: (digest) => (options.isTerminal ? text(digest).slice(0, SHORT_LENGTH) : text(digest)),
    instant: (seconds) => instantOf(options, seconds)
  }
}

/** A verdict in its colour. */
export const verdict = (style: Style, compliant: unknown): string => {
  if (compliant === true) return style.tint("green", "compliant")
  return compliant === false ? style.tint("red", "not compliant") : style.tint("yellow", "unknown")
}
