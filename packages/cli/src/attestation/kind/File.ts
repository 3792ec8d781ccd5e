/** `attest file PATH`: detects the kind of a file by its content, and attests it as that kind. */
import { createHash } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { unreadable, usage } from "../../shared/CommandFailure.js"
import type { CommandModule } from "../../shared/CommandSpec.js"
import * as AttachedFile from "../AttachedFile.js"
import { command } from "../Attest.js"
import * as BillOfMaterials from "../BillOfMaterials.js"
import * as FileKind from "../FileKind.js"

const READ_BYTES_MAX = 67_108_864

const read = (path: string, shown: string): Buffer => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() !== true) throw unreadable(`there is no file ${shown}`)
  if (found.size > READ_BYTES_MAX) throw unreadable(`${shown} is too large to look inside`)
  return readFileSync(path)
}

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** Attests a bill of materials, whose outcome the server decides. */
const billed = command({
  operation: "attestation.system",
  word: "sbom",
  gather: async ({ host }, args) => {
    const [file = ""] = args.positionals
    if (args.boolean("compliant") !== undefined)
      throw usage(
        "--compliant cannot be said: the server evaluates a bill of materials",
        "leave it out, or record the file as generic with --as generic"
      )
    const bytes = read(resolve(host.cwd, file), file)
    const found = BillOfMaterials.read(FileKind.parsed(bytes))
    if (found === undefined)
      throw unreadable(`${file} is no bill of materials: neither CycloneDX nor SPDX as JSON`)
    const { document, format } = found
    return {
      fields: {
        type_name: "sbom",
        attestation_data: { format, original_fingerprint: digestOf(bytes), document }
      },
      files: args.has("no-upload") ? [] : [AttachedFile.fromPath(host.cwd, file)],
      summary: `${format}, ${document.package_count} packages`
    }
  }
})

/** Attests any other file. No rule evaluates it, so the caller gives the outcome. */
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
    const isCompliant = args.boolean("compliant")
    if (isCompliant === undefined)
      throw usage(
        `--compliant is missing: nothing evaluates ${file}, which is ${found.summary}`,
        "say --compliant or --compliant=false"
      )
    return {
      fields: { is_compliant: isCompliant, user_data: { ...found.data, sha256: digestOf(bytes) } },
      files: [AttachedFile.fromPath(host.cwd, file)],
      summary: found.summary
    }
  }
})

/** Runs `attestry attest file`. */
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
    case "sbom":
      return billed.run(context, args)
    default:
      return described.run(context, args)
  }
}
