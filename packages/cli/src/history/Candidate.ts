/** The candidate policy of a command: a file, which is linted first, or a version of a stored policy. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { readText } from "../attestation/EvidenceFields.js"
import * as PolicyFile from "../policy/PolicyFile.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { Fields } from "../shared/Json.js"

const STORED = /^([A-Za-z0-9][A-Za-z0-9._~-]*?)(?:@v(\d{1,9}))?$/

/** Whether a text can only be a path. */
const isPath = (text: string): boolean => /[/\\]|\.ya?ml$|^-$/.test(text)

/** The candidate of a command line. */
export const of = async (context: CommandContext, args: Arguments): Promise<Fields> => {
  const [text = ""] = args.positionals
  const name = args.text("name")
  const { host } = context
  if (isPath(text) || existsSync(resolve(host.cwd, text))) {
    const policy_yaml = await readText(host, text)
    PolicyFile.parsed(text, policy_yaml)
    return { policy_yaml, name: name ?? (text === "-" ? "candidate" : PolicyFile.nameOf(text)) }
  }
  const [, policy_name, version] = STORED.exec(text) ?? []
  if (policy_name === undefined)
    throw usage(`\`${text}\` is no policy`, "write a file, NAME, or NAME@v3 for one version")
  if (name !== undefined) throw usage("--name goes with a file alone")
  return { policy_name, ...(version === undefined ? {} : { version: Number(version) }) }
}
