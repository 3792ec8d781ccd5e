/** Targets as answers show them: where they are, and nothing about deliveries. SPEC §2.1 */
import {
  ChatTarget,
  EmailTarget,
  type StoredTarget,
  WebhookTarget
} from "@attestry/core/NotificationTarget"
import * as Schema from "effect/Schema"

/** A target as answers show it. */
export const TargetResponse = Schema.Union(ChatTarget, WebhookTarget, EmailTarget)

/** What is shown of stored targets. */
export const targetsOf = (
  targets: ReadonlyArray<StoredTarget>
): ReadonlyArray<typeof TargetResponse.Type> => targets.map(({ target }) => target)
