/** The published JSON Schema 2020-12 of the input document for other policy engines. */

const nullable = (type: "string" | "object" | "boolean") => ({ type: [type, "null"] }) as const

const entries = {
  type: "object",
  additionalProperties: { $ref: "#/$defs/attestation" },
  description: "By attestation name."
} as const

const provenance = {
  name: nullable("string"),
  git_commit_info: nullable("object"),
  origin_url: nullable("string")
} as const

const status = { enum: ["COMPLIANT", "NON-COMPLIANT", "INCOMPLETE"] } as const

const attestation = {
  type: "object",
  description: "One attestation that is expected, reported, or both, with what is known of it.",
  required: [
    "attestation_name",
    "attestation_type",
    "attestation_id",
    "status",
    "is_compliant",
    "unexpected"
  ],
  properties: {
    attestation_name: { type: "string" },
    attestation_type: { type: "string" },
    attestation_id: nullable("string"),
    overridden_attestation_id: nullable("string"),
    status: { enum: ["COMPLETE", "MISSING"] },
    is_compliant: nullable("boolean"),
    unexpected: { type: "boolean" }
  }
} as const

const artifact = {
  type: "object",
  description: "One slot of a trail, judged by the newest artifact in it.",
  required: [
    "name",
    "git_commit_info",
    "origin_url",
    "artifact_fingerprint",
    "artifact_id",
    "status",
    "is_compliant",
    "unexpected",
    "attestations_statuses"
  ],
  properties: {
    ...provenance,
    artifact_fingerprint: nullable("string"),
    artifact_id: nullable("string"),
    status: { enum: [...status.enum, "MISSING"] },
    is_compliant: nullable("boolean"),
    unexpected: { type: "boolean" },
    evaluated_at: { type: "number" },
    attestations_statuses: entries
  }
} as const

const trail = {
  type: "object",
  required: [
    "name",
    "git_commit_info",
    "origin_url",
    "user_data",
    "created_at",
    "last_modified_at",
    "template",
    "flow",
    "compliance_state",
    "is_compliant",
    "events",
    "compliance_status"
  ],
  properties: {
    ...provenance,
    name: { type: "string" },
    description: nullable("string"),
    user_data: { type: ["object", "array"] },
    created_at: { type: "number" },
    last_modified_at: { type: "number" },
    template: { type: "object" },
    flow: {
      type: "object",
      required: ["name", "tags"],
      properties: { name: { type: "string" }, tags: { type: "object" } }
    },
    compliance_state: status,
    is_compliant: { type: "boolean" },
    events: { type: "array", items: { type: "object" } },
    compliance_status: {
      type: "object",
      required: [
        "status",
        "is_compliant",
        "evaluated_at",
        "flow_template_id",
        "attestations_statuses",
        "artifacts_statuses"
      ],
      properties: {
        status,
        is_compliant: { type: "boolean" },
        evaluated_at: { type: "number" },
        flow_template_id: { type: "string" },
        attestations_statuses: entries,
        artifacts_statuses: {
          type: "object",
          additionalProperties: { $ref: "#/$defs/artifact" },
          description: "By slot."
        }
      }
    }
  }
} as const

/** The document. */
export const document = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Evaluation input",
  description: "What is known about one trail, or about several, for a policy engine to judge.",
  type: "object",
  oneOf: [
    {
      required: ["trail"],
      additionalProperties: false,
      properties: { trail: { $ref: "#/$defs/trail" } }
    },
    {
      required: ["trails"],
      additionalProperties: false,
      properties: { trails: { type: "array", items: { $ref: "#/$defs/trail" } } }
    }
  ],
  $defs: { trail, artifact, attestation }
} as const
