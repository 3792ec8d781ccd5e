/**
 * `attestry get|put|delete identity-rules ACCOUNT`: the rules by which pipelines sign in without a stored key.
 *
 * An account has one list of rules, and a write replaces it. A command that could lose a rule needs `--append` or
 * `--replace`.
 */

import { dryRun } from "../attestation/DryRun.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import { confirm } from "../shared/Confirmation.js"
import * as Json from "../shared/Json.js"
import * as KeyScope from "../shared/KeyScope.js"
import type { Style } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import { isSame } from "./IdentityRule.js"
import * as RuleFlags from "./RuleFlags.js"

type Rules = ReadonlyArray<Json.Fields>

const accountOf = (args: Arguments): string => args.positionals[0] ?? ""

const rulesIn = (answer: unknown): Rules => Json.objects(Json.object(answer).rules)

const stored = async ({ api }: CommandContext, name: string): Promise<Rules> =>
  rulesIn(await (await api()).call("workloadIdentity.getRules", { path: { name } }))

const claimsText = (claims: unknown): string =>
  Json.members(claims)
    .map(([name, pattern]) => `${name}=${pattern}`)
    .join(", ")

const ruleLines = (rule: Json.Fields, style: Style): ReadonlyArray<string> =>
  Table.lines([
    ["  issuer", style.text(rule.issuer)],
    ["  audience", style.text(rule.audience)],
    ["  subject", style.text(rule.subject)],
    ...(claimsText(rule.claims) === "" ? [] : [["  claims", style.text(claimsText(rule.claims))]]),
    [
      "  key",
      `for ${style.text(rule.lifetime)} s${rule.single_use === true ? ", each token once" : ""}`
    ],
    ...(rule.scope === undefined ? [] : [["  scope", style.text(KeyScope.textOf(rule.scope))]])
  ])

const listLines = (rules: Rules, style: Style): ReadonlyArray<string> =>
  rules.flatMap((rule, at) => [`rule ${at + 1}`, ...ruleLines(rule, style)])

/** Runs `attestry get identity-rules`. */
export const get: CommandModule = {
  run: async (context, args) => {
    const rules = await stored(context, accountOf(args))
    return {
      value: { rules },
      items: rules,
      quiet: rules.map(({ subject }) => String(subject)).join("\n"),
      lines: (style) => (rules.length === 0 ? ["no rules"] : listLines(rules, style))
    }
  }
}

/** A write of rules: the whole list, and the part that the command line gave. */
interface Change {
  readonly outcome: "written" | "appended" | "replaced" | "unchanged" | "deleted"
  readonly all: Rules
  readonly given: Rules
}

const resultOf = (account: string, { outcome, all, given }: Change): CommandResult => ({
  value: {
    schema: "attestry.cli/identity-rules/v1",
    account,
    outcome,
    given,
    rules: all
  },
  quiet: account,
  lines: (style) => [
    `identity rules of ${style.text(account)}: ${style.tint("green", outcome)}, ${all.length} in all`,
    ...given.flatMap((rule) => ruleLines(rule, style))
  ]
})

const send = async (
  context: CommandContext,
  args: Arguments,
  change: Change
): Promise<CommandResult> => {
  const account = accountOf(args)
  const operation = "workloadIdentity.putRules"
  const call = { path: { name: account }, payload: { rules: change.all } }
  if (args.has("dry-run")) return dryRun(context, operation, call)
  const all = rulesIn(await (await context.api()).call(operation, call))
  const given = all.filter((rule) => change.given.some((each) => isSame(rule, each)))
  return resultOf(account, { ...change, all, given })
}

const isWithin = (rules: Rules, given: Rules): boolean =>
  given.every((rule) => rules.some((each) => isSame(each, rule)))

const changeOf = (args: Arguments, before: Rules, given: Rules): Change => {
  const isAppending = args.has("append")
  if (isAppending && args.has("replace")) throw usage("--append and --replace exclude each other")
  const isKnown = isWithin(before, given)
  if (isKnown && (isAppending || before.length === given.length))
    return {
      outcome: "unchanged",
      all: before,
      given: before.filter((rule) => given.some((each) => isSame(rule, each)))
    }
  if (before.length === 0) return { outcome: "written", all: given, given }
  if (isAppending) {
    const fresh = given.filter((rule) => !isWithin(before, [rule]))
    return { outcome: "appended", all: [...before, ...fresh], given }
  }
  if (args.has("replace")) return { outcome: "replaced", all: given, given }
  throw usage(
    `${accountOf(args)} has ${before.length === 1 ? "a rule" : `${before.length} rules`} already`,
    "give --append to keep them, or --replace to remove them; see: attestry get identity-rules"
  )
}

/** Runs `attestry put identity-rules`. */
export const put: CommandModule = {
  run: async (context, args) => {
    const given = await RuleFlags.read(context, args)
    const change = changeOf(args, await stored(context, accountOf(args)), given)
    return change.outcome === "unchanged" && !args.has("dry-run")
      ? resultOf(accountOf(args), change)
      : send(context, args, change)
  }
}

/** Runs `attestry delete identity-rules`. */
export const remove: CommandModule = {
  run: async (context, args) => {
    const account = accountOf(args)
    await confirm(context, args, `no pipeline will be able to sign in as ${account}`)
    return send(context, args, { outcome: "deleted", all: [], given: [] })
  }
}
