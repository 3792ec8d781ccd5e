/** The pull requests of a commit, read from its forge, in the words of the interface. */
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import { variable } from "../shared/Host.js"
import type * as Json from "../shared/Json.js"

/** The query of a forge. */
export interface PullRequestQuery {
  readonly repository: string
  readonly commit: string
  /** The number of one pull request, if it is known. */
  readonly number: string | undefined
  readonly apiUrl: string | undefined
}

/** The known forges, by the words of `git_provider`. */
export const FORGES = ["github", "gitlab", "bitbucket", "cloudx"] as const
/** A known forge. */
export type Forge = (typeof FORGES)[number]

/** A forge that finds pull requests. */
export interface ForgeModule {
  readonly find: (
    context: CommandContext,
    query: PullRequestQuery
  ) => Promise<ReadonlyArray<Json.Fields>>
}

/** Whole seconds of a forge's date; undefined for anything else. */
export const seconds = (text: unknown): number | undefined => {
  const millis = typeof text === "string" ? Date.parse(text) : Number.NaN
  return Number.isNaN(millis) ? undefined : Math.floor(millis / 1_000)
}

/** The fields that have a value. */
export const present = (fields: Json.Fields): Json.Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  )

/** An author in the form of commits. */
export const person = (name: unknown, email: unknown): string => `${name ?? ""} <${email ?? ""}>`

/** A token, and the variable of its origin. */
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

/** The number of a pull request; undefined if none was given. */
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

/** The pull requests of a commit. */
export const find = async (
  context: CommandContext,
  forge: Forge,
  query: PullRequestQuery
): Promise<ReadonlyArray<Json.Fields>> => (await moduleOf(forge)).find(context, query)
