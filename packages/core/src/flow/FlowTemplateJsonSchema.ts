/**
 * The published JSON Schema 2020-12 of the template document, for editors.
 *
 * It describes shapes and names as `FlowTemplate.parse` checks them, except that names are unique in their list.
 */
import { NAME_LENGTH_MAX, SLOT_NAME_PATTERN } from "../shared/Identifier.js"
import * as AttestationTypePattern from "./AttestationTypePattern.js"
import { ATTESTATION_NAME_PATTERN } from "./FlowTemplate.js"

const name = (pattern: string, description: string) =>
  ({ type: "string", pattern, maxLength: NAME_LENGTH_MAX, description }) as const

const attestations = (description: string) =>
  ({ type: "array", items: { $ref: "#/$defs/attestation" }, default: [], description }) as const

/** The document. */
export const document = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Flow template",
  description: "What the trails of a flow should hold.",
  type: "object",
  additionalProperties: false,
  properties: {
    version: { const: 1, default: 1, description: "Version of this format." },
    trail: {
      anyOf: [{ $ref: "#/$defs/trail" }, { type: "null" }],
      default: { attestations: [], artifacts: [] }
    }
  },
  $defs: {
    trail: {
      type: "object",
      additionalProperties: false,
      properties: {
        attestations: attestations("Attestations about the trail itself."),
        artifacts: {
          type: "array",
          items: { $ref: "#/$defs/artifact" },
          default: [],
          description: "Artifacts that the trail should have; their names are unique."
        }
      }
    },
    artifact: {
      type: "object",
      additionalProperties: false,
      required: ["name"],
      properties: {
        name: name(SLOT_NAME_PATTERN, "The slot that the artifact is reported into."),
        attestations: attestations("Attestations about the artifact.")
      }
    },
    attestation: {
      type: "object",
      additionalProperties: false,
      required: ["name", "type"],
      properties: {
        name: name(ATTESTATION_NAME_PATTERN, "The name it is reported under, unique in its list."),
        type: { $ref: "#/$defs/type" }
      }
    },
    type: {
      description: "The type it is reported as; `*` is any type.",
      anyOf: [
        { enum: AttestationTypePattern.WORDS },
        {
          type: "string",
          pattern: `^custom:${AttestationTypePattern.CUSTOM_NAME_PATTERN.slice(1)}`
        }
      ]
    }
  }
} as const
