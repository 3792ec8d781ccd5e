/**
 * `attestry policy lint FILE…`: every problem of policies and templates with its position, and remarks about
 * policies.
 */
import { readText } from "../attestation/EvidenceFields.js"
import { announce } from "../job/JobSummary.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"
import * as DocumentLint from "./DocumentLint.js"
import { of as announcementOf, type LintedFile } from "./LintAnnouncement.js"

/** The remarks of the deployment, which knows the org's resources and running artifacts. */
const asked = async (
  { api }: CommandContext,
  policy_yaml: string,
  environments: ReadonlyArray<string>
): Promise<ReadonlyArray<DocumentLint.Remark>> => {
  const answer = Json.object(
    await (await api()).call("policyAuthoring.lint", { payload: { policy_yaml, environments } })
  )
  return Json.objects(answer.remarks).map(
    ({ code, column, line, message, path, severity, suggestion }) => ({
      code: String(code),
      severity: severity === "warning" ? "warning" : "info",
      path: String(path),
      line: Number(line),
      column: Number(column),
      message: String(message),
      suggestion: typeof suggestion === "string" ? suggestion : null
    })
  )
}

const problemLines = ({ file, problems }: LintedFile, style: Style): ReadonlyArray<string> =>
  problems.map(
    ({ line, column, message }) => `${style.text(file)}:${line}:${column}: ${style.text(message)}`
  )

const remarkLines = ({ file, remarks }: LintedFile, style: Style): ReadonlyArray<string> =>
  remarks.map(({ code, column, line, message, severity }) => {
    const mark = style.tint(severity === "warning" ? "yellow" : "dim", `${severity}[${code}]`)
    return `${style.text(file)}:${line}:${column}: ${mark} ${style.text(message)}`
  })

/** Runs `attestry policy lint`. */
export const run: CommandModule["run"] = async (context, args) => {
  const environments = args.texts("environment")
  const files: Array<LintedFile> = []
  for (const file of args.positionals) {
    const text = await readText(context.host, file)
    const found = DocumentLint.lint(text, args.has("as-template"))
    const isAsked =
      environments.length > 0 && found.kind === "policy" && found.problems.length === 0
    const remarks = isAsked ? await asked(context, text, environments) : found.remarks
    files.push({ file, ...found, remarks })
  }
  await announce(context, args, announcementOf(files))
  return resultOf(args, files)
}

/** The result for linted files. */
export const resultOf = (args: Arguments, files: ReadonlyArray<LintedFile>): CommandResult => {
  const problems = files.flatMap(({ file, problems: found }) =>
    found.map((each) => ({ file, ...each }))
  )
  const remarks = files.flatMap(({ file, remarks: found }) =>
    found.map((each) => ({ file, ...each }))
  )
  const isWarned = args.has("strict") && remarks.some(({ severity }) => severity === "warning")
  const isGood = problems.length === 0 && !isWarned
  return {
    exit: isGood ? "done" : "no",
    value: { schema: "attestry.cli/lint/v1", files },
    items: [...problems, ...remarks],
    quiet: isGood ? "OK" : "PROBLEMS",
    lines: (style) => [
      ...files.flatMap((one) => [...problemLines(one, style), ...remarkLines(one, style)]),
      ...files
        .filter(({ problems: found }) => found.length === 0)
        .map(({ file, kind }) => `${style.text(file)}: ${style.tint("green", "ok")} (${kind})`)
    ]
  }
}
