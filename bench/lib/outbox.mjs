/** Fills an outbox on PostgreSQL: one org, one subscription with many webhook targets, and events to all of them. */
import { randomUUID } from "node:crypto"
import { NotificationStore } from "@attestry/core/NotificationStore"
import { OrgStore } from "@attestry/core/OrgStore"
import { OutboxStore } from "@attestry/core/OutboxStore"
import { Transaction } from "@attestry/core/Transaction"
import * as PgStore from "@attestry/sql-store/PgStore"
import { Effect, ManagedRuntime, Redacted } from "effect"

const AT = 1_790_000_000_000_000

const notification = {
  event_type: "ARTIFACT_STARTED",
  org: "bench",
  at: AT,
  description: "registry.example.com/shop/backend:1.4.0 started in production",
  environment: "production",
  snapshot: { index: 12, verdict: "NonCompliant" },
  artifact: {
    name: "registry.example.com/shop/backend:1.4.0",
    fingerprint: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    provenance: null
  }
}

/** A subscription of a new org with these webhook URLs; `publish(n)` makes n events due at once. */
export const openOutbox = async (databaseUrl, urls) => {
  const runtime = ManagedRuntime.make(PgStore.layer({ url: Redacted.make(databaseUrl) }))
  const org = randomUUID()
  const targets = urls.map((webhook) => ({
    id: randomUUID(),
    target: { type: "WEBHOOK", webhook, payload_version: "1.0" },
    context: null,
    last_success_at: null,
    last_failure_at: null,
    disabled_at: null
  }))
  await runtime.runPromise(
    Effect.gen(function* () {
      yield* (yield* OrgStore).insert({ id: org, name: `bench-${org.slice(0, 8)}`, created_at: AT })
      const subscriptions = yield* NotificationStore
      const { run } = yield* Transaction
      yield* run(org, () =>
        Effect.gen(function* () {
          yield* subscriptions.insert({
            org_id: org,
            number: yield* subscriptions.lockNextNumber(org),
            name: "bench",
            environments: ["production"],
            triggers: ["ON_STARTED_ARTIFACT"],
            targets,
            created_at: AT,
            created_by: "bench",
            last_modified_at: AT
          })
        })
      )
    })
  )
  const deliveriesOf = () => {
    const intent = randomUUID()
    return targets.map(({ id: queue, target }) => ({
      org_id: org,
      id: randomUUID(),
      queue,
      intent,
      target,
      notification,
      attempts: 0,
      created_at: AT
    }))
  }
  return {
    publish: (events) =>
      runtime.runPromise(
        Effect.flatMap(OutboxStore, (outbox) =>
          outbox.append(Array.from({ length: events }, deliveriesOf).flat())
        )
      ),
    stop: () => runtime.dispose()
  }
}
