/**
 * Reads coverage in the form of LCOV, line by line: the totals of each record, or else its lines and branches.
 *
 * A file that ends within a record is refused, because it was cut.
 */
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { TextFormat } from "../Format.js"
import type { ReadContent } from "../ReadContent.js"
import * as CoverageContent from "./CoverageContent.js"
import * as Fields from "./Fields.js"

const END = "end_of_record"

/** Counts of a record while it is read: lines or branches that it lists, and totals that it gives. */
interface Part {
  covered: number
  total: number
  statedCovered: number | null
  statedTotal: number | null
}

const part = (): Part => ({ covered: 0, total: 0, statedCovered: null, statedTotal: null })

const isHit = (count: string | undefined): boolean =>
  /^\d{1,20}$/.test(count ?? "") && Number(count) > 0

/** Adds what a part of a record came to; false if more is covered than there is. */
const addPart = (sum: { covered: number; total: number }, from: Part): boolean => {
  const covered = from.statedCovered ?? from.covered
  const total = from.statedTotal ?? from.total
  sum.covered += covered
  sum.total += total
  return covered <= total
}

/** Reads the lines of a file in order. */
const makeReader = () => {
  const lines = { covered: 0, total: 0 }
  const branches = { covered: 0, total: 0 }
  let record: { readonly lines: Part; readonly branches: Part } | null = null

  /** The value after a prefix is a total of the record; returns whether it is a count. */
  const state = (line: string, of: "lines" | "branches"): boolean => {
    const value = CoverageContent.countOf(line.slice(line.indexOf(":") + 1).trim())
    if (record === null || Number.isNaN(value)) return record === null
    if (line.startsWith("LH:") || line.startsWith("BRH:")) record[of].statedCovered = value
    else record[of].statedTotal = value
    return true
  }

  /** Returns what is wrong with a line; null if nothing is. */
  const take = (line: string): string | null => {
    if (line.startsWith("SF:")) {
      if (record !== null) return "a record begins within another"
      record = { lines: part(), branches: part() }
    } else if (line.startsWith("DA:") && record !== null) {
      record.lines.total += 1
      if (isHit(line.slice(3).split(",", 3)[1]?.trim())) record.lines.covered += 1
    } else if (line.startsWith("BRDA:") && record !== null) {
      record.branches.total += 1
      if (isHit(line.slice(line.lastIndexOf(",") + 1).trim())) record.branches.covered += 1
    } else if (line.startsWith("LF:") || line.startsWith("LH:")) {
      if (!state(line, "lines")) return "the total of lines is not a count"
    } else if (line.startsWith("BRF:") || line.startsWith("BRH:")) {
      if (!state(line, "branches")) return "the total of branches is not a count"
    } else if (line.trimEnd() === END && record !== null) {
      const isRight = addPart(lines, record.lines) && addPart(branches, record.branches)
      record = null
      if (!isRight) return "the record covers more than it has"
    }
    return null
  }
  return { lines, branches, take, isOpen: () => record !== null }
}

const read = (text: string): Either.Either<ReadContent, EvidenceProblem> => {
  const reader = makeReader()
  let number = 0
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start)
    const end = found === -1 ? text.length : found
    number += 1
    const problem = reader.take(text.slice(start, end).trimStart())
    if (problem !== null) return Either.left(Fields.unreadable(problem, number))
    start = end + 1
  }
  if (reader.isOpen())
    return Either.left(Fields.unreadable(`the last record has no \`${END}\``, number))
  return CoverageContent.make({
    format: { name: "LCOV", version: null },
    tool: null,
    createdAt: null,
    lines: reader.lines,
    branches: reader.branches
  })
}

const isTracefile = (text: string): boolean =>
  /^\s*(?:TN|SF):/.test(text) && text.includes(`\n${END}`)

/** LCOV. */
export const format: TextFormat = { rule: 18, name: "LCOV", isFormat: isTracefile, read }
