/**
 * The types of system attestations, with the JSON Schema of their data in each version.
 *
 * They are the same in every org. What a report of such a type must have besides is in `AttestationReport`.
 */
import type { JsonObject } from "../shared/Evidence.js"
import { FILES_CHANGED_MAX, SESSION_COMMITS_MAX } from "./AttestationPayload.js"

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

const count = { type: "integer", minimum: 0 }
const text = { type: "string", minLength: 1 }

const agentSession: SystemAttestationType = {
  name: "agent_session",
  versions: [
    {
      version: 1,
      attestation_data_schema: {
        type: "object",
        properties: {
          tool: {
            type: "object",
            properties: { name: text, version: { type: "string" } },
            required: ["name"],
            additionalProperties: true
          },
          model: text,
          started_at: { type: "number" },
          ended_at: { type: "number" },
          transcript_sha256: digest,
          files_changed: {
            type: "array",
            items: {
              type: "object",
              properties: { path: text, added: count, removed: count },
              required: ["path"],
              additionalProperties: true
            },
            maxItems: FILES_CHANGED_MAX
          },
          files_changed_count: count,
          commits: {
            type: "array",
            items: { type: "string", pattern: "^[0-9a-f]{40}$" },
            maxItems: SESSION_COMMITS_MAX
          },
          prompted_by: {
            type: "object",
            properties: { username: { type: "string" } },
            required: ["username"],
            additionalProperties: true
          }
        },
        required: ["tool", "model", "started_at", "ended_at", "files_changed"],
        additionalProperties: true
      }
    }
  ]
}

/** Every type, by name. */
export const ALL: ReadonlyArray<SystemAttestationType> = [decision, sbom, agentSession]
