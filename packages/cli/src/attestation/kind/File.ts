/** `attest file PATH`: looks inside a file and attests it as what it is. */
import { createHash } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { unreadable } from "../../shared/CommandFailure.js"
import type { CommandModule } from "../../shared/CommandSpec.js"
import * as AttachedFile from "../AttachedFile.js"
import { command } from "../Attest.js"
import * as FileKind from "../FileKind.js"

const READ_BYTES_MAX = 67_108_864

const read = (path: string, shown: string): Buffer => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() !== true) throw unreadable(`there is no file ${shown}`)
  if (found.size > READ_BYTES_MAX) throw unreadable(`${shown} is too large to look inside`)
  return readFileSync(path)
}

/** A file of a format that is described and attached. */
const described = command({
  operation: "attestation.generic",
  word: "generic",
  gather: async ({ host }, args, { fingerprint }) => {
    const [file = ""] = args.positionals
    const bytes = read(resolve(host.cwd, file), file)
    const found = FileKind.describe(bytes)
    if (
      found.subjects !== undefined &&
      fingerprint !== undefined &&
      !found.subjects.includes(fingerprint)
    )
      throw unreadable(
        `${file} is about something else: its subjects do not hold ${fingerprint}`,
        "name the artifact that it is about with --artifact or --fingerprint"
      )
    const sha256 = createHash("sha256").update(bytes).digest("hex")
    return {
      fields: {
        is_compliant: args.boolean("compliant") ?? true,
        user_data: { ...found.data, sha256 }
      },
      files: [AttachedFile.fromPath(host.cwd, file)],
      summary: found.summary
    }
  }
})

/** Attests the file as its own kind. */
export const run: CommandModule["run"] = async (context, args) => {
  const [file = ""] = args.positionals
  const asked = args.text("as")
  const kind = asked ?? FileKind.kindOf(read(resolve(context.host.cwd, file), file))
  switch (kind) {
    case "junit":
      return (await import("./Junit.js")).run(context, args)
    case "snyk":
      return (await import("./Snyk.js")).run(context, args)
    case "sarif":
      return (await import("./Sarif.js")).run(context, args)
    default:
      return described.run(context, args)
  }
}
