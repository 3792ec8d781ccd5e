/**
 * The JSON Schema (2020-12) of the trust policy, for editors and for `GET /schemas/trust-policy/v1`.
 *
 * It describes the shapes and words that `TrustPolicyDocument.parse` accepts. Names that must exist or must differ, the
 * content of keys and the limits of the whole file are only in `parse`.
 */
import * as EvidenceKind from "../evidence/EvidenceKind.js"
import type { Json } from "../shared/CanonicalJson.js"
import { FLOW_NAME_PATTERN, NAME_LENGTH_MAX } from "../shared/Identifier.js"
import {
  BUILD_LEVEL_MAX,
  END_PATTERN,
  ID_LENGTH_MAX,
  ID_PATTERN,
  ISSUER_PATTERN,
  KEYS_MAX,
  PARAMETER_NAME_LENGTH_MAX,
  PUBLIC_KEY_LENGTH_MAX,
  RULES_MAX,
  SAN_PATTERN,
  SCHEMA_PATTERN,
  TEXT_LENGTH_MAX
} from "./internal/TrustPolicySyntax.js"
import { FAIL_ON } from "./TrustPolicyDocument.js"

type Properties = { readonly [key: string]: Json }

const text = (description: string, more: Properties = {}): Json => ({
  description,
  type: "string",
  minLength: 1,
  maxLength: TEXT_LENGTH_MAX,
  ...more
})

const list = (description: string, items: Json): Json => ({
  description,
  type: "array",
  minItems: 1,
  uniqueItems: true,
  items
})

const object = (
  description: string,
  properties: Properties,
  more: Properties = {}
): Properties => ({
  description,
  type: "object",
  properties,
  additionalProperties: false,
  ...more
})

const id = (description: string): Json =>
  text(description, { pattern: ID_PATTERN, maxLength: ID_LENGTH_MAX })

const WILDCARDS = "`*` is any run of characters without `/`, `**` is any run."

const kinds = (description: string): Json => list(description, { enum: EvidenceKind.ALL })

const key = object(
  "A public key.",
  {
    id: id("The name that rules have for the key."),
    public_key: text("The key in PEM.", { maxLength: PUBLIC_KEY_LENGTH_MAX }),
    valid_until: text("A day or a second in UTC from which the key does not count any more.", {
      pattern: END_PATTERN
    })
  },
  { required: ["id", "public_key"] }
)

const signer = {
  description: "The signatures that the rule accepts.",
  oneOf: [
    object(
      "Signatures of keys.",
      {
        keys: list("Ids of keys of the policy.", text("The id of a key.")),
        threshold: {
          description: "How many different keys must have signed.",
          type: "integer",
          minimum: 1,
          maximum: KEYS_MAX,
          default: 1
        }
      },
      { required: ["keys"] }
    ),
    object(
      "Signatures of an identity.",
      {
        sigstore: object(
          "A Sigstore identity.",
          {
            roots: list("Names of trust roots.", id("The name of a trust root.")),
            issuer: text("The exact issuer of the identity.", { pattern: ISSUER_PATTERN }),
            san: text(`A pattern of the subject alternative name. ${WILDCARDS}`, {
              pattern: SAN_PATTERN
            }),
            source_repository_id: text("The id of the repository, which is never given away.")
          },
          { required: ["roots", "issuer", "san"] }
        )
      },
      { required: ["sigstore"] }
    )
  ]
} satisfies Json

const rule = object(
  "A rule: it trusts a signer with some evidence.",
  {
    name: text("What the rule trusts.", { maxLength: NAME_LENGTH_MAX }),
    kinds: kinds("The kinds of evidence."),
    predicates: list("The predicate types of statements.", text(`A pattern. ${WILDCARDS}`)),
    signer,
    builder: text(`A pattern of the builder. ${WILDCARDS}`),
    build_level: {
      description: "The build level of SLSA that the builder reaches.",
      type: "integer",
      minimum: 1,
      maximum: BUILD_LEVEL_MAX
    },
    build_type: text(`A pattern of the build type. ${WILDCARDS}`),
    source: object(
      "The source that provenance must name.",
      {
        repository: text(`A pattern of the repository. ${WILDCARDS}`),
        ref: text(`A pattern of the ref. ${WILDCARDS}`)
      },
      { minProperties: 1 }
    ),
    parameters: {
      description: "The external parameters that provenance must have.",
      type: "object",
      propertyNames: { maxLength: PARAMETER_NAME_LENGTH_MAX },
      additionalProperties: text("The expected value.")
    },
    strict_parameters: {
      description: "Whether other external parameters make a mismatch.",
      type: "boolean",
      default: false
    },
    flows: list(
      "The flows whose artifacts the rule speaks about; all without it.",
      text("The name of a flow.", { pattern: FLOW_NAME_PATTERN, maxLength: NAME_LENGTH_MAX })
    ),
    verifiers: list("The verifiers of verification summaries.", text(`A pattern. ${WILDCARDS}`)),
    properties: list(
      "The properties that a simple verification result must have.",
      text("The name of a property.")
    )
  },
  {
    required: ["name", "signer"],
    oneOf: [{ required: ["kinds"] }, { required: ["predicates"] }]
  }
)

/** The document; a host adds `$id` with its own address. */
export const document: Json = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Trust policy",
  ...object(
    "Whose signatures an org trusts with which evidence.",
    {
      _schema: {
        description: "The address of this schema; its last segment is the version.",
        type: "string",
        pattern: SCHEMA_PATTERN
      },
      scan: object("Scans and analyses.", {
        fail_on: {
          description: "The severity from which a finding makes a scan non-compliant.",
          enum: FAIL_ON,
          default: "any"
        }
      }),
      coverage: object("The coverage of tests.", {
        min_lines: {
          description: "The least line coverage in percent.",
          type: "number",
          minimum: 0,
          maximum: 100
        }
      }),
      keys: { description: "Public keys.", type: "array", maxItems: KEYS_MAX, items: key },
      rules: { description: "The rules.", type: "array", maxItems: RULES_MAX, items: rule },
      must_be_verified: kinds("The kinds whose evidence is non-compliant unless verified.")
    },
    { required: ["_schema"] }
  )
}
