/**
 * `attest file FILE…`: sends evidence files as what they are; with `--as` records one file as another type: `generic`
 * with the outcome that the caller gives, and `sbom` for rules that ask for this type.
 */
import { createHash } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { resolve } from "node:path"
import * as Either from "effect/Either"
import type { Arguments } from "../../shared/Arguments.js"
import { unreadable, usage } from "../../shared/CommandFailure.js"
import type { CommandModule } from "../../shared/CommandSpec.js"
import { GENERIC_FLAGS, INTAKE_FLAGS } from "../../tree/EvidenceFileCommands.js"
import * as AttachedFile from "../AttachedFile.js"
import { command } from "../Attest.js"
import * as BillOfMaterials from "../BillOfMaterials.js"

const READ_BYTES_MAX = 67_108_864

const read = (path: string, shown: string): Buffer => {
  if (shown === "-") throw usage("--as reads a file, not stdin")
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() !== true) throw unreadable(`there is no file ${shown}`)
  if (found.size > READ_BYTES_MAX) throw unreadable(`${shown} is too large to look inside`)
  return readFileSync(path)
}

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** The file of a command line with `--as`. */
const only = (args: Arguments): string => {
  const [file = "", ...others] = args.positionals
  if (others.length > 0) throw usage("--as takes one file")
  return file
}

/** Refuses a file that the server can read: its outcome is nothing that a caller gives. */
const refuseEvidence = async (bytes: Buffer, file: string): Promise<void> => {
  const EvidenceReader = await import("@attestry/evidence-intake/EvidenceReader")
  const found = Either.getOrUndefined(EvidenceReader.read(bytes))?.documents[0]
  if (found !== undefined)
    throw usage(
      `${file} is evidence of kind ${found.facts.kind}, which the server reads`,
      "leave out --as generic and --compliant"
    )
}

/** Records a file as it is. No rule evaluates it, so the caller gives the outcome. */
const generic = command({
  operation: "attestation.generic",
  word: "generic",
  gather: async ({ host }, args) => {
    const file = only(args)
    const bytes = read(resolve(host.cwd, file), file)
    await refuseEvidence(bytes, file)
    const isCompliant = args.boolean("compliant")
    if (isCompliant === undefined)
      throw usage(
        `--compliant is missing: nothing evaluates ${file}`,
        "say --compliant or --compliant=false"
      )
    return {
      fields: {
        is_compliant: isCompliant,
        user_data: {
          format: "file",
          bytes: bytes.byteLength,
          sha256: digestOf(bytes)
        }
      },
      files: [AttachedFile.fromPath(host.cwd, file)],
      summary: `${bytes.byteLength} bytes`
    }
  }
})

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    // WHY: a file that is not JSON is no bill of materials of these formats, not an error of its own.
    return undefined
  }
}

/** Records a bill of materials as the type `sbom`, whose outcome the server decides. */
const billed = command({
  operation: "attestation.system",
  word: "sbom",
  gather: async ({ host }, args) => {
    const file = only(args)
    if (args.boolean("compliant") !== undefined)
      throw usage("--compliant cannot be said: the server evaluates a bill of materials")
    const bytes = read(resolve(host.cwd, file), file)
    const found = BillOfMaterials.read(parsed(bytes))
    if (found === undefined)
      throw unreadable(`${file} is no bill of materials: neither CycloneDX nor SPDX as JSON`)
    const { document, format } = found
    return {
      fields: {
        type_name: "sbom",
        attestation_data: { format, original_fingerprint: digestOf(bytes), document }
      },
      files: [AttachedFile.fromPath(host.cwd, file)],
      summary: `${format}, ${document.package_count} packages`
    }
  }
})

/** Refuses a flag that the chosen way has no place for. */
const refuse = (args: Arguments, names: ReadonlyArray<string>, why: string): void => {
  const given = names.find((name) => args.text(name) !== undefined)
  if (given !== undefined) throw usage(`--${given} ${why}`)
}

/** Runs `attestry attest file`. */
export const run: CommandModule["run"] = async (context, args) => {
  const as = args.text("as")
  if (as !== undefined) {
    refuse(args, INTAKE_FLAGS, "is for files that the server reads: leave out --as")
    return (as === "sbom" ? billed : generic).run(context, args)
  }
  refuse(args, GENERIC_FLAGS, "needs --as: the server decides the outcome of evidence")
  const SubmitCommand = await import("../../evidence/SubmitCommand.js")
  const submit = SubmitCommand.command({
    word: "file",
    hint: "any other file is recorded with: attest file FILE --as generic --compliant"
  })
  return submit.run(context, args)
}
