/**
 * What `git` of this machine says about the working tree; nothing where there is no repository.
 *
 * No shell is involved and no program of the repository's configuration runs.
 */
import { execFile } from "node:child_process"

const TIMEOUT_MS = 30_000
const OUTPUT_BYTES_MAX = 1_048_576

/** Settings of a repository that would run programs. */
const QUIET = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "log.showSignature=false"]

const git = (folder: string, args: ReadonlyArray<string>): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile(
      "git",
      ["--no-pager", ...QUIET.flatMap((setting) => ["-c", setting]), "-C", folder, ...args],
      {
        timeout: TIMEOUT_MS,
        maxBuffer: OUTPUT_BYTES_MAX,
        env: { ...process.env, GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" }
      },
      (error, output) => resolve(error === null ? output : undefined)
    )
  })

/** A commit as requests have it. */
export interface CommitInfo {
  readonly sha1: string
  readonly author: string
  readonly timestamp: number
  readonly parents: ReadonlyArray<string>
  readonly message: string
}

const FORMAT = "%H%x00%an <%ae>%x00%at%x00%P%x00%B"

/** A commit; undefined where the working tree does not have it. */
export const commit = async (folder: string, revision: string): Promise<CommitInfo | undefined> => {
  const output = await git(folder, [
    "log",
    "-1",
    "--no-show-signature",
    `--format=${FORMAT}`,
    "--end-of-options",
    revision,
    "--"
  ])
  const [sha1 = "", author = "", seconds, parents = "", ...message] = (output ?? "").split("\0")
  if (!/^[0-9a-f]{40}$/.test(sha1)) return undefined
  return {
    sha1,
    author,
    timestamp: Number(seconds),
    parents: parents === "" ? [] : parents.split(" "),
    message: message.join("\0").trim()
  }
}

/** The commit and the branch that are checked out. */
export const head = async (
  folder: string
): Promise<{ readonly commit: string; readonly branch: string | undefined } | undefined> => {
  const output = await git(folder, ["rev-parse", "--verify", "--quiet", "HEAD"])
  const sha1 = (output ?? "").trim()
  if (!/^[0-9a-f]{40}$/.test(sha1)) return undefined
  const branch = await git(folder, ["symbolic-ref", "--quiet", "--short", "HEAD"])
  return { commit: sha1, branch: branch === undefined ? undefined : branch.trim() }
}

/** The whole id of a revision. */
export const resolve = async (folder: string, revision: string): Promise<string | undefined> => {
  const output = await git(folder, [
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${revision}^{commit}`
  ])
  const sha1 = (output ?? "").trim().split("\n").at(-1) ?? ""
  return /^[0-9a-f]{40}$/.test(sha1) ? sha1 : undefined
}

/** The fetch URL of the remote `origin`. */
export const remote = async (folder: string): Promise<string | undefined> => {
  const output = await git(folder, ["config", "--get", "remote.origin.url"])
  const url = (output ?? "").trim()
  return url === "" ? undefined : url
}
