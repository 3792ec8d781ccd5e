/** Reads files of policies and of policy tests; fails with every problem of a file and its position. */
import { basename } from "node:path"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as PolicyTests from "@attestry/policy-lab/PolicyTests"
import * as Either from "effect/Either"
import { readText } from "../attestation/EvidenceFields.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import type { Problem } from "./DocumentLint.js"

const refuse = (file: string, what: string, problems: ReadonlyArray<Problem>): CommandFailure =>
  new CommandFailure("usage", `${file} is no valid ${what}`, {
    errors: Object.fromEntries(
      problems.map(({ column, line, message }) => [`${file}:${line}:${column}`, message])
    ),
    hint:
      what === "policy" ? `see: attestry policy lint ${file}` : "see: attestry policy test --help"
  })

/** The name of a policy, from its file name. */
export const nameOf = (file: string): string => basename(file).replace(/\.ya?ml$/, "")

/** Parses a policy; fails with the problems of the file. */
export const parsed = (file: string, text: string): PolicyDocument.PolicyDocument => {
  const document = PolicyDocument.parse(text)
  if (Either.isLeft(document)) throw refuse(file, "policy", document.left.problems)
  return document.right
}

/** Reads and parses a policy file. */
export const policy = async (
  { host }: CommandContext,
  file: string
): Promise<PolicyDocument.PolicyDocument> => parsed(file, await readText(host, file))

/** Reads and parses a file of policy tests. */
export const tests = async (
  { host }: CommandContext,
  file: string
): Promise<PolicyTests.PolicyTests> => {
  const document = PolicyTests.parse(await readText(host, file))
  if (Either.isLeft(document)) throw refuse(file, "file of tests", document.left.problems)
  return document.right
}
