/** Targets in responses: their addresses, without their deliveries. SPEC §2.1 */
import { ChatTarget, EmailTarget, WebhookTarget } from "@attestry/core/NotificationTarget"
import * as Schema from "effect/Schema"

/** A target in a response. */
export const TargetResponse = Schema.Union(ChatTarget, WebhookTarget, EmailTarget)
