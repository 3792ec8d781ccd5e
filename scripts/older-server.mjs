/**
 * `node scripts/older-server.mjs FOLDER`: makes the server of the commit before there were exposures and knowledge
 * numbers, as `FOLDER/server.mjs`, for a rolling upgrade and for benchmarks. It ends with 3 in a copy of the
 * repository that has no history.
 *
 * Its sources are taken from git and bundled with the packages that are installed. The folder must stay while the
 * server runs: it reads files beside its modules.
 */
import { execFileSync } from "node:child_process"
import { cpSync, symlinkSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")

/** The first migration that the older server does not know. */
const FIRST = "packages/sql-store/src/migrations/0095_exposure.ts"

/** The code of a copy without history. */
const WITHOUT_HISTORY = 3

const PACKAGES = [
  "core",
  "memory-store",
  "sql-store",
  "api",
  "http",
  "client",
  "evidence-rules",
  "notifier",
  "server",
  "web"
].map((name) => `packages/${name}`)

const git = (...args) => {
  try {
    const stdio = ["ignore", "pipe", "ignore"]
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio }).trim()
  } catch {
    return ""
  }
}

/** The commit before the first migration; empty without history. */
const commitBefore = () => {
  const added = git("log", "--diff-filter=A", "--format=%H", "--", FIRST).split("\n").at(-1)
  // WHY asked for: the oldest commit of a history that was cut adds every file and has no parent.
  return added === "" ? "" : git("rev-parse", "--verify", "--quiet", `${added}^`)
}

/** The sources of a commit, in a folder that finds the installed packages. */
const unpack = (commit, folder) => {
  const archive = join(folder, "sources.tar")
  const files = ["tsconfig.base.json", ...PACKAGES]
  execFileSync("git", ["archive", "-o", archive, commit, ...files], { cwd: root })
  execFileSync("tar", ["-xf", archive, "-C", folder])
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  for (const path of PACKAGES) {
    const from = join(root, path, "node_modules")
    cpSync(from, join(folder, path, "node_modules"), { recursive: true, verbatimSymlinks: true })
  }
}

const [, , folder] = process.argv
const commit = commitBefore()
if (commit === "") process.exit(WITHOUT_HISTORY)
unpack(commit, folder)
execFileSync(process.execPath, [
  join(import.meta.dirname, "bundle.mjs"),
  join(folder, "server.mjs"),
  folder
])
