/**
 * The types of system attestations, with the JSON Schema of their data in each version.
 *
 * They are the same in every org. What a report of such a type must have besides is in `AttestationReport`.
 */
import type { JsonObject } from "../shared/Evidence.js"

/** A type of system attestations. */
export interface SystemAttestationType {
  readonly name: string
  /** Every version, oldest first. */
  readonly versions: ReadonlyArray<{
    readonly version: number
    readonly attestation_data_schema: JsonObject
  }>
}

const decision: SystemAttestationType = {
  name: "decision",
  versions: [
    {
      version: 1,
      attestation_data_schema: {
        type: "object",
        properties: { is_compliant: { type: "boolean" } },
        required: ["is_compliant"],
        additionalProperties: true
      }
    }
  ]
}

const digest = { type: "string", pattern: "^(?:[a-fA-F0-9]{64})?$" }

const sbom: SystemAttestationType = {
  name: "sbom",
  versions: [
    {
      version: 1,
      attestation_data_schema: {
        type: "object",
        properties: {
          format: { type: "string", minLength: 1 },
          original_fingerprint: digest,
          document: {
            type: "object",
            properties: {
              created_at: { type: ["string", "number"] },
              tools: { type: "array", items: { type: ["string", "object"] } },
              subject: {
                type: "object",
                properties: {
                  name: { type: "string" },
                  version: { type: "string" },
                  purl: { type: "string" },
                  sha256: digest
                },
                additionalProperties: true
              },
              package_count: { type: "integer", minimum: 0 }
            },
            additionalProperties: true
          }
        },
        required: ["format", "document"],
        additionalProperties: true
      }
    }
  ]
}

/** Every type, by name. */
export const ALL: ReadonlyArray<SystemAttestationType> = [decision, sbom]
