/** `attestry agents …`: lists and sets the accounts that count as agents in pull requests. */
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"
import { dryRun } from "./DryRun.js"

const accountsOf = (value: Json.Fields): ReadonlyArray<string> =>
  Array.isArray(value.accounts) ? value.accounts.map(String) : []

const resultOf = (value: Json.Fields) => ({
  value,
  quiet: accountsOf(value).join("\n"),
  lines: (style: Style) => {
    const accounts = accountsOf(value)
    return accounts.length === 0
      ? ["no accounts: the programs that forges mark count as agents"]
      : accounts.map((account) => style.text(account))
  }
})

/** Shows the agent accounts. */
export const list: CommandModule = {
  run: async (context) =>
    resultOf(Json.object(await (await context.api()).call("agentAccount.list")))
}

/** Replaces the agent accounts; without an account, removes all. */
export const set: CommandModule = {
  run: async (context, args) => {
    const payload = { accounts: args.positionals }
    if (args.has("dry-run")) return dryRun(context, "agentAccount.put", { payload })
    const api = await context.api()
    return resultOf(Json.object(await api.call("agentAccount.put", { payload })))
  }
}
