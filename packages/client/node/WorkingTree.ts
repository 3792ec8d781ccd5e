/** Reads a commit of a working tree with the `git` of this machine, as Effects; see `PlainWorkingTree`. */
import type { GitCommitInfo } from "@attestry/core/GitCommit"
import { CommitSha } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import { EvidenceError } from "./EvidenceError.js"
import * as PlainWorkingTree from "./PlainWorkingTree.js"

/** The commit to read. */
export interface CommitOptions {
  /** A revision; `HEAD` by default. */
  readonly revision?: string
}

const git = (folder: string, args: ReadonlyArray<string>) =>
  Effect.tryPromise({
    try: (signal) => PlainWorkingTree.git(folder, args, signal),
    catch: (cause) => new EvidenceError({ path: folder, detail: "git could not be run", cause })
  })

/** A commit as the field `git_commit_info` of a request. */
export const commit = (
  folder: string,
  { revision = "HEAD" }: CommitOptions = {}
): Effect.Effect<GitCommitInfo, EvidenceError> =>
  Effect.gen(function* () {
    const answer = yield* git(folder, PlainWorkingTree.commitArguments(revision))
    const found = PlainWorkingTree.commitOf(answer)
    if (found === undefined) {
      const detail = answer.problem.trim().split("\n")[0] ?? ""
      return yield* new EvidenceError({ path: folder, detail: `git has no such commit: ${detail}` })
    }
    const branch = yield* branchOf(folder, revision)
    return {
      ...found,
      sha1: CommitSha.make(found.sha1),
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
