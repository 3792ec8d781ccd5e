/** `attestry proposal …`: lists, shows, approves, rejects and withdraws proposals. */
import { dryRun } from "../attestation/DryRun.js"
import { present } from "../attestation/EvidenceFields.js"
import { command as listCommand } from "../reading/ListCommand.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import { confirm } from "../shared/Confirmation.js"
import * as Json from "../shared/Json.js"
import * as Style from "../shared/Style.js"
import { PROPOSALS } from "./ProposalNouns.js"
import * as ProposalView from "./ProposalView.js"

const numberOf = (args: Arguments): number => {
  const [text = ""] = args.positionals
  if (!/^[1-9]\d{0,8}$/.test(text)) throw usage(`a proposal has a number, not \`${text}\``)
  return Number(text)
}

const find = async ({ api }: CommandContext, number: number): Promise<Json.Fields> =>
  Json.object(await (await api()).call("proposal.get", { path: { number } }))

/** A decision about a proposal. */
interface Decision {
  readonly operation: "proposal.approve" | "proposal.reject" | "proposal.withdraw"
  readonly number: number
  readonly payload?: Json.Fields
}

/** Sends a decision and prints the proposal; with `--dry-run`, prints the request. */
const decide = async (
  context: CommandContext,
  args: Arguments,
  { number, operation, payload }: Decision
): Promise<CommandResult> => {
  const call = { path: { number }, ...(payload === undefined ? {} : { payload }) }
  if (args.has("dry-run")) return dryRun(context, operation, call)
  const value = Json.object(await (await context.api()).call(operation, call))
  return {
    value,
    quiet: String(value.number),
    lines: (style) => [ProposalView.line(value, style)]
  }
}

/** Lists proposals. */
export const list: CommandModule = listCommand(PROPOSALS)

/** Shows a proposal with the difference that it would make. */
export const show: CommandModule = {
  run: async (context, args) => {
    const value = await find(context, numberOf(args))
    return {
      value,
      quiet: String(value.state),
      lines: (style) => ProposalView.lines(value, style)
    }
  }
}

/**
 * The digest of what the approver has seen: the given one, or that of the proposal that is shown now. WHY `--yes` alone
 * is not enough without a terminal: an approval is of what a person has looked at.
 */
const seenDigest = async (
  context: CommandContext,
  args: Arguments,
  number: number
): Promise<string> => {
  const given = args.text("digest")
  if (given !== undefined) return given
  if (!context.host.stdinIsTerminal && !args.has("dry-run"))
    throw usage(
      "--digest is missing, and there is no terminal to show the change on",
      `see: attestry proposal show ${number}`
    )
  const proposal = await find(context, number)
  const { columns } = context.host.stderr
  const plain = Style.make({
    isTerminal: true,
    isColoured: false,
    columns,
    nowMs: context.host.now()
  })
  for (const line of ProposalView.lines(proposal, plain)) context.output.note(line)
  await confirm(context, args, `proposal ${number} will be approved`)
  return Json.text(proposal.digest) ?? ""
}

/** Approves a proposal that was looked at; the last approval that is needed makes the change. */
export const approve: CommandModule = {
  run: async (context, args) => {
    const number = numberOf(args)
    const digest = await seenDigest(context, args, number)
    const payload = present({ digest, comment: args.text("comment") })
    return decide(context, args, { operation: "proposal.approve", number, payload })
  }
}

/** Rejects a proposal. */
export const reject: CommandModule = {
  run: async (context, args) => {
    const number = numberOf(args)
    await confirm(context, args, `proposal ${number} will be rejected`)
    const payload = present({ comment: args.text("comment") })
    return decide(context, args, { operation: "proposal.reject", number, payload })
  }
}

/** Withdraws a proposal. */
export const withdraw: CommandModule = {
  run: async (context, args) => {
    const number = numberOf(args)
    await confirm(context, args, `proposal ${number} will be withdrawn`)
    return decide(context, args, { operation: "proposal.withdraw", number })
  }
}
