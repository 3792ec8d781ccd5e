/** The common part of commands that write: `--dry-run`, the request, and the server's outcome. */
import { dryRun } from "../attestation/DryRun.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import type { CommandResult } from "../shared/CommandResult.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"
import type { Call } from "../transport/Api.js"

/** One write. */
export interface Write {
  /** The noun of the command: `policy`. */
  readonly noun: string
  readonly name: string
  readonly operation: string
  readonly call: Call
  /** The outcome to show for an operation that answers with the resource. */
  readonly outcome?: string
  /** The text after the outcome in the printed line. */
  readonly more?: string
}

/** The result of a write. */
export interface Written {
  readonly noun: string
  readonly name: string
  readonly outcome: string
  readonly version: number | null
  readonly snapshotIndex: number | null
  readonly url: string | null
}

const count = (value: unknown): number | null => (typeof value === "number" ? value : null)

/** Sends a write. */
export const send = async ({ api }: CommandContext, write: Write): Promise<Written> => {
  const answer = Json.object(await (await api()).write(write.operation, write.call))
  return {
    noun: write.noun,
    name: write.name,
    outcome: write.outcome ?? Json.text(answer.outcome) ?? "updated",
    version: count(answer.version),
    snapshotIndex: count(answer.snapshot_index),
    url: Json.text(answer.html_url) ?? null
  }
}

/** The result for `--output json`. */
export const recordOf = (written: Written): Json.Fields => ({
  noun: written.noun,
  name: written.name,
  outcome: written.outcome,
  version: written.version,
  snapshot_index: written.snapshotIndex,
  url: written.url
})

const versionText = ({ outcome, version }: Written): string => {
  if (version === null) return ""
  if (outcome === "created") return `, version ${version}`
  return outcome === "updated" && version > 1
    ? `, version ${version} (was ${version - 1})`
    : `, version ${version}`
}

/** The result as one line. */
export const lineOf = (written: Written, style: Style, more = ""): string => {
  const { noun, name, outcome, url } = written
  const page = url === null ? "" : `   ${style.text(url)}`
  const done = style.tint(outcome === "unchanged" ? "dim" : "green", style.text(outcome))
  return `${noun} ${style.text(name)}: ${done}${versionText(written)}${style.text(more)}${page}`
}

/** The command result of one write. */
export const resultOf = (written: Written, more = ""): CommandResult => ({
  value: { schema: "attestry.cli/write/v1", ...recordOf(written) },
  quiet: written.name,
  lines: (style) => [lineOf(written, style, more)]
})

/** The command result of several writes. */
export const resultOfAll = (all: ReadonlyArray<Written>): CommandResult => ({
  value: { schema: "attestry.cli/writes/v1", writes: all.map(recordOf) },
  items: all.map(recordOf),
  quiet: all.map(({ name }) => name).join("\n"),
  lines: (style) => all.map((written) => lineOf(written, style))
})

/** Sends a write; with `--dry-run`, prints it instead. */
export const perform = async (
  context: CommandContext,
  args: Arguments,
  write: Write
): Promise<CommandResult> =>
  args.has("dry-run")
    ? dryRun(context, write.operation, write.call)
    : resultOf(await send(context, write), write.more)
