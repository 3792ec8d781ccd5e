/** Targets in responses: their addresses, without their deliveries. SPEC §2.1 */
import {
  ChatTarget,
  EmailTarget,
  type StoredTarget,
  WebhookTarget
} from "@attestry/core/NotificationTarget"
import * as Schema from "effect/Schema"

/** A target in a response. */
export const TargetResponse = Schema.Union(ChatTarget, WebhookTarget, EmailTarget)

/** The response of stored targets. */
export const targetsOf = (
  targets: ReadonlyArray<StoredTarget>
): ReadonlyArray<typeof TargetResponse.Type> => targets.map(({ target }) => target)
