/** Repositories for tests, made by the `git` of this machine without its settings. */
import { execFileSync } from "node:child_process"

const git = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", [...args], {
    cwd,
    encoding: "utf8",
    env: {
      PATH: process.env.PATH,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.com",
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.com"
    }
  })

/** Commits an empty change in a folder, which becomes a repository; gives the commit. */
export const commit = (cwd: string, message: string): string => {
  git(cwd, "init", "-q")
  git(cwd, "commit", "-q", "--allow-empty", "-m", message)
  return git(cwd, "rev-parse", "HEAD").trim()
}
