/**
 * The regular expressions of `matches(…)`: RE2 syntax, searched in linear time. DECISION D6.10
 *
 * A pattern is refused when it is saved or never: what `compile` accepts can be searched in any name
 * within a bounded time (P-RE). Lookaround and backreferences do not exist in this dialect.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { RE2JS, RE2JSException } from "re2js"
import * as LiteralPattern from "./internal/LiteralPattern.js"
import * as PatternSize from "./internal/PatternSize.js"

/** A pattern has at most this many characters. DECISION A-14 */
export const PATTERN_LENGTH_MAX = 256
/** A counted repeat asks for at most this many. DECISION A-14 */
export const REPEAT_MAX = 100
/** A policy uses at most this many different patterns. DECISION A-14 */
export const PATTERNS_MAX = 20
/**
 * The patterns of one policy together have at most this weight, which is what keeps the evaluation of
 * one policy on one row below 50 ms with names of 1,024 characters. P-RE
 */
export const WEIGHT_MAX = 640
/** A pattern that could compile to more instructions than this is refused before it is built. */
const SIZE_MAX = 2_000
/** The weight of a pattern that follows a text with one finger, whatever its length. */
export const WEIGHT_SIMPLE = 4

/** A pattern that is ready to search. */
export interface PolicyPattern {
  readonly source: string
  /** How much work a search is per character of text, at most. */
  readonly weight: number
  /** Whether some part of the text matches. */
  readonly test: (text: string) => boolean
}

/** A pattern that no policy may use. */
export class InvalidPolicyPattern extends Schema.TaggedError<InvalidPolicyPattern>()(
  "InvalidPolicyPattern",
  {
    pattern: Schema.String,
    reason: Schema.Literal(
      "too long",
      "repeat too large",
      "too complex",
      "too many",
      "not a pattern"
    ),
    detail: Schema.String
  }
) {
  override get message(): string {
    const shown = this.pattern.length > 60 ? `${this.pattern.slice(0, 60)}…` : this.pattern
    return `pattern \`${shown}\` ${this.detail}`
  }
}

const refuse = (
  pattern: string,
  reason: InvalidPolicyPattern["reason"],
  detail: string
): Either.Either<never, InvalidPolicyPattern> =>
  Either.left(new InvalidPolicyPattern({ pattern, reason, detail }))

/** What is wrong with a pattern that can be seen without compiling it. */
const refuseText = (source: string): Either.Either<never, InvalidPolicyPattern> | undefined => {
  if (source.length > PATTERN_LENGTH_MAX && Array.from(source).length > PATTERN_LENGTH_MAX)
    return refuse(
      source,
      "too long",
      `has more than ${PATTERN_LENGTH_MAX} characters; shorten it or split it into two \`matches\``
    )
  const { repeatMax, size } = PatternSize.measure(source)
  if (repeatMax > REPEAT_MAX)
    return refuse(
      source,
      "repeat too large",
      `repeats ${repeatMax} times; a counted repeat goes up to ${REPEAT_MAX}, so use \`*\` or \`+\``
    )
  return size > SIZE_MAX
    ? refuse(
        source,
        "too complex",
        `repeats too much inside repeats; lower the counts or use \`*\` or \`+\``
      )
    : undefined
}

/** The states that a search may remember, in bytes; beyond them it goes on without remembering. */
const MEMORY_MAX = 16_384

const readEngine = (source: string): Either.Either<RE2JS, InvalidPolicyPattern> => {
  try {
    return Either.right(RE2JS.compile(source))
  } catch (error) {
    const why = error instanceof RE2JSException ? error.message : String(error)
    const detail = why.replace(/^error parsing regexp: /, "").replaceAll("`", "'")
    return refuse(
      source,
      "not a pattern",
      `is not an RE2 pattern (${detail}); lookaround and backreferences do not exist in RE2`
    )
  }
}

// WHY: the engine's own budget is 8 MiB per pattern, and a hostile text can make it fill that at once.
const boundMemory = (engine: RE2JS): void => {
  const { dfa } = engine.re2()
  dfa.stateBudget = MEMORY_MAX
  dfa.memBudget = MEMORY_MAX
}

/** Threads that may run at once; a class of Unicode is looked up twice as slowly as any other. */
const weigh = (engine: RE2JS): number =>
  engine.programSize() * (/\\p/i.test(engine.pattern()) ? 2 : 1)

/** Compiles a pattern, or says why no policy may use it; `weightMax` is what others have left of it. */
export const compile = (
  source: string,
  weightMax = WEIGHT_MAX
): Either.Either<PolicyPattern, InvalidPolicyPattern> =>
  refuseText(source) ??
  Either.flatMap(readEngine(source), (engine) => {
    const literal = LiteralPattern.make(source)
    const { onepass } = engine.re2()
    const isSimple = literal !== undefined || Boolean(onepass)
    const weight = isSimple ? WEIGHT_SIMPLE : weigh(engine)
    if (weight > weightMax)
      return refuse(
        source,
        "too complex",
        `is too much work beside the policy's other patterns; anchor it with \`^\`, or repeat less`
      )
    if (!isSimple) boundMemory(engine)
    return Either.right({ source, weight, test: literal ?? ((text) => engine.test(text)) })
  })

/**
 * A compiler for the patterns of one policy, which share its limits. Each pattern is compiled once,
 * and once the limits are reached nothing is compiled at all.
 */
export const forPolicy = (): typeof compile => {
  const known = new Map<string, Either.Either<PolicyPattern, InvalidPolicyPattern>>()
  let weightLeft = WEIGHT_MAX
  return (source) => {
    const before = known.get(source)
    if (before !== undefined) return before
    if (known.size === PATTERNS_MAX)
      return refuse(
        source,
        "too many",
        `is one more than the ${PATTERNS_MAX} patterns that a policy may use; join some with \`|\``
      )
    const compiled = compile(source, weightLeft)
    if (Either.isRight(compiled)) weightLeft -= compiled.right.weight
    known.set(source, compiled)
    return compiled
  }
}
