/**
 * Reads a commit of a working tree with the `git` of this machine.
 *
 * The author and the author date are used, not those of the committer. No shell is involved, and no program of the
 * repository's configuration runs: no hooks, no signature program, no file system monitor.
 */
import { execFile } from "node:child_process"
import type { GitCommitInfo } from "@attestry/core/GitCommit"
import { CommitSha } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import { EvidenceError } from "./EvidenceError.js"

/** The commit to read. */
export interface CommitOptions {
  /** A revision; `HEAD` by default. */
  readonly revision?: string
}

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

interface GitAnswer {
  readonly code: number
  readonly output: string
  readonly problem: string
}

const git = (folder: string, args: ReadonlyArray<string>) =>
  Effect.async<GitAnswer, EvidenceError>((resume) => {
    const child = execFile(
      "git",
      [...QUIET, "-C", folder, ...args],
      {
        timeout: TIMEOUT_MS,
        maxBuffer: OUTPUT_BYTES_MAX,
        env: { ...process.env, GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" }
      },
      (error, output, problem) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1
        resume(
          code === -1
            ? new EvidenceError({ path: folder, detail: "git could not be run", cause: error })
            : Effect.succeed({ code, output, problem })
        )
      }
    )
    return Effect.sync(() => child.kill())
  })

const FORMAT = "%H%x00%an <%ae>%x00%at%x00%P%x00%B"

/** A commit as the field `git_commit_info` of a request. */
export const commit = (
  folder: string,
  { revision = "HEAD" }: CommitOptions = {}
): Effect.Effect<GitCommitInfo, EvidenceError> =>
  Effect.gen(function* () {
    const asked = ["log", "-1", "--no-show-signature", `--format=${FORMAT}`, "--end-of-options"]
    const { code, output, problem } = yield* git(folder, [...asked, revision, "--"])
    const [sha1 = "", author, seconds, parents = "", ...message] = output.split("\0")
    if (code !== 0 || sha1.length !== 40) {
      const detail = problem.trim().split("\n")[0] ?? ""
      return yield* new EvidenceError({ path: folder, detail: `git has no such commit: ${detail}` })
    }
    const branch = yield* branchOf(folder, revision)
    return {
      sha1: CommitSha.make(sha1),
      author: author ?? "",
      timestamp: Number(seconds),
      parents: parents === "" ? [] : parents.split(" "),
      message: message.join("\0").trim(),
      ...(branch === undefined ? {} : { branch })
    }
  })

/** The branch of `HEAD`; none for another commit and for a detached `HEAD`. */
const branchOf = (folder: string, revision: string) =>
  revision === "HEAD"
    ? Effect.map(git(folder, ["symbolic-ref", "--quiet", "--short", "HEAD"]), ({ code, output }) =>
        code === 0 ? output.trim() : undefined
      )
    : Effect.succeed(undefined)

const CREDENTIALS = /^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i

/** The fetch URL of a remote, without credentials. */
export const remoteUrl = (
  folder: string,
  remote = "origin"
): Effect.Effect<string | undefined, EvidenceError> =>
  Effect.map(
    git(folder, ["config", "--get", "--end-of-options", `remote.${remote}.url`]),
    ({ code, output }) => (code === 0 ? output.trim().replace(CREDENTIALS, "$1") : undefined)
  )
