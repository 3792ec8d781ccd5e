/**
 * What every `attestry report KIND ENV` shares: what cannot be read is told, and nothing is sent where nothing could
 * be read.
 */
import { dryRun } from "../attestation/DryRun.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"
import * as Table from "../shared/Table.js"

/** What was read of a runtime. */
export interface Gathered {
  /** The units of the report, as the interface has them. */
  readonly units: ReadonlyArray<Json.Fields>
  /** What runs and could not be reported, each with its reason. */
  readonly leftOut: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
}

/** A reporter: a kind of environment and how its runtime is read. */
export interface Reporter {
  readonly kind: (args: Arguments) => string
  readonly gather: (context: CommandContext, args: Arguments) => Promise<Gathered>
}

/** Makes the environment where it is missing. */
const create = async (
  { api }: CommandContext,
  environment: string,
  kind: string
): Promise<void> => {
  const found = await (await api()).find("environment.get", { path: { env_name: environment } })
  if (found !== undefined) return
  await (await api()).write("environment.put", {
    payload: { name: environment, type: kind, description: "" }
  })
}

interface Sent {
  readonly environment: string
  readonly kind: string
  readonly gathered: Gathered
  readonly written: Json.Fields
  readonly changes: ReadonlyArray<Json.Fields>
}

const changeRows = (changes: ReadonlyArray<Json.Fields>, style: Style) =>
  changes.map((row) => [
    `  ${style.text(Json.object(row.annotation).type)}`,
    style.text(row.name),
    style.short(row.fingerprint),
    verdict(style, row.compliant)
  ])

const resultOf = ({ environment, kind, gathered, written, changes }: Sent): CommandResult => {
  const { units, leftOut } = gathered
  const index = written.snapshot_index ?? null
  return {
    value: {
      schema: "attestry.cli/report/v1",
      environment,
      kind,
      units: units.length,
      left_out: leftOut,
      warnings: gathered.warnings,
      outcome: written.outcome ?? null,
      snapshot_index: index,
      compliant: written.is_compliant ?? null,
      url: written.html_url ?? null
    },
    quiet: index === null ? "" : String(index),
    lines: (style) => [
      `${style.text(environment)}: ${units.length} reported   snapshot ${style.text(index ?? "–")}` +
        `${written.changed === true ? "" : ", unchanged"}, ${verdict(style, written.is_compliant)}`,
      ...Table.lines(changeRows(changes, style))
    ]
  }
}

/** The rows that changed; nothing where the key may not read them. */
const changesOf = async (
  { api, output }: CommandContext,
  environment: string,
  written: Json.Fields
): Promise<ReadonlyArray<Json.Fields>> => {
  if (written.changed !== true || output.options.isQuiet) return []
  try {
    const snapshot = await (await api()).call("snapshot.get", {
      path: { env_name: environment, snapshot_expression: String(written.snapshot_index) }
    })
    return Json.objects(Json.object(snapshot).artifacts).filter(
      (row) => Json.object(row.annotation).type !== "unchanged"
    )
  } catch (error) {
    // WHY: the report is accepted; a key that only reports may not read what changed.
    output.trace(`the changes are not shown: ${error}`)
    return []
  }
}

const check = ({ units, leftOut }: Gathered, args: Arguments): void => {
  if (units.length === 0 && leftOut.length > 0)
    throw new CommandFailure("unreadable", "nothing could be read, so nothing is sent", {
      errors: Object.fromEntries(leftOut.map((each, at) => [String(at + 1), each]))
    })
  if (args.has("strict") && leftOut.length > 0)
    throw new CommandFailure(
      "partial",
      `${leftOut.length} could not be read, and nothing is sent`,
      {
        errors: Object.fromEntries(leftOut.map((each, at) => [String(at + 1), each]))
      }
    )
}

/** The command of a reporter. */
export const command = ({ kind: kindOf, gather }: Reporter): CommandModule => ({
  run: async (context, args) => {
    const environment = args.positionals[0] ?? ""
    const kind = kindOf(args)
    const gathered = await gather(context, args)
    for (const text of [...gathered.leftOut, ...gathered.warnings]) context.output.warn(text)
    check(gathered, args)
    const operation = `report.${kind}`
    const call = {
      path: { env_name: environment },
      payload: { type: kind, artifacts: gathered.units }
    }
    if (args.has("dry-run")) return dryRun(context, operation, call)
    if (args.has("create")) await create(context, environment, kind)
    const written = Json.object(await (await context.api()).write(operation, call))
    const changes = await changesOf(context, environment, written)
    return resultOf({ environment, kind, gathered, written, changes })
  }
})
