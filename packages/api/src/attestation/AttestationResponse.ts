/** An attestation in a response: its reported fields under their original names, and its evaluation. */
import { JsonObject } from "@attestry/core/Evidence"

/** An attestation: the common fields, then those of its type. */
export const AttestationResponse = JsonObject.annotations({
  identifier: "Attestation",
  description: "What was reported, under the names it was sent with, and what it came to"
})
