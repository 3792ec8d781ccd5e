/** Reads trailers such as `Jira: SHOP-12` from the message of a commit, by the rules of `git`. */
import * as WorkingTree from "@attestry/client/node/PlainWorkingTree"
import { unreadable, usage } from "../shared/CommandFailure.js"

const KEY = /^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/

/** The values of the trailers with a key, in any case; fails if `git` does not have the commit. */
export const read = async (
  root: string,
  commit: string,
  key: string
): Promise<ReadonlyArray<string>> => {
  if (!KEY.test(key))
    throw usage(`--trailer: \`${key}\` is no key of a trailer: letters, digits and hyphens`)
  const format = `--format=%(trailers:key=${key},valueonly,unfold)`
  const { code, output } = await WorkingTree.git(root, ["log", "-1", format, commit])
  if (code !== 0)
    throw unreadable(
      `git has no commit ${commit}, so its trailers cannot be read`,
      "run it in the repository, or give --repo-root"
    )
  return output.split("\n").filter((line) => line !== "")
}
