/** `attestry log visibility [public|members]`: shows or changes who may read the evidence log. */
import { dryRun } from "../attestation/DryRun.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import { confirm } from "../shared/Confirmation.js"
import * as Json from "../shared/Json.js"

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ["members", "members of the org read it"],
  ["public", "everyone reads checkpoints, tiles and proofs; members alone read contents"]
])

/** Runs `attestry log visibility`. */
export const run: CommandModule["run"] = async (context, args) => {
  const [visibility] = args.positionals
  const call = { payload: { visibility } }
  if (visibility !== undefined && args.has("dry-run")) return dryRun(context, "log.patch", call)
  if (visibility === "public")
    await confirm(context, args, "everyone will be able to read times and digests of the log")
  const api = await context.api()
  const log = Json.object(
    visibility === undefined ? await api.call("log.get") : await api.call("log.patch", call)
  )
  const word = String(log.visibility)
  return {
    value: log,
    quiet: word,
    lines: (style) => [style.text(`${word}: ${MEANINGS.get(word) ?? "unknown"}`)]
  }
}
