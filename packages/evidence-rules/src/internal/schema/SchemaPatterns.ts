/** Regular expressions of one schema: in linear time, and with a bounded total size. */
import { RE2JS } from "re2js"
import type { SchemaMeter } from "./SchemaMeter.js"

/** A pattern has at most this many characters. */
export const PATTERN_LENGTH_MAX = 4_096
/** The instructions of all patterns of a schema together. */
export const PROGRAM_SIZE_MAX = 500_000

/** The size of the state cache of a search in bytes; beyond it the search runs without the cache. */
const MEMORY_MAX = 1_048_576
/** A step is the cost of this product of characters and instructions. */
const WORK_PER_STEP = 16

/** The factory of regular expressions for Ajv; one for each schema. */
export const makerOf = (meter: SchemaMeter) => {
  let sizeLeft = PROGRAM_SIZE_MAX
  const make = (pattern: string) => {
    if (pattern.length > PATTERN_LENGTH_MAX)
      throw new Error(`a pattern has more than ${PATTERN_LENGTH_MAX} characters`)
    const compiled = RE2JS.compile(pattern)
    const size = compiled.programSize()
    sizeLeft -= size
    if (sizeLeft < 0) throw new Error("the patterns are too large together")
    const { dfa } = compiled.re2()
    dfa.stateBudget = MEMORY_MAX
    dfa.memBudget = MEMORY_MAX
    return {
      test: (text: string) => {
        meter.spend(1 + Math.ceil((text.length * size) / WORK_PER_STEP))
        return compiled.test(text)
      },
      // WHY: Ajv uses this text as the key of a pattern; without it all patterns share the first one.
      toString: () => `/${pattern}/`
    }
  }
  return Object.assign(make, { code: "new RegExp" })
}
