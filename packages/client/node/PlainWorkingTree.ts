/**
 * The state of a working tree by the `git` of this machine, for programs without Effect; `WorkingTree` has Effects.
 *
 * The author and the author date are used, not those of the committer. No shell is involved, and no program of the
 * repository's configuration runs: no hooks, no signature program, no file system monitor.
 */
import { execFile } from "node:child_process"

const TIMEOUT_MS = 30_000
const OUTPUT_BYTES_MAX = 1_048_576

/** Disables settings of the repository that run programs. */
const QUIET = [
  "--no-pager",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "log.showSignature=false",
  "-c",
  "log.mailmap=false"
]

/** The answer of `git`. */
export interface GitAnswer {
  readonly code: number
  readonly output: string
  readonly problem: string
}

/** Runs `git` in a folder; rejects where there is no such program, and where it takes too long. */
export const git = (
  folder: string,
  args: ReadonlyArray<string>,
  signal?: AbortSignal
): Promise<GitAnswer> =>
  new Promise((resolve, reject) => {
    execFile(
      "git",
      [...QUIET, "-C", folder, ...args],
      {
        timeout: TIMEOUT_MS,
        maxBuffer: OUTPUT_BYTES_MAX,
        env: { ...process.env, GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" },
        ...(signal === undefined ? {} : { signal })
      },
      (error, output, problem) => {
        if (error === null) resolve({ code: 0, output, problem })
        else if (typeof error.code === "number") resolve({ code: error.code, output, problem })
        else reject(error)
      }
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

const SHA1 = /^[0-9a-f]{40}$/

/** The arguments that ask for a commit. */
export const commitArguments = (revision: string): ReadonlyArray<string> => [
  "log",
  "-1",
  "--no-show-signature",
  `--format=${FORMAT}`,
  "--end-of-options",
  revision,
  "--"
]

/** The commit of an answer; undefined where it has none. */
export const commitOf = ({ code, output }: GitAnswer): CommitInfo | undefined => {
  const [sha1 = "", author = "", seconds, parents = "", ...message] = output.split("\0")
  if (code !== 0 || !SHA1.test(sha1)) return undefined
  return {
    sha1,
    author,
    timestamp: Number(seconds),
    parents: parents === "" ? [] : parents.split(" "),
    message: message.join("\0").trim()
  }
}

/** The output of `git`; undefined where it failed or is not installed. */
const printed = async (
  folder: string,
  args: ReadonlyArray<string>
): Promise<string | undefined> => {
  try {
    const { code, output } = await git(folder, args)
    return code === 0 ? output.trim() : undefined
  } catch {
    // WHY: a machine without git has a job without a working tree.
    return undefined
  }
}

/** A commit; undefined where the working tree does not have it. */
export const commit = async (folder: string, revision: string): Promise<CommitInfo | undefined> => {
  try {
    return commitOf(await git(folder, commitArguments(revision)))
  } catch {
    // WHY: a machine without git has a job without a working tree.
    return undefined
  }
}

/** The branch that is checked out; undefined for a detached `HEAD`. */
export const branch = (folder: string): Promise<string | undefined> =>
  printed(folder, ["symbolic-ref", "--quiet", "--short", "HEAD"])

/** The commit and the branch that are checked out. */
export const head = async (
  folder: string
): Promise<{ readonly commit: string; readonly branch: string | undefined } | undefined> => {
  const sha1 = (await printed(folder, ["rev-parse", "--verify", "--quiet", "HEAD"])) ?? ""
  return SHA1.test(sha1) ? { commit: sha1, branch: await branch(folder) } : undefined
}

/** The whole id of a revision. */
export const resolve = async (folder: string, revision: string): Promise<string | undefined> => {
  const asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]
  const sha1 = (await printed(folder, asked))?.split("\n").at(-1) ?? ""
  return SHA1.test(sha1) ? sha1 : undefined
}

/** The fetch URL of the remote `origin`, as it is configured. */
export const remote = async (folder: string): Promise<string | undefined> => {
  const url = await printed(folder, ["config", "--get", "remote.origin.url"])
  return url === "" ? undefined : url
}
