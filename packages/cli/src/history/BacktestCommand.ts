/**
 * `attestry policy backtest`: replays recorded history under a candidate policy. SPEC §4.6
 *
 * `-o jsonl` prints lines as they arrive, `-o json` prints one document at the end, and a terminal shows the
 * progress.
 */
import { instantOf } from "../reading/ListFilters.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import type { Host } from "../shared/Host.js"
import * as Json from "../shared/Json.js"
import * as BacktestRun from "./BacktestRun.js"
import * as BacktestView from "./BacktestView.js"
import * as Candidate from "./Candidate.js"

const replacesOf = (args: Arguments): Json.Fields => {
  const replaces = args.text("replaces")
  if (replaces !== undefined && args.has("add"))
    throw usage("--replaces and --add cannot stand together")
  if (args.has("add")) return { replaces: null }
  return replaces === undefined ? {} : { replaces }
}

const windowOf = (host: Host, args: Arguments): Json.Fields => {
  const [since, until] = ["since", "until"].map((flag) => args.text(flag))
  return {
    ...(since === undefined ? {} : { from: instantOf(host, "since", since) }),
    ...(until === undefined ? {} : { to: instantOf(host, "until", until) })
  }
}

const payloadOf = async (context: CommandContext, args: Arguments): Promise<Json.Fields> => {
  const environments = args.texts("environment")
  const [knowledge, cursor, limit] = [
    args.text("knowledge"),
    args.text("cursor"),
    args.number("limit")
  ]
  return {
    candidate: await Candidate.of(context, args),
    ...replacesOf(args),
    ...windowOf(context.host, args),
    ...(environments.length === 0 ? {} : { environments }),
    ...(knowledge === undefined ? {} : { knowledge }),
    ...(args.has("no-verify") ? { verify: false } : {}),
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor })
  }
}

/** Whether an environment would turn non-compliant. */
const isNewRed = ({ now }: Json.Fields): boolean => {
  const { was, would_be } = Json.object(now)
  return would_be === false && was !== false
}

const FAILS: ReadonlyMap<string, (result: BacktestRun.BacktestResult) => boolean> = new Map([
  ["flips", ({ totals }) => Json.number(totals.flips) > 0],
  ["new-red-now", ({ environments }) => environments.some(isNewRed)]
])

const exitOf = (args: Arguments, result: BacktestRun.BacktestResult): CommandResult["exit"] =>
  FAILS.get(args.text("fail-on") ?? "")?.(result) === true ? "no" : "done"

const warn = (
  { output }: CommandContext,
  { notes = [], totals }: BacktestRun.BacktestResult
): void => {
  for (const { message } of notes) output.warn(Json.text(message) ?? "")
  const { rows, other_semantics } = Json.object(totals.unreproduced)
  const count = Json.number(rows) + Json.number(other_semantics)
  if (count > 0)
    output.warn(`${count} recorded decisions do not come out again: they are in no flip`)
}

/** Runs `attestry policy backtest`. */
export const run: CommandModule["run"] = async (context, args) => {
  const { output } = context
  const payload = await payloadOf(context, args)
  const isStreamed = output.options.format === "jsonl" && output.options.field === undefined
  const each = (line: Json.Fields): void => {
    if (isStreamed) output.result({ value: line, items: [line], lines: () => [] })
    if (line.type === "progress") output.progress(BacktestView.progressOf(line))
  }
  const result = await BacktestRun.play(context, payload, each).finally(() => output.progress(""))
  warn(context, result)
  return {
    exit: exitOf(args, result) ?? "done",
    isSilent: isStreamed,
    value: { schema: "attestry.cli/backtest/v1", ...result },
    quiet: String(Json.number(result.totals.flips)),
    lines: (style) => BacktestView.lines(result, style)
  }
}
