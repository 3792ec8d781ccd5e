/** The operations that the client sends under a key of its own. */
import type { OperationName } from "@attestry/api/OperationIndex"

/** Operations that are not idempotent: a repetition creates another record, or fails because the first succeeded. */
export const KEYED_OPERATIONS: ReadonlyArray<string> = [
  "approval.create",
  "attestationType.archive",
  "control.create",
  "environment.archive",
  "environmentNotification.delete",
  "flow.archive",
  "serviceAccount.create",
  "serviceAccount.delete",
  "apiKey.revoke"
] satisfies ReadonlyArray<OperationName>
