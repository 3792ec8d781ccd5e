/**
 * Formats the result of `policy lint` and `trust lint` for a CI job: an annotation per problem or warning, and a
 * summary. Pure.
 */
import type { Announcement } from "../job/JobSummary.js"
import * as ForeignText from "../shared/ForeignText.js"
import type { Lint, Problem, Remark } from "./DocumentLint.js"

/** A linted file. */
export interface LintedFile extends Lint {
  readonly file: string
}

interface Found extends Problem {
  readonly file: string
  readonly level: "error" | "warning"
}

const warnings = (remarks: ReadonlyArray<Remark>): ReadonlyArray<Remark> =>
  remarks.filter(({ severity }) => severity === "warning")

const foundIn = ({ file, problems, remarks }: LintedFile): ReadonlyArray<Found> => [
  ...problems.map((each) => ({ ...each, file, level: "error" as const })),
  ...warnings(remarks).map((each) => ({ ...each, file, level: "warning" as const }))
]

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const summaryOf = (files: ReadonlyArray<LintedFile>, found: ReadonlyArray<Found>): string => {
  const errors = found.filter(({ level }) => level === "error").length
  const title =
    found.length === 0
      ? "no problem"
      : `${counted(errors, "problem")}, ${counted(found.length - errors, "warning")}`
  return [
    `### Policies: ${title} in ${counted(files.length, "file")}`,
    "",
    ...found.map(
      ({ file, line, column, level, message }) =>
        `- ${level} ${ForeignText.code(`${file}:${line}:${column}`)} ${ForeignText.markdown(message)}`
    ),
    ...(found.length === 0 ? [] : [""]),
    ""
  ].join("\n")
}

/** The output for the job. */
export const of = (
  files: ReadonlyArray<LintedFile>,
  command = "attestry policy lint"
): Announcement => {
  const found = files.flatMap(foundIn)
  return {
    markdown: summaryOf(files, found),
    annotations: found.map(({ file, line, column, level, message }) => ({
      level,
      title: command,
      message,
      file,
      line,
      column
    })),
    outputs: {}
  }
}
