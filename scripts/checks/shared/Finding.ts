/** What a check says about one line of one file, and exceptions that must not outlive their cause. */
import type { TextFile } from "./Repository.js"

/** A place where a rule does not hold: `packages/core/src/index.ts:3 says what is wrong`. */
export type Finding = string

/** A finding at a line of a file. */
export const at = (file: TextFile, line: number, says: string): Finding =>
  `${file.path}:${line} ${says}`

/** A place that may break a rule, and why it may. */
export interface Exception {
  /** How the finding begins and what it says: `path says`, without the line. */
  readonly finding: string
  readonly reason: string
}

const withoutLine = (finding: Finding): string => finding.replace(/:\d+ /, " ")

/** The findings that no exception covers, and the exceptions that cover nothing any more. */
export const except = (
  findings: ReadonlyArray<Finding>,
  exceptions: ReadonlyArray<Exception>
): ReadonlyArray<Finding> => {
  const allowed = new Set(exceptions.map(({ finding }) => finding))
  const found = new Set(findings.map(withoutLine))
  return [
    ...findings.filter((finding) => !allowed.has(withoutLine(finding))),
    ...exceptions
      .filter(({ finding }) => !found.has(finding))
      .map(({ finding }) => `exception without a cause: ${finding}`)
  ]
}
