/**
 * The literals and patterns that tests compare one term with, and texts on every side of them.
 *
 * Numbers are counted in units of a tenth of the smallest digit that occurs, so that there is one between any two.
 */

import type { ComparisonOperator, Expression, Literal } from "@attestry/core/PolicyExpressionTree"
import { compareTexts, decimal } from "@attestry/core/PolicyValue"
import type { Term } from "./ConditionFormula.js"
import { termOf } from "./ConditionFormula.js"
import { samples } from "./PatternSamples.js"

/** The literals and patterns of the tests of one term. */
export interface TermLiterals {
  /** Texts that it may equal. */
  readonly texts: ReadonlyArray<string>
  /** Texts that it is ordered against, ascending. */
  readonly ordered: ReadonlyArray<string>
  /** The position of each of them. */
  readonly orderOf: ReadonlyMap<string, number>
  /** Numbers, ascending, each with its value in units. */
  readonly numbers: ReadonlyArray<bigint>
  /** The decimal digits of a unit. */
  readonly scale: number
  readonly patterns: ReadonlyArray<string>
}

const isOrder = (operator: ComparisonOperator): boolean => operator !== "==" && operator !== "!="

const literalsOf = (node: Expression, term: Term): ReadonlyArray<Literal> => {
  if (node._tag === "In") return node.list
  if (node._tag !== "Compare") return []
  const { left, right } = node
  const other = termOf(left) === term ? right : left
  return other._tag === "Text" || other._tag === "Number" ? [other] : []
}

const unique = <A>(items: Iterable<A>): ReadonlyArray<A> => [...new Set(items)]

/** The value of a decimal in units. */
export const unitsOf = (digits: string, scale: number): bigint | undefined => {
  const read = decimal(digits)
  if (read === undefined || read.fraction.length > scale) return undefined
  const magnitude = BigInt(read.whole + read.fraction.padEnd(scale, "0"))
  return read.negative ? -magnitude : magnitude
}

/** The decimal of a value in units. */
export const printUnits = (units: bigint, scale: number): string => {
  const magnitude = (units < 0n ? -units : units).toString().padStart(scale + 1, "0")
  const whole = magnitude.slice(0, magnitude.length - scale)
  const fraction = magnitude.slice(magnitude.length - scale).replace(/0+$/, "")
  return `${units < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`
}

/** The literals of the tests of a term. */
export const read = (nodes: ReadonlyArray<Expression>, term: Term): TermLiterals => {
  const literals = nodes.flatMap((node) => literalsOf(node, term))
  const digits = literals.flatMap((literal) => (literal._tag === "Number" ? [literal.digits] : []))
  const texts = literals.flatMap((literal) => (literal._tag === "Text" ? [literal.value] : []))
  const fractions = [...digits, ...texts].map((text) => decimal(text)?.fraction.length ?? 0)
  const scale = Math.max(0, ...fractions) + 1
  const ordered = unique(
    nodes.flatMap((node) =>
      node._tag === "Compare" && isOrder(node.operator)
        ? literalsOf(node, term).flatMap((one) => (one._tag === "Text" ? [one.value] : []))
        : []
    )
  )
    .slice()
    .sort(compareTexts)
  return {
    texts: unique(texts),
    ordered,
    orderOf: new Map(ordered.map((text, at) => [text, at])),
    numbers: unique(digits.flatMap((one) => unitsOf(one, scale) ?? []))
      .slice()
      .sort((left, right) => (left < right ? -1 : left > right ? 1 : 0)),
    scale,
    patterns: unique(nodes.flatMap((node) => (node._tag === "Matches" ? [node.pattern] : [])))
  }
}

/** Numbers on every side of those of the tests, in units. */
const numbersAround = ({ numbers, scale }: TermLiterals): ReadonlyArray<bigint> => {
  const first = numbers[0]
  const last = numbers.at(-1)
  if (first === undefined || last === undefined) return []
  const one = 10n ** BigInt(scale)
  const between = numbers.slice(1).flatMap((upper, index) => {
    const lower = numbers[index] ?? upper
    return [(lower + upper) / 2n, lower + 1n, upper - 1n, lower + one, upper - one].filter(
      (middle) => lower < middle && middle < upper
    )
  })
  const below = [first - one, first - 1n, first * 10n - one, -one * 1000n].filter(
    (units) => units < first
  )
  const above = [last + one, last + 1n, last * 10n + one, one * 1_000_000n].filter(
    (units) => units > last
  )
  return [...numbers, ...between, ...below, ...above]
}

/** Spellings of a number with equal values, which texts order differently. */
const spellings = (digits: string): ReadonlyArray<string> => {
  const sign = digits.startsWith("-") ? "-" : ""
  const magnitude = digits.slice(sign.length)
  const tail = magnitude.includes(".") ? "0" : ".0"
  const plain = [magnitude, `0${magnitude}`, `00${magnitude}`, `000${magnitude}`]
  const all = plain.flatMap((text) => [text, text + tail])
  const isZero = /^[0.]*$/.test(magnitude)
  return [
    ...all.map((text) => sign + text),
    ...(sign === "" ? all.map((text) => `+${text}`) : []),
    ...(isZero ? all.map((text) => `-${text}`) : [])
  ]
}

/** Texts next to a text in their order, and one that begins with it. */
const neighbours = (text: string): ReadonlyArray<string> => {
  const last = text.charCodeAt(text.length - 1)
  return [
    `${text}-`,
    `${text}!`,
    `${text}z`,
    `${text}0`,
    `${text}\u0001`,
    ...(text === "" ? [] : [text.slice(0, -1)]),
    ...(last > 0x22 && last < 0xd800
      ? [`${text.slice(0, -1)}${String.fromCharCode(last - 1)}~`]
      : [])
  ]
}

/** The most texts that are tried for one term. */
const CANDIDATES_MAX = 1_500

/** Texts for every kind of answer that we can think of; the plainest first. */
export const candidates = (
  literals: TermLiterals,
  fresh: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const { ordered, patterns, scale, texts } = literals
  const around = numbersAround(literals).map((units) => printUnits(units, scale))
  const matching = patterns.flatMap((pattern) => samples(pattern))
  const joined = matching.flatMap((one) =>
    matching.flatMap((other) => [one + other, `${one}-${other}`])
  )
  const mixed = matching.flatMap((one) =>
    [...texts, ...around].flatMap((text) => [one + text, text + one])
  )
  return unique([
    ...texts,
    ...fresh,
    ...around,
    ...matching,
    ...texts.flatMap(neighbours),
    "",
    "1",
    ...(ordered.length === 0 ? [] : around.flatMap(spellings)),
    ...around.map((text) => `${text}x`),
    ...matching.flatMap((text) => [`${text}z`, `z${text}`, `${text}\n`, `\n${text}`]),
    ...joined,
    ...(ordered.length === 0 ? [] : ["!", "~", "A", "\u{10ffff}", "\u{10fffe}"]),
    ...mixed
  ]).slice(0, CANDIDATES_MAX)
}
