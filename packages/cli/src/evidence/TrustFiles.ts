/**
 * The trust policy and the trust roots of a verification on this machine: from files, or the policy of the org.
 *
 * Trust roots come from files alone; nothing is fetched but the policy of the org.
 */
import * as TrustPolicyDocument from "@attestry/core/TrustPolicyDocument"
import * as TrustRoot from "@attestry/evidence-intake/TrustRoot"
import * as Either from "effect/Either"
import { readText } from "../attestation/EvidenceFields.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, unreadable } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"

/** A trust policy, and where it comes from: a file, or the org. */
export interface Policy {
  readonly document: TrustPolicyDocument.TrustPolicyDocument
  readonly source: string
}

const parsed = (text: string, source: string): Policy =>
  Either.match(TrustPolicyDocument.parse(text), {
    onLeft: ({ problems: [{ line, column, message }, ...others] }) => {
      const more = others.length === 0 ? "" : ` (and ${others.length} more)`
      throw unreadable(
        `${source} is no trust policy: line ${line}, column ${column}: ${message}${more}`,
        "see all problems with: attestry trust lint FILE"
      )
    },
    onRight: (document) => ({ document, source })
  })

/** The text of the org's policy; undefined if the org has none. */
const textOfOrg = async ({ api }: CommandContext): Promise<string | undefined> => {
  try {
    const answer = await (await api()).call("trustPolicy.get", {})
    return Json.text(Json.object(answer).trust_yaml)
  } catch (error) {
    if (error instanceof CommandFailure && error.word === "missing") return undefined
    throw error
  }
}

/** The policy of `--trust-policy`; without it that of the org. An org without one trusts no signature. */
export const policy = async (context: CommandContext, args: Arguments): Promise<Policy> => {
  const file = args.text("trust-policy")
  if (file !== undefined) return parsed(await readText(context.host, file), file)
  const text = await textOfOrg(context)
  const source = "the trust policy of the org"
  return text === undefined
    ? { document: TrustPolicyDocument.NONE, source: "no trust policy: the org has none" }
    : parsed(text, source)
}

/** The trust roots of `--trust-root NAME=FILE`, by name. */
export const roots = async (
  { host }: CommandContext,
  args: Arguments
): Promise<ReadonlyMap<string, TrustRoot.TrustRoot>> => {
  const found = new Map<string, TrustRoot.TrustRoot>()
  for (const [name, file] of args.pairs("trust-root")) {
    const root = TrustRoot.parse(await readText(host, file))
    if (Either.isLeft(root)) throw unreadable(`${file} is no trust root: ${root.left.message}`)
    found.set(name, root.right)
  }
  return found
}
