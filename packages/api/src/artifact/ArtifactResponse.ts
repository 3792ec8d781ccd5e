/** An artifact in a response: its reported fields under their original names, and derived fields. DECISION A-38 */
import { JsonObject } from "@attestry/core/Evidence"

/** An artifact: its report, its compliance, where it runs, and its history. */
export const ArtifactResponse = JsonObject.annotations({
  identifier: "Artifact",
  description: "What was reported, under the names it was sent with, and what is known of it"
})
