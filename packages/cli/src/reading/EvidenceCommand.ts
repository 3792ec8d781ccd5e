/**
 * `attestry get evidence DIGEST`: an accepted document, or with `--raw` the bytes of its file, which must have the
 * digest that was asked for. No existing file is overwritten.
 */
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { parseFingerprint } from "../artifact/ArtifactArgument.js"
import * as AcceptedEvidence from "../evidence/AcceptedEvidence.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, unreadable, usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"

const save = async (
  { api, host }: CommandContext,
  digest: string,
  file: string
): Promise<CommandResult> => {
  const { bytes } = await (await api()).answer("evidence.raw", { path: { digest } })
  const found = createHash("sha256").update(bytes).digest("hex")
  if (found !== digest)
    throw new CommandFailure("unanswered", `the server sent other bytes: ${found}, not ${digest}`)
  try {
    writeFileSync(resolve(host.cwd, file), bytes, { mode: 0o600, flag: "wx" })
  } catch (cause) {
    throw unreadable(`${file} cannot be written, or is there already`, undefined, cause)
  }
  const size = bytes.byteLength
  return {
    value: { schema: "attestry.cli/saved-evidence/v1", file, digest, size },
    quiet: file,
    lines: (style) => [`saved ${style.text(file)}, ${size} bytes`]
  }
}

/** Runs `attestry get evidence`. */
export const run: CommandModule["run"] = async (context, args) => {
  const [text = ""] = args.positionals
  const digest = parseFingerprint(text)
  const file = args.text("to-file")
  if (args.has("raw") !== (file !== undefined))
    throw usage("--raw and --to-file stand together", "write: --raw --to-file FILE")
  if (file !== undefined) return save(context, digest, file)
  const position = args.number("position")
  const value = await (await context.api()).call("evidence.get", {
    path: { digest },
    urlParams: position === undefined ? {} : { position }
  })
  const document = Json.object(value)
  return {
    value,
    quiet: digest,
    lines: (style) => [
      ...AcceptedEvidence.shown({ file: document.filename, ...document }, style),
      `accepted ${style.instant(document.accepted_at)} by ${style.text(document.accepted_by)}`,
      `digest ${style.short(digest)}, ${style.text(document.size)} bytes`
    ]
  }
}
