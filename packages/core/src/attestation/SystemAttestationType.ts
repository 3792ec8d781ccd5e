/**
 * The types of system attestations, with the JSON Schema of their data in each version.
 *
 * They are the same in every org. What a report of such a type must have besides is in `AttestationReport`.
 */
import type { UserData } from "../shared/Evidence.js"

/** A type of system attestations. */
export interface SystemAttestationType {
  readonly name: string
  /** Every version, oldest first. */
  readonly versions: ReadonlyArray<{
    readonly version: number
    readonly attestation_data_schema: UserData
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

/** Every type, by name. */
export const ALL: ReadonlyArray<SystemAttestationType> = [decision]
