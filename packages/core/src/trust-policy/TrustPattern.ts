/**
 * Patterns of trust policies: `*` is any run without `/`, `**` is any run; everything else is itself.
 *
 * A pattern is compared with the whole value. The time grows with the length of the value, and no faster.
 */
import * as WildcardPattern from "../shared/internal/WildcardPattern.js"

/** The most characters of a value; a longer value fits no pattern. */
export const VALUE_LENGTH_MAX = 8_192

/** Whether the whole value fits the pattern. */
export const matches = (pattern: string, value: string): boolean =>
  value.length <= VALUE_LENGTH_MAX && WildcardPattern.matches(pattern, value, "/")

/** Whether a pattern has a wildcard and no characters but wildcards and `/`, so that it names nothing. */
export const isOnlyWildcards = (pattern: string): boolean => /^\/*\*[*/]*$/.test(pattern)
