/**
 * Severities on one scale: the base score of CVSS where a finding has one, else the word of the tool.
 *
 * What neither says is `unknown`, which reaches every threshold.
 */
import type { FindingCounts, Severity } from "@attestry/core/EvidenceFacts"

/** A base score, with the major version of CVSS that it belongs to. */
export interface Score {
  readonly version: number
  readonly score: unknown
}

const WORDS: ReadonlyMap<string, Severity> = new Map([
  ["critical", "critical"],
  ["high", "high"],
  ["important", "high"],
  ["medium", "medium"],
  ["moderate", "medium"],
  ["low", "low"],
  ["negligible", "negligible"]
])
const WORD_LENGTH_MAX = 16

/** A base score, also as digits. Zero is no score: tools write it where they know none. */
const scoreOf = (value: unknown): number | null => {
  const isDigits = typeof value === "string" && /^\d{1,2}(?:\.\d{1,8})?$/.test(value)
  const number = isDigits ? Number(value) : value
  return typeof number === "number" && number > 0 && number <= 10 ? number : null
}

/** The severity of a base score; null for any other value. */
export const fromScore = (value: unknown): Severity | null => {
  const score = scoreOf(value)
  if (score === null) return null
  if (score >= 9) return "critical"
  if (score >= 7) return "high"
  return score >= 4 ? "medium" : "low"
}

/** The severity of the highest score of the newest version of CVSS; null without a score. */
export const fromScores = (scores: ReadonlyArray<Score>): Severity | null => {
  let newest = Number.NEGATIVE_INFINITY
  let highest = 0
  for (const { version, score } of scores) {
    const read = scoreOf(score)
    if (read === null || version < newest) continue
    highest = version > newest ? read : Math.max(highest, read)
    newest = version
  }
  return fromScore(highest)
}

/** The severity that a word of a tool says; null for other words. */
export const fromWord = (value: unknown): Severity | null =>
  typeof value === "string" && value.length <= WORD_LENGTH_MAX
    ? (WORDS.get(value.toLowerCase()) ?? null)
    : null

/** How high a severity is; unknown ones are the highest. */
const RANKS: { readonly [severity in Severity]: number } = {
  negligible: 0,
  low: 1,
  medium: 2,
  high: 3,
  critical: 4,
  unknown: 5
}

/** The higher of two severities. */
export const higher = (left: Severity, right: Severity): Severity =>
  RANKS[left] >= RANKS[right] ? left : right

/** Counts of findings while they are read. */
export type Tally = { -readonly [member in keyof FindingCounts]: number }

/** Counts without a finding. */
export const tally = (): Tally => ({
  critical: 0,
  high: 0,
  medium: 0,
  low: 0,
  negligible: 0,
  unknown: 0,
  total: 0,
  suppressed: 0
})

/** Adds a finding. */
export const add = (counts: Tally, severity: Severity): void => {
  counts[severity] += 1
  counts.total += 1
}
