/** Reads the coverage summary of istanbul: the totals of all files. */
import type { JsonFormat } from "../Format.js"
import * as CoverageContent from "./CoverageContent.js"
import * as Fields from "./Fields.js"

const NAME = "istanbul coverage summary"

/** The counts of a member of the totals; null without it. */
const measuredOf = (total: unknown, name: string): CoverageContent.Measured | null => {
  const given = Fields.member(total, name)
  if (given === undefined) return null
  const count = (member: string) => Fields.count(Fields.member(given, member)) ?? Number.NaN
  return { covered: count("covered"), total: count("total") }
}

/** The coverage summary of istanbul. */
export const format: JsonFormat = {
  rule: 14,
  name: NAME,
  isFormat: (input) => Fields.at(input, "total", "lines", "pct") !== undefined,
  read: (input) => {
    const total = Fields.member(input, "total")
    return CoverageContent.make({
      format: { name: NAME, version: null },
      tool: null,
      createdAt: null,
      lines: measuredOf(total, "lines"),
      branches: measuredOf(total, "branches")
    })
  }
}
