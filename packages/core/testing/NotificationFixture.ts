/** Fixtures of notification suites: targets, subscriptions and deliveries with fresh ids. */
import type { Delivery } from "@attestry/core/Delivery"
import type { EnvironmentNotification } from "@attestry/core/EnvironmentNotification"
import type { FlowNotification } from "@attestry/core/FlowNotification"
import {
  ApiKeyId,
  DeliveryId,
  EnvironmentName,
  NotificationTargetId,
  ServiceAccountName
} from "@attestry/core/Identifier"
import type { Notification } from "@attestry/core/Notification"
import { NotificationStore } from "@attestry/core/NotificationStore"
import type { NotificationTarget, StoredTarget } from "@attestry/core/NotificationTarget"
import type { Org } from "@attestry/core/Org"
import type { StoreError } from "@attestry/core/StoreError"
import { Transaction } from "@attestry/core/Transaction"
import * as Effect from "effect/Effect"
import * as Fixture from "./Fixture.js"

/** A target that is not stored yet. */
export const newTarget = (
  target: NotificationTarget = {
    type: "WEBHOOK",
    webhook: "https://hooks.example.org/1",
    payload_version: "1.0"
  }
): Effect.Effect<StoredTarget> =>
  Effect.map(Fixture.freshId, (id) => ({
    id: NotificationTargetId.make(id),
    target,
    context: null,
    last_success_at: null,
    last_failure_at: null,
    last_error: null,
    disabled_at: null
  }))

/** A stored subscription with that many targets. */
export const subscription = (
  org: Org,
  targets = 1,
  owner: Pick<EnvironmentNotification, "team"> = {}
): Effect.Effect<EnvironmentNotification, StoreError, NotificationStore | Transaction> =>
  Effect.gen(function* () {
    const store = yield* NotificationStore
    const transaction = yield* Transaction
    return yield* transaction.run(org.id, () =>
      Effect.gen(function* () {
        const made: EnvironmentNotification = {
          org_id: org.id,
          number: yield* store.lockNextNumber(org.id),
          ...owner,
          name: "releases",
          environments: [EnvironmentName.make("prod")],
          triggers: ["ON_STARTED_ARTIFACT"],
          targets: yield* Effect.forEach(Array.from({ length: targets }), (_, position) =>
            newTarget({ type: "CHAT", webhook: `https://chat.example.org/${position}` })
          ),
          created_at: Fixture.AT,
          created_by: "anna",
          last_modified_at: Fixture.AT
        }
        yield* store.insert(made)
        return made
      })
    )
  })

/** A stored subscription to flows, with that many targets. */
export const flowSubscription = (
  org: Org,
  flows: FlowNotification["flows"],
  targets = 1,
  owner: Pick<FlowNotification, "team"> = {}
): Effect.Effect<
  FlowNotification,
  StoreError,
  NotificationStore | NotificationStore | Transaction
> =>
  Effect.gen(function* () {
    const store = yield* NotificationStore
    const transaction = yield* Transaction
    return yield* transaction.run(org.id, () =>
      Effect.gen(function* () {
        const made: FlowNotification = {
          org_id: org.id,
          number: yield* store.lockNextNumber(org.id),
          ...owner,
          name: "builds",
          flows,
          triggers: ["ON_ATTESTATION", "ON_RELEASE"],
          targets: yield* Effect.forEach(Array.from({ length: targets }), (_, position) =>
            newTarget({ type: "CHAT", webhook: `https://chat.example.org/flow-${position}` })
          ),
          created_at: Fixture.AT,
          created_by: "anna",
          last_modified_at: Fixture.AT
        }
        yield* store.insert(made)
        return made
      })
    )
  })

/** A notification that an environment became non-compliant. */
export const verdictNotification = (org: Org): Notification => ({
  event_type: "ENVIRONMENT_NON_COMPLIANT",
  org: org.name,
  at: Fixture.AT,
  description: "environment prod became non-compliant",
  environment: EnvironmentName.make("prod"),
  snapshot: { index: 3, verdict: "NonCompliant" }
})

/** A notification that a key expires. */
export const expiryNotification = (org: Org, key: string, days: number): Notification => ({
  event_type: "API_KEY_EXPIRY",
  org: org.name,
  at: Fixture.AT,
  description: "a key ends",
  api_key: {
    id: ApiKeyId.make(key),
    description: "deploys",
    service_account: ServiceAccountName.make("ci"),
    expires_at: Fixture.LATER,
    days_left: days
  }
})

/** A delivery to a target that is not in the outbox yet. */
export const newDelivery = (
  org: Org,
  { id: queue, target }: Pick<StoredTarget, "target"> & { readonly id: string },
  said: Partial<Pick<Delivery, "intent" | "notification">> = {}
): Effect.Effect<Delivery> =>
  Effect.map(Fixture.freshId, (id) => ({
    org_id: org.id,
    id: DeliveryId.make(id),
    queue,
    intent: said.intent ?? `intent ${id}`,
    target,
    notification: said.notification ?? verdictNotification(org),
    attempts: 0,
    created_at: Fixture.AT
  }))
