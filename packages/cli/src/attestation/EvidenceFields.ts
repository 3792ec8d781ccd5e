/** The fields that trails, artifacts and attestations share: commit, repository, links and user data. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import * as WorkingTree from "@attestry/client/node/PlainWorkingTree"
import { commitUrlOf } from "../job/Job.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { unreadable, usage } from "../shared/CommandFailure.js"
import type { Host } from "../shared/Host.js"
import type { Fields } from "../shared/Json.js"
import * as RepositoryFlags from "./RepositoryFlags.js"

const REDACTED = "**REDACTED**"

const SHA = /^[0-9a-f]{40}$/

/** The full hash of the given commit, or of the job's commit. */
export const commitOf = async (
  { job, host, output }: CommandContext,
  args: Arguments
): Promise<string | undefined> => {
  const named = args.text("commit")
  if (named === undefined) return (await job()).commit
  const root = resolve(host.cwd, args.text("repo-root") ?? ".")
  const found = await WorkingTree.resolve(root, named)
  if (found !== undefined) return found
  if (!SHA.test(named))
    throw unreadable(`git has no commit \`${named}\``, "give the 40 characters of its id")
  output.trace(`git has no commit ${named}; its author and message are left out`)
  return named
}

const redactedFields = async (
  { settings }: CommandContext,
  args: Arguments
): Promise<ReadonlyArray<string>> => [
  ...((await settings()).repository?.redact ?? []),
  ...args.texts("redact")
]

/** The repository of the evidence, by the flags or the job. */
export const repositoryOf = async (
  { job }: CommandContext,
  args: Arguments,
  naming?: RepositoryFlags.Naming
): Promise<RepositoryFlags.EvidenceRepository | undefined> =>
  RepositoryFlags.of((await job()).repository, args, naming)

/** The commit as requests have it; undefined without a commit. */
const commitInfo = async (
  context: CommandContext,
  args: Arguments,
  repository: RepositoryFlags.EvidenceRepository | undefined
): Promise<Fields | undefined> => {
  const sha1 = await commitOf(context, args)
  if (sha1 === undefined) return undefined
  const root = resolve(context.host.cwd, args.text("repo-root") ?? ".")
  const known = await WorkingTree.commit(root, sha1)
  if (known === undefined)
    context.output.trace(`git does not have commit ${sha1}: author and message are left out`)
  const { branch } = await context.job()
  const url = repository === undefined ? undefined : commitUrlOf(repository, sha1)
  const info = present({ sha1, ...known, branch, url })
  const redacted = await redactedFields(context, args)
  return Object.fromEntries(
    Object.entries(info).map(([name, value]) => [name, redacted.includes(name) ? REDACTED : value])
  )
}

/** The repository as requests have it; undefined without a repository. */
const repoInfo = (
  repository: RepositoryFlags.EvidenceRepository | undefined
): Fields | undefined => {
  if (repository === undefined) return undefined
  const { id, name, url, provider, namespace, description } = repository
  return present({ id, name, url, provider, namespace_path: namespace, description })
}

/** The JSON of a file, or of stdin for `-`. */
export const readJson = async (host: Host, file: string): Promise<unknown> => {
  const text = await readText(host, file)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw unreadable(`${file} is no JSON`, undefined, cause)
  }
}

/** The text of a file, or of stdin for `-`. */
export const readText = async (host: Host, file: string): Promise<string> => {
  if (file === "-") return new TextDecoder().decode(await host.readStdin())
  try {
    return readFileSync(resolve(host.cwd, file), "utf8")
  } catch (cause) {
    throw unreadable(`${file} cannot be read`, undefined, cause)
  }
}

/** Links by label, with their fingerprints if given. */
export const externalUrls = (args: Arguments): Fields | undefined => {
  const digests = new Map(args.pairs("external-fingerprint"))
  const links = args.pairs("external-url")
  const unknown = [...digests.keys()].find((label) => !links.some(([name]) => name === label))
  if (unknown !== undefined)
    throw usage(`--external-fingerprint ${unknown}=… has no --external-url ${unknown}=…`)
  if (links.length === 0) return undefined
  return Object.fromEntries(
    links.map(([label, href]) => {
      const fingerprint = digests.get(label)
      return [label, fingerprint === undefined ? { href } : { href, fingerprint }]
    })
  )
}

/** The fields without the undefined ones. */
export const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** The shared fields: description, links, build URL, user data, commit and repository. */
export const shared = async (
  context: CommandContext,
  args: Arguments,
  naming?: RepositoryFlags.Naming
): Promise<Fields> => {
  const repository = await repositoryOf(context, args, naming)
  const userData = args.text("user-data")
  return present({
    description: args.text("description"),
    origin_url: args.text("origin-url") ?? (await context.job()).buildUrl,
    external_urls: externalUrls(args),
    user_data: userData === undefined ? undefined : await readJson(context.host, userData),
    git_commit_info: await commitInfo(context, args, repository),
    repo_info: repoInfo(repository)
  })
}
