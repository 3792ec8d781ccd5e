/** `attestry policy lint FILE…`: every problem of policies and templates with its place, in core's words. */
import { readText } from "../attestation/EvidenceFields.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as DocumentLint from "./DocumentLint.js"

/** Lints the files. */
export const run: CommandModule["run"] = async ({ host }, args) => {
  const files: Array<DocumentLint.Lint & { readonly file: string }> = []
  for (const file of args.positionals) {
    const text = await readText(host, file)
    files.push({ file, ...DocumentLint.lint(text, args.has("as-template")) })
  }
  const problems = files.flatMap(({ file, problems: found }) =>
    found.map((each) => ({ file, ...each }))
  )
  return {
    exit: problems.length === 0 ? "done" : "no",
    value: { schema: "attestry.cli/lint/v1", files },
    items: problems,
    quiet: problems.length === 0 ? "OK" : "PROBLEMS",
    lines: (style) => [
      ...problems.map(
        ({ file, line, column, message }) =>
          `${style.text(file)}:${line}:${column}: ${style.text(message)}`
      ),
      ...files
        .filter(({ problems: found }) => found.length === 0)
        .map(({ file, kind }) => `${style.text(file)}: ${style.tint("green", "ok")} (${kind})`)
    ]
  }
}
