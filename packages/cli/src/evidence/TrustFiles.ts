/**
 * The trust policy and the trust roots of a verification on this machine: from files, or the policy of the org.
 *
 * Trust roots come from files alone: those of the release, and those of the command line. Nothing is fetched but the
 * policy of the org.
 */
import * as TrustPolicyDocument from "@attestry/core/TrustPolicyDocument"
import * as BundledTrustRoots from "@attestry/evidence-intake/BundledTrustRoots"
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

const parsedRoot = (text: string, source: string): TrustRoot.TrustRoot =>
  Either.getOrElse(TrustRoot.parse(text), ({ message }) => {
    throw unreadable(`${source} is no trust root: ${message}`)
  })

/** The trust roots by name: those of `--trust-root NAME=FILE` take the place of those of the release. */
export const roots = async (
  { host }: CommandContext,
  args: Arguments
): Promise<ReadonlyMap<string, TrustRoot.TrustRoot>> => {
  const found = new Map<string, TrustRoot.TrustRoot>()
  for (const [name, text] of BundledTrustRoots.texts()) found.set(name, parsedRoot(text, name))
  for (const [name, file] of args.pairs("trust-root"))
    found.set(name, parsedRoot(await readText(host, file), file))
  return found
}
