/**
 * Property tests for policies: a law that must hold for a policy, for any facts.
 *
 * Facts are generated from the words of the policy (its names, types, controls, tags, patterns), so that its
 * rules pass and fail. Works inside any test runner: a law that does not hold is thrown as an error with the
 * facts, the decisions, and how to replay it.
 */
import { type Moment, TIMELESS } from "@attestry/core/Moment"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import * as PolicyExplanation from "@attestry/core/PolicyExplanation"
import * as PolicyExpression from "@attestry/core/PolicyExpression"
import type { Facts } from "@attestry/core/PolicyFacts"
import type { PolicyReason } from "@attestry/core/PolicyReason"
import { factsOf, type Vocabulary } from "@attestry/core/testing/PolicyFacts"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"

/** A row with the decisions of the policies. */
export interface Evaluated {
  readonly facts: Facts
  readonly verdict: PolicyEvaluation.PolicyEvaluation["verdict"]
  readonly policy_decisions: PolicyEvaluation.PolicyEvaluation["policy_decisions"]
  readonly reasons: ReadonlyArray<PolicyReason>
}

/** The law: it fails when it returns `false` or throws. */
export type Law = (evaluated: Evaluated) => unknown

/** The options of a test. */
export interface PolicyTestOptions {
  /** The number of generated rows; 1,000 by default. */
  readonly numRuns?: number
  /** The seed of a failure, to replay it. */
  readonly seed?: number
  /** The path of a failure, to replay its smallest facts only. */
  readonly path?: string
  /** Facts to use instead of those from the words of the policies. */
  readonly facts?: FastCheck.Arbitrary<Facts>
  /** The moment of the evaluations. Without one, all evidence counts as older than any `max_age`. */
  readonly moment?: Moment
}

/** A policy as the text of its file; a single one has the name `policy`. */
export type PolicyTexts = string | { readonly [name: string]: string }

/** Texts that match a pattern, and some that may not. */
const samplesOf = (pattern: string): ReadonlyArray<string> => {
  const plain = pattern.replace(/[\\^$.*+?()[\]{}|]/g, "")
  try {
    const matching = FastCheck.stringMatching(new RegExp(pattern))
    return [plain, ...FastCheck.sample(matching, { numRuns: 3, seed: 1 })]
  } catch {
    // WHY: RE2 has patterns that JavaScript does not; their letters are samples enough.
    return [plain]
  }
}

type Compared = {
  readonly path: PolicyExpression.PolicyExpression
  readonly texts: ReadonlyArray<string>
}

const textOf = (node: PolicyExpression.PolicyExpression): ReadonlyArray<string> =>
  node._tag === "Text" ? [node.value] : node._tag === "Number" ? [node.digits, "0", "1000000"] : []

/** The texts that an expression compares with each name or tag. */
const comparisons = (node: PolicyExpression.PolicyExpression): ReadonlyArray<Compared> => {
  switch (node._tag) {
    case "Compare":
      return [
        { path: node.left, texts: textOf(node.right) },
        { path: node.right, texts: textOf(node.left) }
      ]
    case "In":
      return [{ path: node.operand, texts: node.list.flatMap(textOf) }]
    case "Matches":
      return [{ path: node.operand, texts: samplesOf(node.pattern) }]
    case "Exists":
      return [{ path: node.operand, texts: [] }]
    default:
      return []
  }
}

const unique = (words: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(words)]

/** The words of the policies, each with one that none of them uses. */
export const vocabularyOf = (
  documents: ReadonlyArray<PolicyDocument.PolicyDocument>
): Vocabulary => {
  const rules = documents.flatMap(({ attestations }) => attestations)
  const compared = documents
    .flatMap(PolicyDocument.conditions)
    .flatMap(({ expression }) => PolicyExpression.nodes(expression))
    .flatMap(comparisons)
  const ofField = (field: PolicyExpression.Field): ReadonlyArray<string> =>
    compared.flatMap(({ path, texts }) =>
      path._tag === "Field" && path.field === field ? texts : []
    )
  const ofTags = compared.flatMap(({ path, texts }) =>
    path._tag === "Tag" ? [{ key: path.key, texts }] : []
  )
  const specific = (words: ReadonlyArray<string>) => words.filter((word) => word !== "*")
  return {
    artifactNames: unique(["some-artifact", ...ofField("artifact.name")]),
    fingerprints: unique(["0".repeat(64), "", ...ofField("artifact.fingerprint")]),
    flowNames: unique(["some-flow", "another-flow", ...specific(ofField("flow.name"))]),
    tagKeys: unique(["some-tag", ...ofTags.map(({ key }) => key)]),
    tagValues: unique(["some-value", "", ...ofTags.flatMap(({ texts }) => texts)]),
    attestationNames: unique(["some-name", ...specific(rules.map(({ name }) => name))]),
    attestationTypes: unique(["generic", "decision", ...specific(rules.map(({ type }) => type))]),
    controls: unique(["SOME-CONTROL", ...documents.flatMap(PolicyDocument.controlsReferenced)])
  }
}

const readAll = (
  texts: PolicyTexts
): ReadonlyArray<
  PolicyEvaluation.PolicyVersion & { readonly document: PolicyDocument.PolicyDocument }
> =>
  Object.entries(typeof texts === "string" ? { policy: texts } : texts).map(([name, text]) => ({
    id: name,
    name,
    version: 1,
    document: Either.getOrThrowWith(PolicyDocument.parse(text), (error) => error)
  }))

const failure = (
  details: FastCheck.RunDetails<[Facts]>,
  evaluate: (facts: Facts) => Evaluated
): string => {
  const facts = details.counterexample?.[0]
  const lines = [
    "the law does not hold for these facts:",
    JSON.stringify(facts, null, 2),
    ...(facts === undefined ? [] : [explain(evaluate(facts))]),
    ...(details.errorInstance instanceof Error ? [details.errorInstance.message] : []),
    `replay with { seed: ${details.seed}, path: "${details.counterexamplePath}" }`
  ]
  return lines.join("\n")
}

const explain = (evaluated: Evaluated): string =>
  PolicyExplanation.render({
    artifact: evaluated.facts.artifact,
    evaluation: evaluated,
    reasons: evaluated.reasons
  })

/** Tests a law over generated facts; throws when it does not hold, or a policy does not parse. */
export const policyTest = (texts: PolicyTexts, law: Law, options: PolicyTestOptions = {}): void => {
  const policies = readAll(texts)
  const compiled = PolicyEvaluation.compile(policies)
  const {
    facts: given = factsOf(vocabularyOf(policies.map(({ document }) => document))),
    moment = TIMELESS,
    ...parameters
  } = options
  const evaluate = (facts: Facts): Evaluated => {
    const evaluation = PolicyEvaluation.evaluate(compiled, facts, moment)
    return { facts, ...evaluation, reasons: PolicyEvaluation.reasons(compiled, evaluation) }
  }
  const details = FastCheck.check(
    FastCheck.property(given, (drawn) => law(evaluate(drawn)) !== false),
    { numRuns: 1_000, ...parameters }
  )
  if (details.failed) throw new Error(failure(details, evaluate))
}
