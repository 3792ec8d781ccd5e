/**
 * The accounts of forges that an org names as those of agents, beside the programs that forges mark themselves.
 *
 * An attestation of pull requests keeps the ones that were among its authors and approvers when it was recorded, so
 * that its facts follow from its body alone.
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { JsonObject } from "../shared/Evidence.js"
import * as PullRequestFacts from "./PullRequestFacts.js"

/** The most accounts of an org. */
export const ACCOUNTS_MAX = 200
/** The most characters of an account. */
export const ACCOUNT_LENGTH_MAX = 254

/** A login, or an e-mail address, without white space and wildcards; its case does not matter. */
export const AgentAccount = Schema.String.pipe(
  Schema.maxLength(ACCOUNT_LENGTH_MAX),
  // WHY `**ERASED**`: it stands for a name that was erased.
  Schema.filter((text) => text === "**ERASED**" || /^[^\s*?<>\p{Cc}]+$/u.test(text), {
    message: () => "must be a login or an e-mail address, without wildcards"
  })
)

/** The agent accounts of an org, in the order in which they were given. */
export const AgentAccounts = Schema.Struct({
  accounts: Schema.Array(AgentAccount).pipe(Schema.maxItems(ACCOUNTS_MAX))
}).annotations({ identifier: "AgentAccounts" })
/** The agent accounts of an org. */
export type AgentAccounts = typeof AgentAccounts.Type

/** The accounts of an org that has named none. */
export const NONE: AgentAccounts = { accounts: [] }

/** Accounts without those that differ from an earlier one in case alone. */
export const distinct = ({ accounts }: AgentAccounts): AgentAccounts => {
  const seen = new Map(
    [...accounts].reverse().map((account) => [account.toLowerCase(), account] as const)
  )
  return { accounts: accounts.filter((account) => seen.get(account.toLowerCase()) === account) }
}

/** The member of a body that has the accounts, each as `{ username }`, a member that erasures find. */
export const MEMBER = "agents"

/** A body of pull requests with the accounts that are among its authors and approvers, in lower case. */
export const recordedIn = <Body extends JsonObject>(
  body: Body,
  { accounts }: AgentAccounts
): Body & JsonObject => {
  const found = PullRequestFacts.among(body, accounts)
  return found.length === 0 ? body : { ...body, [MEMBER]: found.map((username) => ({ username })) }
}

/** The accounts that a recorded body has. */
export const of = (body: JsonObject): ReadonlySet<string> => {
  const listed: unknown = Object.hasOwn(body, MEMBER) ? body[MEMBER] : []
  const agents: ReadonlyArray<unknown> = Array.isArray(listed) ? listed : []
  return new Set(
    agents.flatMap((agent) =>
      Predicate.isRecord(agent) && typeof agent.username === "string" ? [agent.username] : []
    )
  )
}
