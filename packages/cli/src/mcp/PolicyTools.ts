/** The tools that use core's evaluator locally, without the server. */
import * as FieldErrors from "@attestry/core/FieldErrors"
import * as Moment from "@attestry/core/Moment"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import * as PolicyFacts from "@attestry/core/PolicyFacts"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as DocumentLint from "../policy/DocumentLint.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import * as Instant from "../shared/Instant.js"
import type { Fields } from "../shared/Json.js"
import { needed, type Tool, text } from "./Tool.js"

const momentOf = (given: unknown): Moment.Moment => {
  if (given === undefined) return Moment.at(Timestamp.fromMillis(Date.now()))
  const seconds = Instant.parse(Date, String(given), "before")
  if (seconds === undefined)
    throw new CommandFailure("usage", "at: expected 7d, 2026-11-16T10:00:00Z or epoch seconds")
  return Moment.at(Timestamp.fromSeconds(seconds))
}

const evaluate = async ({ at, document, facts }: Fields): Promise<unknown> => {
  const parsed = PolicyDocument.parse(String(document))
  if (Either.isLeft(parsed))
    throw new CommandFailure("usage", "the document is no valid policy", {
      errors: Object.fromEntries(
        parsed.left.problems.map(({ line, column, message }) => [`${line}:${column}`, message])
      )
    })
  const decoded = Schema.decodeUnknownEither(PolicyFacts.Facts, { errors: "all" })(facts)
  if (Either.isLeft(decoded))
    throw new CommandFailure("usage", "these are no facts of a policy", {
      errors: FieldErrors.fromParseIssue(decoded.left.issue)
    })
  const policy = { id: "document", name: "document", version: 0, document: parsed.right }
  const compiled = PolicyEvaluation.compile([policy])
  const evaluation = PolicyEvaluation.evaluate(compiled, decoded.right, momentOf(at))
  const reasons = PolicyEvaluation.reasons(compiled, evaluation)
  return { schema: "attestry.cli/evaluation/v1", ...evaluation, reasons }
}

/** The policy tools. */
export const POLICY_TOOLS: ReadonlyArray<Tool> = [
  {
    name: "lint_document",
    title: "Find the problems of a policy or a template",
    description: "Says every problem of a policy or of a template of a flow, with line and column.",
    effects: "reads",
    input: Schema.Struct({
      document: needed("The YAML text."),
      kind: Schema.optionalWith(Schema.Literal("policy", "template"), { exact: true })
    }),
    compute: async ({ document, kind }) => ({
      schema: "attestry.cli/document-lint/v1",
      ...DocumentLint.lint(String(document), kind === "template")
    })
  },
  {
    name: "evaluate_policy",
    title: "Evaluate a policy on facts",
    description:
      "Evaluates the text of a policy on facts, as `policy_facts` gives them; nothing is sent to the server.",
    effects: "reads",
    input: Schema.Struct({
      document: needed("The policy, as YAML."),
      facts: Schema.Unknown.annotations({ description: "The facts of one artifact." }),
      at: text("The moment for `max_age`, such as 2026-11-16T10:00:00Z; by default now.")
    }),
    compute: evaluate
  }
]
