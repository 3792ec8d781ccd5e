/**
 * `attest file FILE…`: sends evidence files as what they are; with `--as generic` records one file as it is, with the
 * outcome that the caller gives.
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

const READ_BYTES_MAX = 67_108_864

const read = (path: string, shown: string): Buffer => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() !== true) throw unreadable(`there is no file ${shown}`)
  if (found.size > READ_BYTES_MAX) throw unreadable(`${shown} is too large to look inside`)
  return readFileSync(path)
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
    const [file = "", ...others] = args.positionals
    if (others.length > 0) throw usage("--as generic takes one file")
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
          sha256: createHash("sha256").update(bytes).digest("hex")
        }
      },
      files: [AttachedFile.fromPath(host.cwd, file)],
      summary: `${bytes.byteLength} bytes`
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
  if (args.text("as") === "generic") {
    refuse(args, INTAKE_FLAGS, "is for files that the server reads: leave out --as generic")
    return generic.run(context, args)
  }
  refuse(args, GENERIC_FLAGS, "needs --as generic: the server decides the outcome of evidence")
  const SubmitCommand = await import("../../evidence/SubmitCommand.js")
  const submit = SubmitCommand.command({
    word: "file",
    hint: "any other file is recorded with: attest file FILE --as generic --compliant"
  })
  return submit.run(context, args)
}
