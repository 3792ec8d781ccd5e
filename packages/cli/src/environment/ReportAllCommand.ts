/** `attestry report all FILE`: reports many environments in one process, and reads each runtime once per round. */
import { COMMANDS, GLOBAL_FLAGS } from "../CommandTree.js"
import { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { type CommandFailure, toJson } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import { failureOf } from "../shared/Output.js"
import * as Report from "./Report.js"
import { type Reporter, SharedReads } from "./Reporter.js"
import * as ReportersFile from "./ReportersFile.js"
import * as ReportWatch from "./ReportWatch.js"

const REPORTERS: ReadonlyMap<string, () => Promise<{ readonly reporter: Reporter }>> = new Map([
  ["docker", () => import("./DockerReporter.js")],
  ["kubernetes", () => import("./KubernetesReporter.js")],
  ["paths", () => import("./PathsReporter.js")],
  ["ecs", () => import("./cloud/EcsReporter.js")],
  ["lambda", () => import("./cloud/LambdaReporter.js")],
  ["s3", () => import("./cloud/S3Reporter.js")],
  ["azure-apps", () => import("./cloud/AzureAppsReporter.js")],
  ["cloud-run", () => import("./cloud/CloudRunReporter.js")]
])

/** The flags of the command that apply to every environment. */
const SHARED = ["create", "strict"]

/** Combines the flags of an entry with those of the command. */
const withShared = (own: Arguments, shared: Arguments): Arguments => {
  const given = SHARED.filter((name) => shared.has(name))
  return given.length === 0 ? own : new SharedArguments(own, given)
}

/** The flags of an entry; some are set for all entries. */
class SharedArguments extends Arguments {
  readonly #own: Arguments
  readonly #shared: ReadonlyArray<string>

  constructor(own: Arguments, shared: ReadonlyArray<string>) {
    super(new Map(), own.positionals)
    this.#own = own
    this.#shared = shared
  }

  override text(name: string): string | undefined {
    return this.#shared.includes(name) ? "true" : this.#own.text(name)
  }

  override texts(name: string): ReadonlyArray<string> {
    return this.#own.texts(name)
  }
}

const entriesOf = async (
  file: ReportersFile.ReportersFile,
  args: Arguments
): Promise<ReadonlyArray<ReportWatch.Entry>> => {
  const entries: Array<ReportWatch.Entry> = []
  for (const { environment, kind, args: own } of file.entries) {
    const loaded = await REPORTERS.get(kind)?.()
    if (loaded === undefined) continue
    entries.push({ environment, reporter: loaded.reporter, args: withShared(own, args) })
  }
  return entries
}

type Outcome =
  | { readonly environment: string; readonly result: CommandResult }
  | { readonly environment: string; readonly failure: CommandFailure }

const attempt = async (
  context: CommandContext,
  entry: ReportWatch.Entry,
  reads: SharedReads
): Promise<Outcome> => {
  const { environment } = entry
  try {
    const { result } = await Report.once(context, { ...entry, reads, showsChanges: true })
    return { environment, result }
  } catch (thrown) {
    if (context.host.signal.aborted) throw thrown
    // WHY: a failing environment must not block the reports of the others.
    return { environment, failure: failureOf(thrown) }
  }
}

const shownOf = (outcome: Outcome): unknown =>
  "result" in outcome
    ? outcome.result.value
    : { environment: outcome.environment, ...toJson(outcome.failure) }

const resultOf = (outcomes: ReadonlyArray<Outcome>): CommandResult => {
  const failures = outcomes.flatMap((each) => ("failure" in each ? [each] : []))
  const values = outcomes.map(shownOf)
  return {
    exit: failures.length === 0 ? "done" : "partial",
    value: { schema: "attestry.cli/reports/v1", environments: values },
    items: values,
    quiet: outcomes
      .map((each) => ("result" in each ? (each.result.quiet ?? "") : each.failure.word))
      .join("\n"),
    lines: (style) =>
      outcomes.flatMap((each) =>
        "result" in each
          ? each.result.lines(style)
          : [`${style.text(each.environment)}: ${style.tint("red", "not reported")}`]
      )
  }
}

const once = async (
  context: CommandContext,
  entries: ReadonlyArray<ReportWatch.Entry>
): Promise<CommandResult> => {
  const reads = new SharedReads()
  const outcomes: Array<Outcome> = []
  for (const entry of entries) {
    const outcome = await attempt(context, entry, reads)
    outcomes.push(outcome)
    if ("failure" in outcome && context.output.options.format === "table")
      context.output.failure(outcome.failure)
  }
  const [first] = outcomes
  const isNone = outcomes.every((each) => "failure" in each)
  if (isNone && first !== undefined && "failure" in first) throw first.failure
  return resultOf(outcomes)
}

/** Runs `attestry report all`. */
export const run: CommandModule["run"] = async (context, args) => {
  const file = await ReportersFile.read(context.host, args.positionals[0] ?? "", {
    grammar: { commands: COMMANDS, globals: GLOBAL_FLAGS },
    kinds: [...REPORTERS.keys()]
  })
  const watched = ReportWatch.optionsOf(context, args, file.everyMs)
  const entries = await entriesOf(file, args)
  return watched === undefined
    ? once(context, entries)
    : ReportWatch.run(context, args, { ...watched, entries })
}
