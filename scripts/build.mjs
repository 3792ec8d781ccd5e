/** Builds the workspace incrementally. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")

/** Runs a tool of the workspace and ends this program when it fails. */
export const run = (tool, ...args) => {
  const { status } = spawnSync(join(root, "node_modules/.bin", tool), args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"]
  })
  if (status !== 0) process.exit(status ?? 1)
}

const bundle = (...args) => {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"]
  })
  if (status !== 0) process.exit(status ?? 1)
}

/**
 * Compiles every package that changed, and bundles the pages and the command line if something of theirs did; options
 * are those of the pages.
 */
export const build = (...options) => {
  run("tsc", "-b")
  bundle(join(root, "packages/web/build/build.mjs"), ...options)
  bundle(join(root, "packages/cli/build/build.mjs"))
}
