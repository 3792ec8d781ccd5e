/** The number of a repository at its forge: from a flag, from the variables of a job of it, or from the forge. */
import type { CommandContext } from "../shared/CommandContext.js"
import { unreadable, usage } from "../shared/CommandFailure.js"
import { variable } from "../shared/Host.js"
import * as Json from "../shared/Json.js"
import * as ForeignApi from "../transport/ForeignApi.js"
import { GITHUB_ISSUER } from "./IdentityRule.js"

const NUMBER = /^\d{1,18}$/

/** A forge that knows the numbers of its repositories. */
interface Forge {
  /** The flag with the number. */
  readonly flag: string
  /** The variables of a job: the name and the number of its repository. */
  readonly variables: readonly [string, string]
  /** The variables with a token; the first one that is set is used. */
  readonly tokens: ReadonlyArray<string>
  readonly headers: (token: string) => { readonly [name: string]: string }
  readonly url: (context: CommandContext, issuer: string, name: string) => string
}

const githubBase = ({ host }: CommandContext, issuer: string): string => {
  const given = variable(host, "GITHUB_API_URL")
  if (given !== undefined) return given
  // WHY: the issuer of a GitHub server of one's own is `https://HOST/_services/token`.
  return issuer === GITHUB_ISSUER ? "https://api.github.com" : `${new URL(issuer).origin}/api/v3`
}

const GITHUB: Forge = {
  flag: "repository-id",
  variables: ["GITHUB_REPOSITORY", "GITHUB_REPOSITORY_ID"],
  tokens: ["GITHUB_TOKEN", "GH_TOKEN"],
  headers: (token) => ({ authorization: `Bearer ${token}` }),
  url: (context, issuer, name) => {
    const base = ForeignApi.baseOf(githubBase(context, issuer), "GITHUB_API_URL or --issuer")
    return `${base}/repos/${name}`
  }
}

const GITLAB: Forge = {
  flag: "project-id",
  variables: ["CI_PROJECT_PATH", "CI_PROJECT_ID"],
  tokens: ["GITLAB_TOKEN"],
  headers: (token) => ({ "private-token": token }),
  url: ({ host }, issuer, name) => {
    const given = variable(host, "CI_API_V4_URL") ?? `${issuer}/api/v4`
    const base = ForeignApi.baseOf(given, "CI_API_V4_URL or --issuer")
    return `${base}/projects/${encodeURIComponent(name)}`
  }
}

const FORGES = { github: GITHUB, gitlab: GITLAB }

/** A repository to find. */
export interface Wanted {
  readonly forge: keyof typeof FORGES
  readonly name: string
  readonly issuer: string
  /** The number from the flag. */
  readonly given: string | undefined
}

const ask = async (context: CommandContext, wanted: Wanted): Promise<string> => {
  const { flag, tokens, headers, url } = FORGES[wanted.forge]
  const token = tokens.map((name) => variable(context.host, name)).find(Boolean)
  if (token !== undefined) context.output.hide(token)
  const todo = `give --${flag}, or set ${tokens.join(" or ")} with a token that may read it`
  const api = await ForeignApi.make(context, {
    headers: token === undefined ? {} : headers(token),
    lacking: todo
  })
  const found = await api.need(
    url(context, wanted.issuer, wanted.name),
    `there is no \`${wanted.name}\`, or it is private`
  )
  const { id } = Json.object(found)
  if (typeof id !== "number") throw unreadable(`the forge does not give the id of ${wanted.name}`)
  return String(id)
}

/** The number of a repository. */
export const find = async (context: CommandContext, wanted: Wanted): Promise<string> => {
  const { flag, variables } = FORGES[wanted.forge]
  if (wanted.given !== undefined) {
    if (NUMBER.test(wanted.given)) return wanted.given
    throw usage(`--${flag} expects a number, not \`${wanted.given}\``)
  }
  const [name, number] = variables.map((each) => variable(context.host, each))
  if (name === wanted.name && number !== undefined && NUMBER.test(number)) return number
  return ask(context, wanted)
}
