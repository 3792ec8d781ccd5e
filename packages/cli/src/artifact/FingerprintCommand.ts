/** `attestry fingerprint ARTIFACT`: the fingerprint of a file, a folder or an image. */
import type { CommandModule } from "../shared/CommandSpec.js"
import * as ArtifactArgument from "./ArtifactArgument.js"

/** Runs `attestry fingerprint`. */
export const run: CommandModule["run"] = async (context, args) => {
  const request = await ArtifactArgument.requestOf(context, args, args.positionals[0] ?? "")
  const { type, fingerprint, name, entries, leftOut } = await ArtifactArgument.find(
    context,
    request
  )
  for (const entry of entries ?? []) context.output.trace(entry)
  return {
    value: {
      schema: "attestry.cli/fingerprint/v1",
      type,
      fingerprint,
      name,
      ...(entries === undefined ? {} : { entries: entries.length, left_out: leftOut })
    },
    quiet: fingerprint,
    lines: () => [fingerprint]
  }
}
