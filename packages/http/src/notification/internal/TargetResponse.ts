/** Makes the responses of targets: their addresses, without their deliveries. SPEC §2.1 */
import type { NotificationTarget, StoredTarget } from "@attestry/core/NotificationTarget"

/** The response of stored targets. */
export const targetsOf = (
  targets: ReadonlyArray<StoredTarget>
): ReadonlyArray<NotificationTarget> => targets.map(({ target }) => target)
