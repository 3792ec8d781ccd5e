/**
 * Equality and order of the values that expressions compare. SPEC §2.7.2
 *
 * Numbers are decimals of any length and are compared exactly: a build number of twenty digits is not rounded.
 * Texts are ordered by code points, unlike in JavaScript.
 */

/** A parsed decimal: its digits without redundant zeros. */
export interface Decimal {
  readonly negative: boolean
  readonly whole: string
  readonly fraction: string
}

const DECIMAL = /^[+-]?[0-9]+(?:\.[0-9]+)?$/

/** Parses a decimal; undefined when the text is no plain decimal. */
export const decimal = (text: string): Decimal | undefined => {
  if (!DECIMAL.test(text)) return undefined
  const dot = text.indexOf(".")
  const end = dot === -1 ? text.length : dot
  // WHY: a regular expression that strips zeros takes quadratic time on a long run of them.
  let from = text.startsWith("-") || text.startsWith("+") ? 1 : 0
  while (from < end - 1 && text[from] === "0") from++
  let to = text.length - 1
  while (dot !== -1 && text[to] === "0") to--
  const whole = text.slice(from, end)
  const fraction = dot === -1 ? "" : text.slice(dot + 1, to + 1)
  return { negative: text.startsWith("-") && (whole !== "0" || fraction !== ""), whole, fraction }
}

/** A number of JavaScript as a decimal; undefined for one that is not finite. */
export const fromNumber = (number: number): Decimal | undefined => {
  const [mantissa = "", exponent = "0"] = String(number).split("e")
  const power = Number(exponent)
  if (!Number.isFinite(number) || power === 0) return decimal(mantissa)
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".")
  const digits = `${whole}${fraction}`
  const sign = number < 0 ? "-" : ""
  return decimal(
    power > 0
      ? `${sign}${digits.padEnd(whole.length + power, "0")}`
      : `${sign}0.${"0".repeat(-power - whole.length)}${digits}`
  )
}

const order = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

const compareMagnitudes = (left: Decimal, right: Decimal): number =>
  left.whole.length - right.whole.length ||
  order(left.whole, right.whole) ||
  order(left.fraction, right.fraction)

/** Negative, zero or positive as the left number is smaller, equal or greater. */
export const compareDecimals = (left: Decimal, right: Decimal): number => {
  if (left.negative !== right.negative) return left.negative ? -1 : 1
  return left.negative ? compareMagnitudes(right, left) : compareMagnitudes(left, right)
}

/** Numbers of at most this many digits are exact in floating point. */
const EXACT_DIGITS = 15

/** The value of a short run of digits; -1 for any other text. */
const shortInteger = (text: string): number => {
  if (text.length === 0 || text.length > EXACT_DIGITS) return -1
  let value = 0
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

/** Compares texts with one number; a text that is no number has no order. */
export const orderAgainst = (number: Decimal): ((text: string) => number | undefined) => {
  const { fraction, negative, whole } = number
  const isShort = whole.length + fraction.length <= EXACT_DIGITS
  const value = isShort ? Number(`${negative ? "-" : ""}${whole}.${fraction}`) : 0
  return (text) => {
    const integer = isShort ? shortInteger(text) : -1
    if (integer >= 0) return integer - value
    const other = decimal(text)
    return other === undefined ? undefined : compareDecimals(other, number)
  }
}

// WHY: in UTF-16 the characters beyond U+FFFF begin with a surrogate, which sorts below U+E000.
const rank = (unit: number): number =>
  unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit

/** Negative, zero or positive as the left text is before, equal to, or after the right one. */
export const compareTexts = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const one = left.charCodeAt(at)
    const other = right.charCodeAt(at)
    if (one !== other) return rank(one) - rank(other)
  }
  return left.length - right.length
}

/** The value of an operand; a number is the only object. */
export type Value = string | boolean | null | Decimal

const isDecimal = (value: Value): value is Decimal => typeof value === "object" && value !== null

/** A number, or a text that is one. */
const numeric = (value: Value): Decimal | undefined =>
  isDecimal(value) ? value : typeof value === "string" ? decimal(value) : undefined

/** Whether two values are equal: numbers by value, anything else by kind and content. */
export const equals = (left: Value, right: Value): boolean => {
  if (!isDecimal(left) && !isDecimal(right)) return left === right
  const one = numeric(left)
  const other = numeric(right)
  return one !== undefined && other !== undefined && compareDecimals(one, other) === 0
}

/** The order of two values; undefined when they have none. */
export const compare = (left: Value, right: Value): number | undefined => {
  if (typeof left === "string" && typeof right === "string") return compareTexts(left, right)
  const one = numeric(left)
  const other = numeric(right)
  return one === undefined || other === undefined ? undefined : compareDecimals(one, other)
}
