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

/** Compiles every package that changed, and bundles the pages if something of theirs did; options are the bundle's. */
export const build = (...options) => {
  run("tsc", "-b")
  const { status } = spawnSync(
    process.execPath,
    [join(root, "packages/web/build/build.mjs"), ...options],
    {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"]
    }
  )
  if (status !== 0) process.exit(status ?? 1)
}
