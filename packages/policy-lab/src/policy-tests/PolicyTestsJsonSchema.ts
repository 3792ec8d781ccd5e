/**
 * The JSON Schema (2020-12) of files of policy tests, for editors and for `GET /schemas/policy-tests/v1`.
 *
 * It describes the shapes and words that `PolicyTests.parse` accepts.
 */

import { WORDS } from "@attestry/core/AttestationTypePattern"
import type { Json } from "@attestry/core/CanonicalJson"
import { VerificationState } from "@attestry/core/EvidenceVerification"
import { PATTERN as AGE_PATTERN } from "@attestry/core/MaxAge"
import { CUSTOM_TYPE_PATTERN } from "@attestry/core/PolicyDocument"
import { PolicyReasonType } from "@attestry/core/PolicyReason"
import { TESTS_MAX } from "./internal/PolicyTestsReader.js"

const TEXT: Json = { type: "string" }

const INSTANT = {
  anyOf: [
    {
      type: "string",
      pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"
    },
    { description: "Epoch seconds.", type: "number" }
  ]
} satisfies Json

/** When something was reported: one of the two, or at the moment of the test without either. */
const REPORTED = {
  age: {
    description: "How long before the moment of the test it was reported.",
    type: "string",
    pattern: AGE_PATTERN
  },
  reported_at: INSTANT
} satisfies Json

const attestation: Json = {
  type: "object",
  properties: {
    name: TEXT,
    type: {
      anyOf: [
        { enum: WORDS.filter((word) => word !== "*") },
        { type: "string", pattern: CUSTOM_TYPE_PATTERN }
      ]
    },
    compliant: { type: "boolean", default: true },
    level: { enum: ["artifact", "trail"], default: "artifact" },
    control: { description: "The control of a decision.", type: "string" },
    verification: { enum: VerificationState.literals },
    facts: { description: "The facts that `where` asks about.", type: "object" },
    ...REPORTED
  },
  required: ["name", "type"],
  additionalProperties: false
}

const flow: Json = {
  type: ["object", "null"],
  properties: {
    tags: { type: "object", additionalProperties: TEXT },
    trail: TEXT,
    status: { enum: ["COMPLIANT", "NON-COMPLIANT", "INCOMPLETE"], default: "COMPLIANT" },
    ...REPORTED,
    attestations: {
      description: "In the order in which they were reported.",
      type: "array",
      items: attestation
    }
  },
  additionalProperties: false
}

const reason: Json = {
  description: "A reason of the policy; fields that are left out may have any value.",
  type: "object",
  properties: {
    type: { enum: PolicyReasonType.literals },
    rule_index: { type: "number" },
    flow_name: TEXT,
    trail_name: TEXT,
    attestation_name: TEXT,
    attestation_type: TEXT,
    for_control: TEXT
  },
  additionalProperties: false
}

const test: Json = {
  type: "object",
  properties: {
    name: { description: "What the test shows, as a sentence.", type: "string" },
    now: { description: "The moment of the evaluation.", ...INSTANT },
    artifact: {
      oneOf: [
        TEXT,
        {
          type: "object",
          properties: { name: TEXT, fingerprint: { type: "string", pattern: "^([0-9a-f]{64})?$" } },
          additionalProperties: false
        }
      ]
    },
    flows: {
      description: "What each flow knows about the artifact, by the name of the flow.",
      type: "object",
      additionalProperties: flow
    },
    expect: { enum: ["COMPLIANT", "NON-COMPLIANT"] },
    reasons: { description: "Exactly these reasons.", type: "array", items: reason }
  },
  required: ["name", "expect"],
  additionalProperties: false
}

/** The schema. */
export const document: Json = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Tests of a policy",
  type: "object",
  properties: {
    _schema: { type: "string", pattern: "^\\S+/v1$" },
    policy: { description: "The policy that the tests are for.", type: "string" },
    tests: { type: "array", maxItems: TESTS_MAX, items: test }
  },
  required: ["tests"],
  additionalProperties: false
}
