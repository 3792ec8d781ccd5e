/**
 * The regular expressions of `matches(…)`: RE2 syntax, matched in linear time. DECISIONS.md, "Every input has a
 * limit"
 *
 * Patterns are refused when a policy is saved: a pattern that `compile` accepts matches any name in bounded
 * time (P-RE). The dialect has neither lookaround nor backreferences.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { RE2JS, RE2JSException } from "re2js"
import * as LiteralPattern from "./internal/LiteralPattern.js"
import * as PatternSize from "./internal/PatternSize.js"

/** The literal parts of a pattern that needs no engine. */
export { type Parts as LiteralParts, read as literalParts } from "./internal/LiteralPattern.js"

/** The most characters of a pattern. */
export const PATTERN_LENGTH_MAX = 256
/** The largest count of a counted repeat. */
export const REPEAT_MAX = 100
/** The most distinct patterns of a policy. */
export const PATTERNS_MAX = 20
/**
 * The most weight of all patterns of one policy. It bounds the evaluation of one policy on one row to 50 ms,
 * with names of 1,024 characters. P-RE
 */
export const WEIGHT_MAX = 640
/** A pattern that could compile to more instructions than this is refused without compiling it. */
const SIZE_MAX = 2_000
/** The weight of a pattern that matches without an engine. */
export const WEIGHT_SIMPLE = 4

/** A compiled pattern. */
export interface PolicyPattern {
  readonly source: string
  /** The most work of a search per character of text. */
  readonly weight: number
  /** Whether some part of the text matches. */
  readonly test: (text: string) => boolean
}

/** A pattern that is invalid or exceeds a limit. */
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

/** The problems of a pattern that its text alone shows. */
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

/** The bytes of the engine's cache of states; beyond it the engine matches without the cache. */
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

// WHY: the engine's own limit is 8 MiB per pattern, and a hostile text can fill that at once.
const boundMemory = (engine: RE2JS): void => {
  const { dfa } = engine.re2()
  dfa.stateBudget = MEMORY_MAX
  dfa.memBudget = MEMORY_MAX
}

/** The number of threads that may run at once; the lookup of a Unicode class takes twice as long as others. */
const weigh = (engine: RE2JS): number =>
  engine.programSize() * (/\\p/i.test(engine.pattern()) ? 2 : 1)

/** Compiles a pattern, or returns why it is refused; `weightMax` is the weight that other patterns leave. */
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
 * A compiler for the patterns of one policy, which share its limits. Each pattern is compiled once, and none
 * after the limits are reached.
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
