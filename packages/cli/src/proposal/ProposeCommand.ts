/**
 * `attestry propose -- COMMAND`: runs a command that writes, and proposes its writes instead of sending them.
 *
 * Several writes of a command are several proposals.
 */

import { dryRun } from "../attestation/DryRun.js"
import { present } from "../attestation/EvidenceFields.js"
import { COMMANDS, GLOBAL_FLAGS } from "../CommandTree.js"
import * as Settings from "../settings/Settings.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import { type CommandModule, nameOf } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import * as WrappedCommand from "../shared/WrappedCommand.js"
import * as Api from "../transport/Api.js"
import * as ProposalView from "./ProposalView.js"
import * as RecordedWrites from "./RecordedWrites.js"

const GRAMMAR = { commands: COMMANDS, globals: GLOBAL_FLAGS }

/** Runs the command to propose, and returns the writes that it would have sent. */
const recordWrites = async (
  context: CommandContext,
  args: Arguments
): Promise<{
  readonly api: Api.Api
  readonly writes: ReadonlyArray<RecordedWrites.RecordedWrite>
}> => {
  const { args: own, command } = WrappedCommand.parseIn(GRAMMAR, args)
  const name = nameOf(command)
  if (name === "propose") throw usage("a proposal of a proposal cannot be made")
  const settings = await Settings.load(context.host, own)
  const api = Api.make(context.host, context.output, settings)
  const recorded = RecordedWrites.make(api)
  const { run } = await command.load()
  await run({ ...context, settings: async () => settings, api: async () => recorded.api }, own)
  if (recorded.writes.length === 0) throw usage(`\`attestry ${name}\` sends no change to propose`)
  return { api, writes: recorded.writes }
}

/** The call that proposes a write. The org of its own path is that of the proposal. */
const callOf = (
  { body, operation, params: { org, ...params } }: RecordedWrites.RecordedWrite,
  reason: string
): Api.Call => ({
  ...(org === undefined ? {} : { path: { org } }),
  payload: present({ operation, params, body, reason })
})

const resultOf = (proposals: ReadonlyArray<Json.Fields>): CommandResult => ({
  value: { schema: "attestry.cli/proposed/v1", proposals },
  items: proposals,
  quiet: proposals.map(({ number }) => String(number)).join("\n"),
  lines: (style) =>
    proposals.flatMap((proposal) => [
      ProposalView.line(proposal, style),
      ...ProposalView.differenceLines(proposal, style)
    ])
})

/** Proposes the writes one after another; a later failure names those that were proposed. */
const proposeAll = async (
  api: Api.Api,
  calls: ReadonlyArray<Api.Call>
): Promise<ReadonlyArray<Json.Fields>> => {
  const made: Array<Json.Fields> = []
  for (const call of calls) {
    try {
      made.push(Json.object(await api.call("proposal.make", call)))
    } catch (error) {
      if (made.length === 0 || !(error instanceof CommandFailure)) throw error
      const numbers = made.map(({ number }) => String(number)).join(", ")
      throw new CommandFailure(
        "partial",
        `${error.message}; proposed before: ${numbers}`,
        error.details
      )
    }
  }
  return made
}

/** Proposes a change. */
export const { run }: CommandModule = {
  run: async (context, args) => {
    const reason = args.required("reason")
    const { api, writes } = await recordWrites(context, args)
    const calls = writes.map((write) => callOf(write, reason))
    const [first = {}] = calls
    return args.has("dry-run")
      ? dryRun(context, "proposal.make", first)
      : resultOf(await proposeAll(api, calls))
  }
}
