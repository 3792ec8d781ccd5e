/** The tables of notifications, which their adapters share; deleting a target deletes its deliveries. */
import type { DeadLetter, Delivery } from "@attestry/core/Delivery"
import type { EnvironmentRef } from "@attestry/core/Environment"
import type { EnvironmentNotification } from "@attestry/core/EnvironmentNotification"
import type { FlowNotification } from "@attestry/core/FlowNotification"
import type { NotificationConfig, NotificationConfigKey } from "@attestry/core/NotificationConfig"
import type { StoredTarget } from "@attestry/core/NotificationTarget"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import { type MemoryState, table } from "../shared/MemoryState.js"

/** A delivery in the outbox. */
export interface OutboxRow {
  readonly delivery: Delivery
  /** When it can be claimed; while it is leased, the end of the lease. */
  readonly dueAt: Timestamp
  readonly token: number
  readonly leased: boolean
  readonly dead: Pick<DeadLetter, "failed_at" | "error"> | null
  /** The order in which deliveries were added. */
  readonly sequence: number
}

/** Configurations by org and type. */
export const configs = table<NotificationConfig>("notification_config")
/** Environment notifications by org and number. */
export const subscriptions = table<EnvironmentNotification>("environment_notification")
/** Flow notifications by org and number. */
export const flowSubscriptions = table<FlowNotification>("flow_notification")
/** The last number of a notification of environments or flows, by org. */
export const numbers = table<number>("last_notification_number")
/** The outbox by org and delivery. */
export const outbox = table<OutboxRow>("outbox")
/** The smallest threshold that was sent, by org, type and subject. */
export const notices = table<ExpiryMark>("expiry_notice")
/** The due instants that were notified, by org, environment and instant. */
export const decays = table<DecayMark>("decay_notice")

/** The fewest days left that were notified of a key or a waiver. */
export interface ExpiryMark extends NotificationConfigKey {
  readonly subject: string
  readonly days: number
}

/** A due instant that was notified. */
export interface DecayMark extends EnvironmentRef {
  readonly due_at: Timestamp
}

/** Targets with the stored times of those that existed before. */
export const withStoredTimes = (
  before: ReadonlyArray<StoredTarget>,
  after: ReadonlyArray<StoredTarget>
): ReadonlyArray<StoredTarget> => {
  const stored = new Map(before.map((target) => [target.id, target]))
  return after.map((target) => {
    const known = stored.get(target.id)
    return {
      ...target,
      last_success_at: known?.last_success_at ?? null,
      last_failure_at: known?.last_failure_at ?? null,
      last_error: known?.last_error ?? null
    }
  })
}

/** Removes the deliveries of removed targets. */
export const removeQueues = (
  state: MemoryState,
  org: string,
  change: {
    readonly before: ReadonlyArray<StoredTarget>
    readonly after: ReadonlyArray<StoredTarget>
  }
): Effect.Effect<void> => {
  const kept = new Set<string>(change.after.map(({ id }) => id))
  const gone = new Set<string>(change.before.map(({ id }) => id).filter((id) => !kept.has(id)))
  return gone.size === 0
    ? Effect.void
    : state.modify(outbox, (rows) => [
        undefined,
        HashMap.filter(rows, ({ delivery }) => delivery.org_id !== org || !gone.has(delivery.queue))
      ])
}
