/**
 * Output for a known CI in addition to the result: a summary, annotations and step outputs.
 *
 * It never changes the result: a failed write is a warning.
 */
import { execFile } from "node:child_process"
import { appendFileSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import * as ForeignText from "../shared/ForeignText.js"
import { type Host, variable } from "../shared/Host.js"
import * as Annotations from "./Annotations.js"

/** The output for a job. */
export interface Announcement {
  readonly markdown: string
  readonly annotations: ReadonlyArray<Annotations.Annotation>
  /** Step outputs by name. */
  readonly outputs: { readonly [name: string]: string }
}

/** The maximum size of a step summary; the CI's limit is 1 MiB. */
export const SUMMARY_BYTES_MAX = 900_000

const CUT = "\n\n*The rest does not fit here.*\n"

/** Cuts a long text at a line break. */
export const limited = (text: string): string => {
  const bytes = Buffer.from(text)
  if (bytes.length <= SUMMARY_BYTES_MAX) return text
  const part = bytes.subarray(0, SUMMARY_BYTES_MAX - CUT.length).toString("utf8")
  return `${part.slice(0, part.lastIndexOf("\n"))}${CUT}`
}

const TIMEOUT_MS = 30_000

type Look = "success" | "warning" | "error"

/** The style of an announcement, by its worst annotation. */
const lookOf = ({ annotations }: Announcement): Look => {
  if (annotations.some(({ level }) => level === "error")) return "error"
  return annotations.length === 0 ? "success" : "warning"
}

const annotateBuildkite = ({ env }: Host, markdown: string, style: Look): Promise<void> =>
  new Promise((resolve, reject) => {
    const args = ["annotate", "--style", style, "--context", "attestry", "--append"]
    const child = execFile("buildkite-agent", args, { env, timeout: TIMEOUT_MS }, (error) =>
      error === null ? resolve() : reject(error)
    )
    // WHY: an agent that exits early closes the pipe; its own error is reported.
    child.stdin?.on("error", () => {})
    child.stdin?.end(markdown)
  })

const writeSummary = async (
  { host, output }: CommandContext,
  ci: string,
  announcement: Announcement
): Promise<void> => {
  const text = limited(announcement.markdown)
  const file = variable(host, "GITHUB_STEP_SUMMARY")
  if (file !== undefined) appendFileSync(file, text)
  if (ci === "Azure DevOps") {
    const folder = variable(host, "AGENT_TEMPDIRECTORY") ?? tmpdir()
    const path = join(mkdtempSync(join(folder, "attestry-")), "attestry.md")
    writeFileSync(path, text, { mode: 0o600 })
    output.command([`##vso[task.uploadsummary]${path}`])
  }
  if (ci === "Buildkite") await annotateBuildkite(host, text, lookOf(announcement))
}

const writeOutputs = ({ host }: CommandContext, { outputs }: Announcement): void => {
  const file = variable(host, "GITHUB_OUTPUT")
  if (file === undefined) return
  const lines = Object.entries(outputs).map(([name, text]) => `${name}=${ForeignText.line(text)}\n`)
  appendFileSync(file, lines.join(""))
}

/** Writes the output for the job, unless `--no-ci` is set. */
export const announce = async (
  context: CommandContext,
  args: Arguments,
  announcement: Announcement
): Promise<void> => {
  const { host, output } = context
  if (args.has("no-ci") || variable(host, "ATTESTRY_CI") === "off") return
  const { ci } = await context.job()
  output.command(Annotations.lines(ci, announcement.annotations))
  try {
    await writeSummary(context, ci, announcement)
    writeOutputs(context, announcement)
  } catch (error) {
    // WHY: a failed summary must not change the result.
    output.warn(`the summary of the job cannot be written: ${error}`)
  }
}
