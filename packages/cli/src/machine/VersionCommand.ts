/** `attestry version`: the version of the program and of Node. */
import type { CommandModule } from "../shared/CommandSpec.js"
import { VERSION } from "../shared/Version.js"

/** Runs `attestry version`. */
export const run: CommandModule["run"] = async () => ({
  value: {
    schema: "attestry.cli/version/v1",
    version: VERSION,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`
  },
  quiet: VERSION,
  lines: () => [`attestry ${VERSION}, Node ${process.versions.node}`]
})
