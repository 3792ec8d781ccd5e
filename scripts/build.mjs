/** Builds the workspace incrementally. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { step } from "./step.mjs"

const root = join(import.meta.dirname, "..")

const binary = (tool) => join(root, "node_modules/.bin", tool)

/** Runs a tool of the workspace and ends this program when it fails. */
export const run = (tool, ...args) => {
  const { status } = spawnSync(binary(tool), args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"]
  })
  if (status !== 0) process.exit(status ?? 1)
}

const bundle = (title, ...args) => step(title, process.execPath, args, { cwd: root })

/**
 * Compiles every package that changed, and bundles the pages and the command line if something of theirs did; options
 * are those of the pages.
 */
export const build = async (...options) => {
  await step("step 1 of 3: compiling the packages", binary("tsc"), ["-b"], { cwd: root })
  await bundle(
    "step 2 of 3: bundling the pages",
    join(root, "packages/web/build/build.mjs"),
    ...options
  )
  await bundle("step 3 of 3: bundling the command line", join(root, "packages/cli/build/build.mjs"))
}
