/** Reads the pull requests of a commit from its forge, in the form of the API. */
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import { variable } from "../shared/Host.js"
import * as Json from "../shared/Json.js"

/** The parameters of a search for pull requests. */
export interface PullRequestQuery {
  readonly repository: string
  readonly commit: string
  /** The number of the pull request, if it is known. */
  readonly number: string | undefined
  readonly apiUrl: string | undefined
}

/** The supported forges, by their names in `git_provider`; `cloudx` is Azure DevOps. */
export const FORGES = ["github", "gitlab", "bitbucket", "cloudx"] as const
/** One of `FORGES`. */
export type Forge = (typeof FORGES)[number]

/** The code for one forge. */
export interface ForgeModule {
  readonly find: (
    context: CommandContext,
    query: PullRequestQuery
  ) => Promise<ReadonlyArray<Json.Fields>>
}

/** A forge's date in whole epoch seconds; undefined for any other value. */
export const seconds = (text: unknown): number | undefined => {
  const millis = typeof text === "string" ? Date.parse(text) : Number.NaN
  return Number.isNaN(millis) ? undefined : Math.floor(millis / 1_000)
}

/** The fields that have a value. */
export const present = (fields: Json.Fields): Json.Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  )

/** The logins of the accounts that the forge marks as programs; undefined without any. */
export const programsOf = (
  accounts: ReadonlyArray<unknown>,
  nameOf: (account: Json.Fields) => string | undefined,
  isProgram: (account: Json.Fields) => boolean
): ReadonlyArray<string> | undefined => {
  const names = Json.objects(accounts)
    .filter(isProgram)
    .flatMap((account) => nameOf(account) || [])
  return names.length === 0 ? undefined : [...new Set(names)].sort()
}

/** An author as `Name <email>`. */
export const person = (name: unknown, email: unknown): string => `${name ?? ""} <${email ?? ""}>`

/** A token, and the variable from which it comes. */
export interface ForgeToken {
  readonly name: string
  readonly value: string
}

/** The first token that is set; it is hidden in all output. */
export const tokenOf = (
  { host, output }: CommandContext,
  names: readonly [string, ...ReadonlyArray<string>]
): ForgeToken => {
  for (const name of names) {
    const value = variable(host, name)
    if (value === undefined) continue
    output.hide(value)
    return { name, value }
  }
  throw usage("the forge needs a token", `set ${names.join(" or ")}`)
}

const NUMBER = /^\d{1,18}$/

/** The number of a pull request; undefined if none is given. */
export const numberOf = ({ number }: PullRequestQuery): string | undefined => {
  if (number === undefined || NUMBER.test(number)) return number
  throw usage(`--number: \`${number}\` is no number of a pull request`)
}

const moduleOf = async (forge: Forge): Promise<ForgeModule> => {
  switch (forge) {
    case "github":
      return import("./GithubForge.js")
    case "gitlab":
      return import("./GitlabForge.js")
    case "bitbucket":
      return import("./BitbucketForge.js")
    case "cloudx":
      return import("./AzureDevopsForge.js")
  }
}

/** Finds the pull requests of a commit in the forge of the query. */
export const find = async (
  context: CommandContext,
  forge: Forge,
  query: PullRequestQuery
): Promise<ReadonlyArray<Json.Fields>> => (await moduleOf(forge)).find(context, query)
