/**
 * The JSON Schema (2020-12) of the policy file, for editors and for `GET /schemas/environment-policy/v1`.
 *
 * It describes the shapes and words that `PolicyDocument.parse` accepts. The language inside `${{ … }}` and the
 * limits of the whole file are only in `parse`.
 */

import { WORDS } from "../flow/AttestationTypePattern.js"
import type { Json } from "../shared/CanonicalJson.js"
import { NAME_LENGTH_MAX } from "../shared/Identifier.js"
import {
  CUSTOM_TYPE_PATTERN,
  NAME_PATTERN,
  RULES_MAX,
  SCHEMA_PATTERN
} from "./internal/PolicyDocumentReader.js"
import { LENGTH_MAX } from "./PolicyExpression.js"

const condition: Json = {
  description: "A condition: text in the wrapper, or an object that holds the bare text.",
  oneOf: [
    { type: "string", pattern: "^\\s*\\$\\{\\{[\\s\\S]*\\}\\}\\s*$" },
    {
      type: "object",
      properties: { text: { type: "string", minLength: 1, maxLength: LENGTH_MAX } },
      required: ["text"],
      additionalProperties: false
    }
  ]
}

const requirement = (description: string): Json => ({
  description,
  type: "object",
  properties: {
    required: { type: "boolean", default: false },
    exceptions: {
      description: "Conditions that waive the requirement where one of them is true.",
      type: "array",
      default: [],
      items: {
        type: "object",
        properties: { if: condition },
        required: ["if"],
        additionalProperties: false
      }
    }
  },
  additionalProperties: false
})

const attestation: Json = {
  description: "An attestation that every artifact needs.",
  type: "object",
  properties: {
    type: {
      description: "The type it must have; `*` is any.",
      anyOf: [{ enum: WORDS }, { type: "string", pattern: CUSTOM_TYPE_PATTERN }]
    },
    name: {
      description: "The name it must have; `*` is any.",
      type: "string",
      pattern: NAME_PATTERN,
      maxLength: NAME_LENGTH_MAX,
      default: "*"
    },
    if: {
      description: "Where this is false, the rule does not apply.",
      anyOf: [condition, { type: "null" }],
      default: null
    },
    must_be_compliant: { type: "boolean", default: true },
    for_control: {
      description: "The control that a decision must be about.",
      type: ["string", "null"],
      minLength: 1,
      default: null
    }
  },
  required: ["type"],
  additionalProperties: false,
  allOf: [
    {
      description: "`for_control` only goes with decisions.",
      if: { properties: { for_control: { type: "string" } }, required: ["for_control"] },
      // biome-ignore lint/suspicious/noThenProperty: `then` is the keyword of JSON Schema.
      then: { properties: { type: { const: "decision" } } }
    },
    {
      description: "`name` and `type` cannot both be `*`.",
      if: { properties: { type: { const: "*" } }, required: ["type"] },
      // biome-ignore lint/suspicious/noThenProperty: `then` is the keyword of JSON Schema.
      then: { properties: { name: { not: { const: "*" } } }, required: ["name"] }
    }
  ]
}

/** The document; a host adds `$id` with its own address. */
export const document: Json = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Environment policy, version 1",
  type: "object",
  properties: {
    _schema: {
      description: "The address of this schema; its last segment is the version.",
      type: "string",
      pattern: SCHEMA_PATTERN
    },
    artifacts: {
      type: "object",
      properties: {
        provenance: requirement("Some flow must know the artifact."),
        "trail-compliance": requirement(
          "The artifact must be compliant in its trail of every flow."
        ),
        attestations: { type: "array", default: [], maxItems: RULES_MAX, items: attestation }
      },
      additionalProperties: false
    }
  },
  required: ["_schema"],
  additionalProperties: false
}
