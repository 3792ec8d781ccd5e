/**
 * Evaluates a policy for an artifact without a server: `node dist/main.js policy.yaml facts.json`.
 *
 * Exit code 0: compliant. 1: not compliant, with the reasons. 2: a file is invalid.
 */
import { readFileSync } from "node:fs"
import * as FieldErrors from "@attestry/core/FieldErrors"
import type { RuleEvaluation } from "@attestry/core/PolicyDecision"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import { Facts } from "@attestry/core/PolicyFacts"
import { Either, Schema } from "effect"

const decodeFacts = Schema.decodeUnknownEither(Facts, {
  errors: "all",
  onExcessProperty: "error"
})

/** Parses both files, or lists all of their problems. */
const read = (policyFile: string, factsFile: string) => {
  const document = PolicyDocument.parse(readFileSync(policyFile, "utf8"))
  if (Either.isLeft(document)) {
    return Either.left(
      document.left.problems.map(
        ({ line, column, message }) => `${policyFile}:${line}:${column}: ${message}`
      )
    )
  }
  const facts = decodeFacts(JSON.parse(readFileSync(factsFile, "utf8")))
  if (Either.isLeft(facts)) {
    return Either.left(
      Object.entries(FieldErrors.fromParseIssue(facts.left.issue)).map(
        ([field, message]) => `${factsFile}: ${field}: ${message}`
      )
    )
  }
  const policy = { id: policyFile, name: policyFile, version: 1, document: document.right }
  return Either.right({ policy, facts: facts.right })
}

const explain = ({ rule, ignored, satisfied }: RuleEvaluation): string => {
  const outcome = ignored ? "does not apply" : satisfied === true ? "holds" : "FAILS"
  const subject =
    rule.type === "attestation"
      ? `attestation ${rule.definition.type} ${rule.definition.name}`
      : rule.type
  return `  ${outcome.padEnd(14)} ${subject}`
}

const main = (policyFile: string | undefined, factsFile: string | undefined): 0 | 1 | 2 => {
  if (policyFile === undefined || factsFile === undefined) {
    console.error("usage: node dist/main.js policy.yaml facts.json")
    return 2
  }
  const input = read(policyFile, factsFile)
  if (Either.isLeft(input)) {
    for (const problem of input.left) console.error(problem)
    return 2
  }
  const { facts, policy } = input.right
  const compiled = PolicyEvaluation.compile([policy])
  const evaluation = PolicyEvaluation.evaluate(compiled, facts)
  console.log(`${facts.artifact.name}: ${evaluation.verdict}`)
  for (const { rule_evaluations } of evaluation.policy_decisions) {
    for (const rule of rule_evaluations) console.log(explain(rule))
  }
  for (const { description } of PolicyEvaluation.reasons(compiled, evaluation)) {
    console.log(`  because ${description}`)
  }
  return evaluation.verdict === "Compliant" ? 0 : 1
}

try {
  process.exitCode = main(process.argv[2], process.argv[3])
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
