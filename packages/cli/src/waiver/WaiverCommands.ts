/** `attestry waiver …`: requests, decides, extends, lists and measures waivers, and sets their rules. */
import { dryRun } from "../attestation/DryRun.js"
import { present } from "../attestation/EvidenceFields.js"
import { command as getCommand } from "../reading/GetCommand.js"
import { command as listCommand } from "../reading/ListCommand.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import { confirm } from "../shared/Confirmation.js"
import * as Instant from "../shared/Instant.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import type { Call } from "../transport/Api.js"
import { WAIVER, WAIVERS } from "./WaiverNouns.js"

const numberOf = (args: Arguments): number => {
  const [text = ""] = args.positionals
  if (!/^[1-9]\d{0,9}$/.test(text)) throw usage(`a waiver has a number, not \`${text}\``)
  return Number(text)
}

const instantOf = ({ host }: CommandContext, flag: string, text: string): number => {
  const seconds = Instant.parse(host, text, "after")
  if (seconds === undefined)
    throw usage(`--${flag} expects 3d, 2026-11-21 or 2026-11-21T14:00:00Z, not \`${text}\``)
  return Math.ceil(seconds)
}

const placeOf = (waiver: Json.Fields, style: Style): string => {
  const environment = Json.text(waiver.environment)
  return environment === undefined ? "every environment" : style.text(environment)
}

const tintOf = ({ state }: Json.Fields) =>
  state === "active" || state === "scheduled" ? "green" : state === "requested" ? "yellow" : "dim"

const lineOf = (waiver: Json.Fields, style: Style): string => {
  const end = Json.number(waiver.expires_at)
  const until = new Date(end * 1_000).toISOString().slice(0, 16).replace("T", " ")
  return [
    `waiver ${style.text(waiver.number)}: ${style.tint(tintOf(waiver), style.text(waiver.state))}`,
    `${style.text(waiver.policy_name)} in ${placeOf(waiver, style)}`,
    `until ${until} UTC`
  ].join(", ")
}

/** Sends a write and prints the waiver; with `--dry-run`, prints the request. */
const decided = async (
  context: CommandContext,
  args: Arguments,
  { call, operation }: { readonly operation: string; readonly call: Call }
): Promise<CommandResult> => {
  if (args.has("dry-run")) return dryRun(context, operation, call)
  const value = Json.object(await (await context.api()).call(operation, call))
  return {
    value,
    quiet: String(value.number),
    lines: (style) => [lineOf(value, style)]
  }
}

/** The rule that flags name; undefined for every rule of the policy. */
const ruleOf = (args: Arguments): Json.Fields | undefined => {
  const type = args.text("rule")
  const named = present({
    attestation_type: args.text("attestation-type"),
    attestation_name: args.text("attestation-name"),
    for_control: args.text("control")
  })
  if (type === undefined && Object.keys(named).length > 0) return { type: "attestation", ...named }
  return type === undefined ? undefined : { type, ...named }
}

/** Requests a waiver. */
export const request: CommandModule = {
  run: async (context, args) => {
    const from = args.text("from")
    const payload = present({
      policy_name: args.positionals[0],
      rule: ruleOf(args),
      environment: args.text("environment"),
      if: args.text("if"),
      artifact_fingerprint: args.text("fingerprint"),
      reason: args.required("reason"),
      owner: args.text("owner"),
      ticket_url: args.text("ticket"),
      starts_at: from === undefined ? undefined : instantOf(context, "from", from),
      expires_at: instantOf(context, "until", args.required("until"))
    })
    return decided(context, args, { operation: "waiver.request", call: { payload } })
  }
}

/** Requests a new waiver with the terms of an earlier one and another end. */
export const extend: CommandModule = {
  run: async (context, args) => {
    const number = numberOf(args)
    const before = Json.object(await (await context.api()).call("waiver.get", { path: { number } }))
    const payload = present({
      policy_name: before.policy_name,
      rule: before.rule ?? undefined,
      environment: before.environment ?? undefined,
      if: before.if ?? undefined,
      reason: args.text("reason") ?? before.reason,
      owner: before.owner,
      ticket_url: args.text("ticket") ?? before.ticket_url ?? undefined,
      expires_at: instantOf(context, "until", args.required("until")),
      extends: before.number
    })
    return decided(context, args, { operation: "waiver.request", call: { payload } })
  }
}

const decision = (operation: "waiver.approve" | "waiver.reject"): CommandModule => ({
  run: (context, args) =>
    decided(context, args, {
      operation,
      call: {
        path: { number: numberOf(args) },
        payload: present({ comment: args.text("comment") })
      }
    })
})

/** Approves a waiver. */
export const approve: CommandModule = decision("waiver.approve")

/** Rejects a waiver. */
export const reject: CommandModule = decision("waiver.reject")

/** Revokes a waiver. */
export const revoke: CommandModule = {
  run: async (context, args) => {
    const number = numberOf(args)
    const payload = { reason: args.required("reason") }
    if (!args.has("dry-run")) await confirm(context, args, `revoke waiver ${number}`)
    return decided(context, args, {
      operation: "waiver.revoke",
      call: { path: { number }, payload }
    })
  }
}

/** Lists waivers. */
export const list: CommandModule = listCommand(WAIVERS)

/** Shows a waiver. */
export const get: CommandModule = {
  run: (context, args) => {
    numberOf(args)
    return getCommand(WAIVER).run(context, args)
  }
}

const usedText = (waiver: Json.Fields, style: Style): string => {
  const used = Json.objects(waiver.in_use)
  return used.length === 0
    ? "–"
    : used.map((each) => `${style.text(each.environment)} ${Json.number(each.rows)}`).join(", ")
}

const debtLines = (debt: Json.Fields, style: Style): ReadonlyArray<string> => {
  const waivers = Json.objects(debt.waivers)
  const count = (name: string) => Json.number(debt[name])
  return [
    `${count("active")} active, ${count("requested")} requested, ${count("expiring_7d")} end within a week`,
    `${count("rows_waived")} artifacts waived now, ${count("waived_row_hours_30d")} hours of artifacts in 30 days`,
    `the oldest is ${count("oldest_days")} days old, ${count("orphans")} have nothing to waive`,
    `${count("extended_3_times")} were extended three times`,
    ...(waivers.length === 0
      ? []
      : Table.lines([
          ["NUMBER", "POLICY", "OWNER", "ENDS", "WAIVES", "REMARK"].map((heading) =>
            style.tint("bold", heading)
          ),
          ...waivers.map((waiver) => [
            style.text(waiver.number),
            style.text(waiver.policy_name),
            style.text(waiver.owner),
            style.instant(waiver.expires_at),
            usedText(waiver, style),
            waiver.orphan === null ? "–" : style.text(waiver.orphan)
          ])
        ]))
  ]
}

/** Shows how much is waived. */
export const debt: CommandModule = {
  run: async (context) => {
    const value = Json.object(await (await context.api()).call("waiver.debt"))
    return {
      value,
      quiet: String(value.active),
      lines: (style) => debtLines(value, style)
    }
  }
}

const settingsLines = (value: Json.Fields, style: Style): ReadonlyArray<string> =>
  Table.lines([
    ["longest time", `${Json.number(value.max_days)} days`],
    ["approvals", style.text(value.approvals_required)],
    ["approvers", `${style.text(value.approver_role)} and above`],
    ["own requests", value.self_approval === true ? "may be approved" : "need another user"]
  ])

/** Shows the rules of the org for waivers, or changes those that flags give. */
export const settings: CommandModule = {
  run: async (context, args) => {
    const api = await context.api()
    const given = present({
      max_days: args.number("max-days"),
      approvals_required: args.number("approvals"),
      approver_role: args.text("approver-role"),
      self_approval: args.boolean("self-approval")
    })
    const before = Json.object(await api.call("waiver.settings"))
    const payload = { ...before, ...given }
    const isChange = Object.keys(given).length > 0
    if (isChange && args.has("dry-run")) return dryRun(context, "waiver.putSettings", { payload })
    const value = isChange ? Json.object(await api.call("waiver.putSettings", { payload })) : before
    return {
      value,
      quiet: String(value.approvals_required),
      lines: (style) => settingsLines(value, style)
    }
  }
}
