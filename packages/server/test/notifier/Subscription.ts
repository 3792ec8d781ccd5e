/** An org with one subscription to webhooks, and events for all of them. */

import type { Delivery } from "@attestry/core/Delivery"
import { EnvironmentName } from "@attestry/core/Identifier"
import { NotificationStore } from "@attestry/core/NotificationStore"
import { OutboxStore } from "@attestry/core/OutboxStore"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as NotificationFixture from "@attestry/core/testing/NotificationFixture"
import { Effect, Option } from "effect"

/** Subscribes the URLs; `publish` gives the ids of the deliveries. */
export const make = (urls: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const store = yield* NotificationStore
    const outbox = yield* OutboxStore
    const transaction = yield* Transaction
    const org = yield* Fixture.org
    const targets = yield* Effect.forEach(urls, (webhook) =>
      NotificationFixture.newTarget({ type: "WEBHOOK", webhook, payload_version: "1.0" })
    )
    const number = yield* transaction.run(org.id, () =>
      Effect.gen(function* () {
        const next = yield* store.lockNextNumber(org.id)
        yield* store.insert({
          org_id: org.id,
          number: next,
          name: "webhooks",
          environments: [EnvironmentName.make("prod")],
          triggers: ["ON_NON_COMPLIANT_ENV"],
          targets,
          created_at: Fixture.AT,
          created_by: "anna",
          last_modified_at: Fixture.AT
        })
        return next
      })
    )
    const publishTo = (audience: Pick<Delivery, "audience">) =>
      Effect.gen(function* () {
        const deliveries = yield* Effect.forEach(targets, (target) =>
          NotificationFixture.newDelivery(org, target)
        )
        return yield* outbox.append(deliveries.map((each) => ({ ...each, ...audience })))
      })
    const publish = publishTo({})
    /** The stored targets, with their last success and failure. */
    const stored = Effect.map(store.findEnvironmentNotification({ org: org.id, number }), (found) =>
      Option.match(found, { onNone: () => [], onSome: ({ targets: all }) => all })
    )
    return { org, publish, publishTo, stored } as const
  })
