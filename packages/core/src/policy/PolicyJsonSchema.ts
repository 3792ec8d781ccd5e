/**
 * The JSON Schemas (2020-12) of the policy file, for editors and for `GET /schemas/environment-policy/v1` and `v2`.
 *
 * It describes the shapes and words that `PolicyDocument.parse` accepts. The language inside `${{ … }}` and the
 * limits of the whole file are only in `parse`.
 */

import { WORDS } from "../flow/AttestationTypePattern.js"
import type { Json } from "../shared/CanonicalJson.js"
import { NAME_LENGTH_MAX } from "../shared/Identifier.js"
import { RULES_MAX } from "./internal/PolicyDocumentReader.js"
import {
  CUSTOM_TYPE_PATTERN,
  NAME_PATTERN,
  SCHEMA_PATTERN,
  type SchemaVersion
} from "./internal/PolicySyntax.js"
import * as MaxAge from "./MaxAge.js"
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

type Properties = { readonly [key: string]: Json }

/** The properties that version 2 adds to rules about evidence. */
const AGE: Properties = {
  max_age: {
    description: `Evidence that is older does not count: 12h, 7d, 4w; at most ${MaxAge.DAYS_MAX} days.`,
    anyOf: [{ type: "string", pattern: MaxAge.PATTERN }, { type: "null" }],
    default: null
  }
}

/** The properties that version 2 adds to rules about attestations. */
const ASKED: Properties = {
  must_be_verified: {
    description: "Whether only evidence counts whose signature a rule of the trust policy trusts.",
    type: "boolean",
    default: false
  },
  where: {
    description:
      "A condition on the facts of the attestation: one for which it is not true does not count.",
    anyOf: [condition, { type: "null" }],
    default: null
  }
}

const requirement = (description: string, more: Properties = {}): Json => ({
  description,
  type: "object",
  properties: {
    ...more,
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

const attestation = (more: Properties): Json => ({
  description: "An attestation that every artifact needs.",
  type: "object",
  properties: {
    ...more,
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
})

const documentOf = (version: SchemaVersion, more: Properties, asked: Properties): Json => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: `Environment policy, version ${version}`,
  type: "object",
  properties: {
    _schema: {
      description: "The address of this schema; its last segment is the version.",
      type: "string",
      pattern: SCHEMA_PATTERN.replace("[12]", String(version))
    },
    artifacts: {
      type: "object",
      properties: {
        provenance: requirement("Some flow must know the artifact.", more),
        "trail-compliance": requirement(
          "The artifact must be compliant in its trail of every flow."
        ),
        attestations: {
          type: "array",
          default: [],
          maxItems: RULES_MAX,
          items: attestation({ ...more, ...asked })
        }
      },
      additionalProperties: false
    }
  },
  required: ["_schema"],
  additionalProperties: false
})

/** The document of each version; a host adds `$id` with its own address. */
export const documents: { readonly [version in SchemaVersion]: Json } = {
  1: documentOf(1, {}, {}),
  2: documentOf(2, AGE, ASKED)
}
