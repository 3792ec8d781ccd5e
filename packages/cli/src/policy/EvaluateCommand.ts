/**
 * `attestry policy evaluate FILE… --facts F`: the verdict of policies on facts, with core's evaluator. Works offline.
 *
 * Evidence is as old as it is at the moment: that of this machine's clock, or that of `--at`.
 */
import { basename } from "node:path"
import * as FieldErrors from "@attestry/core/FieldErrors"
import * as Moment from "@attestry/core/Moment"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import * as PolicyExplanation from "@attestry/core/PolicyExplanation"
import * as PolicyFacts from "@attestry/core/PolicyFacts"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { readJson, readText } from "../attestation/EvidenceFields.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Instant from "../shared/Instant.js"

const policyOf = async (
  { host }: CommandContext,
  file: string
): Promise<PolicyEvaluation.PolicyVersion> => {
  const parsed = PolicyDocument.parse(await readText(host, file))
  if (Either.isLeft(parsed))
    throw new CommandFailure("usage", `${file} is no valid policy`, {
      errors: Object.fromEntries(
        parsed.left.problems.map(({ line, column, message }) => [
          `${file}:${line}:${column}`,
          message
        ])
      ),
      hint: `see: attestry policy lint ${file}`
    })
  const name = basename(file).replace(/\.ya?ml$/, "")
  return { id: name, name, version: 0, document: parsed.right }
}

const factsOf = async ({ host }: CommandContext, file: string): Promise<PolicyFacts.Facts> => {
  const decoded = Schema.decodeUnknownEither(PolicyFacts.Facts, { errors: "all" })(
    await readJson(host, file)
  )
  if (Either.isRight(decoded)) return decoded.right
  throw new CommandFailure("unreadable", `${file} holds no facts of a policy`, {
    errors: FieldErrors.fromParseIssue(decoded.left.issue)
  })
}

const momentOf = ({ host }: CommandContext, args: Arguments): Moment.Moment => {
  const text = args.text("at")
  if (text === undefined) return Moment.at(Timestamp.fromMillis(host.now()))
  const seconds = Instant.parse(host, text, "before")
  if (seconds === undefined)
    throw usage(`--at expects 7d, 2026-11-16T10:00:00Z or epoch seconds, not \`${text}\``)
  return Moment.at(Timestamp.fromSeconds(seconds))
}

/** Runs `attestry policy evaluate`. */
export const run: CommandModule["run"] = async (context, args) => {
  const policies: Array<PolicyEvaluation.PolicyVersion> = []
  for (const file of args.positionals) policies.push(await policyOf(context, file))
  const facts = await factsOf(context, args.required("facts"))
  const compiled = PolicyEvaluation.compile(policies)
  const evaluation = PolicyEvaluation.evaluate(compiled, facts, momentOf(context, args))
  const reasons = PolicyEvaluation.reasons(compiled, evaluation)
  const explained = PolicyExplanation.render({ artifact: facts.artifact, evaluation, reasons })
  return {
    exit: evaluation.verdict === "NonCompliant" ? "no" : "done",
    value: { schema: "attestry.cli/evaluation/v1", ...evaluation, reasons },
    items: reasons,
    quiet: evaluation.verdict,
    lines: (style) => explained.split("\n").map(style.text)
  }
}
