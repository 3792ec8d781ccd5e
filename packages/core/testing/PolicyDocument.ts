/**
 * Policy documents that `parse` accepts, over the vocabulary of `testing/PolicyFacts`: required or not, with
 * and without exceptions, rules by name, by type, by control.
 */
import type {
  AttestationRule,
  Condition,
  PolicyDocument,
  Requirement
} from "@attestry/core/PolicyDocument"
import { print } from "@attestry/core/PolicyExpression"
import * as FastCheck from "effect/FastCheck"
import { expression, factExpression } from "./arbitrary/PolicyExpression.js"
import { VOCABULARY } from "./PolicyFacts.js"

/** A condition with its text. */
export const condition: FastCheck.Arbitrary<Condition> = expression.map((tree) => ({
  text: print(tree),
  expression: tree
}))

/** A requirement, required or not. */
export const requirement: FastCheck.Arbitrary<Requirement> = FastCheck.record({
  required: FastCheck.boolean(),
  exceptions: FastCheck.array(condition, { maxLength: 2 })
})

const any = "*"

/** A rule about attestations, or about the decision for a control. */
export const attestationRule: FastCheck.Arbitrary<AttestationRule> = FastCheck.record({
  type: FastCheck.constantFrom(...VOCABULARY.attestationTypes, "decision", any),
  name: FastCheck.constantFrom(...VOCABULARY.attestationNames, any),
  condition: FastCheck.option(condition, { freq: 2 }),
  mustBeCompliant: FastCheck.boolean(),
  forControl: FastCheck.option(FastCheck.constantFrom(...VOCABULARY.controls))
}).map((rule) => ({
  ...rule,
  name: rule.type === any && rule.name === any ? "unit" : rule.name,
  forControl: rule.type === "decision" ? rule.forControl : null
}))

/** A document. */
export const document: FastCheck.Arbitrary<PolicyDocument> = FastCheck.record({
  schema: FastCheck.constantFrom(
    "https://one.example/schemas/environment-policy/v1",
    "https://two.example/policy/v1"
  ),
  provenance: requirement,
  trailCompliance: requirement,
  attestations: FastCheck.array(attestationRule, { maxLength: 4 })
})

/** An age of a few days or none. */
const maxAge = FastCheck.option(FastCheck.integer({ min: 1, max: 4 }), { nil: undefined }).map(
  (days) => (days === undefined ? {} : { maxAge: days * 86_400 })
)

/** A document of schema version 2, whose rules often have a `max_age`. */
export const agedDocument: FastCheck.Arbitrary<PolicyDocument> = FastCheck.record({
  document,
  provenance: maxAge,
  ages: FastCheck.array(maxAge, { minLength: 4, maxLength: 4 })
}).map(({ ages, document: drawn, provenance }) => ({
  ...drawn,
  schema: "https://one.example/schemas/environment-policy/v2",
  provenance: { ...drawn.provenance, ...provenance },
  attestations: drawn.attestations.map((rule, index) => ({ ...rule, ...ages[index] }))
}))

/** A condition on facts with its text. */
export const where: FastCheck.Arbitrary<Condition> = factExpression.map((tree) => ({
  text: print(tree),
  expression: tree
}))

/** What a rule asks of evidence besides its outcome; often nothing. */
const asked = FastCheck.record({
  isVerified: FastCheck.boolean(),
  where: FastCheck.option(where, { nil: undefined, freq: 2 })
}).map(({ isVerified, where: condition }) => ({
  ...(isVerified ? { mustBeVerified: true as const } : {}),
  ...(condition === undefined ? {} : { where: condition })
}))

/** A document of schema version 2 whose rules often ask about verification and facts, and often have a `max_age`. */
export const askingDocument: FastCheck.Arbitrary<PolicyDocument> = FastCheck.record({
  document: agedDocument,
  asked: FastCheck.array(asked, { minLength: 4, maxLength: 4 })
}).map(({ asked: all, document: drawn }) => ({
  ...drawn,
  attestations: drawn.attestations.map((rule, index) => ({ ...rule, ...all[index] }))
}))

/** A policy version in the form of `PolicyEvaluation`. */
export interface GeneratedPolicy {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly document: PolicyDocument
}

/** Up to three policies with different names, in any order. */
export const policies: FastCheck.Arbitrary<ReadonlyArray<GeneratedPolicy>> = FastCheck.uniqueArray(
  FastCheck.record({
    name: FastCheck.constantFrom("base", "prod-rules", "controls"),
    version: FastCheck.integer({ min: 1, max: 9 }),
    document
  }),
  { maxLength: 3, selector: ({ name }) => name }
).map((drawn) => drawn.map((policy) => ({ id: `id-of-${policy.name}`, ...policy })))
