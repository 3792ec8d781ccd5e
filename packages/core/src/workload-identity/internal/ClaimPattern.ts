/** Patterns of claims: `*` is any run without `:` and `/`, `**` is any run; everything else is itself. Pure. */
import * as WildcardPattern from "../../shared/internal/WildcardPattern.js"

/** The most characters of a pattern. */
export const PATTERN_LENGTH_MAX = 512

/** Whether the whole value fits the pattern; the time is at most their lengths multiplied. */
export const matches = (pattern: string, value: string): boolean =>
  WildcardPattern.matches(pattern, value, ":/")

/** Whether a pattern has no wildcard. */
export const isExact = (pattern: string): boolean => !pattern.includes("*")

/** The segments between `:` and `/` that hold no wildcard. */
export const fixedSegments = (pattern: string): number =>
  pattern.split(/[:/]/).filter((segment) => segment !== "" && isExact(segment)).length
