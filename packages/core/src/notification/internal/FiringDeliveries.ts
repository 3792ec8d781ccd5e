/** Adds firings to the outbox, once for each subscribed target, in the transaction of their cause (P-OUTBOX). */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as EntryId from "../../log/internal/EntryId.js"
import { LogStore } from "../../log/LogStore.js"
import { OrgStore } from "../../org/OrgStore.js"
import { DeliveryId, type OrgId, type OrgName } from "../../shared/Identifier.js"
import { IdGenerator } from "../../shared/IdGenerator.js"
import { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { AboutThing } from "../Audience.js"
import type { Delivery } from "../Delivery.js"
import { OutboxStore } from "../OutboxStore.js"
import * as NotificationTrigger from "./NotificationTrigger.js"

/** Where and when something was stored, and the number of the entry of the journal that records it. */
export interface FiringPlace {
  readonly org: OrgId
  readonly at: Timestamp
  readonly sequence: number | undefined
  /** The flow or environment in which it happened. */
  readonly about: AboutThing
}

/** For whom a delivery is: absent for the org. */
const audienceOf = (
  { firing, team }: NotificationTrigger.AddressedFiring,
  { about }: FiringPlace
): Pick<Delivery, "audience"> => {
  if (team === undefined) return {}
  const { flow } = firing
  return { audience: { team, about, ...(flow === undefined ? {} : { flow }) } }
}

/** Adds firings to the outbox, and reads the names of orgs for them. */
export const make = Effect.gen(function* () {
  const outbox = yield* OutboxStore
  const orgs = yield* OrgStore
  const ids = yield* IdGenerator
  // WHY cached: an org's name never changes.
  const names = new Map<OrgId, OrgName>()
  const logs = yield* LogStore
  // INVARIANT: the key of an org's ids never changes.
  const keys = new Map<OrgId, Uint8Array>()

  const nameOf = (id: OrgId): Effect.Effect<OrgName, StoreError> =>
    Effect.suspend(() => {
      const known = names.get(id)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.flatMap(
        orgs.find({ id: id }),
        Option.match({
          onNone: () =>
            new StoreError({ operation: "OrgStore.findById", cause: new Error("no such org") }),
          onSome: ({ name }) =>
            Effect.as(
              Effect.sync(() => names.set(id, name)),
              name
            )
        })
      )
    })

  const keyOf = (org: OrgId): Effect.Effect<Uint8Array | undefined, StoreError> =>
    Effect.suspend(() => {
      const known = keys.get(org)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.map(logs.find(org), (tree) => {
        if (Option.isNone(tree)) return undefined
        keys.set(org, tree.value.entryKey)
        return tree.value.entryKey
      })
    })

  /** Firings with the id of the entry, by which a receiver finds it in the log. */
  const withEntry = (
    { org, sequence }: FiringPlace,
    firings: ReadonlyArray<NotificationTrigger.Firing>
  ) =>
    Effect.gen(function* () {
      if (firings.length === 0 || sequence === undefined) return firings
      const key = yield* keyOf(org)
      if (key === undefined) return firings
      const log_entry = EntryId.make(key, sequence)
      return firings.map(({ notification, ...firing }) => ({
        ...firing,
        notification: { ...notification, log_entry }
      }))
    })

  const deliveryOf = (
    addressed: NotificationTrigger.AddressedFiring,
    place: FiringPlace
  ): Effect.Effect<Delivery> => {
    const { firing, target } = addressed
    return Effect.map(ids.next, (id) => ({
      org_id: place.org,
      id: DeliveryId.make(id),
      queue: target.id,
      intent: firing.key,
      target: target.target,
      ...audienceOf(addressed, place),
      notification: firing.notification,
      attempts: 0,
      created_at: place.at
    }))
  }

  const send = (
    place: FiringPlace,
    firings: ReadonlyArray<NotificationTrigger.Firing>,
    subscriptions: ReadonlyArray<NotificationTrigger.Subscription>
  ) =>
    Effect.gen(function* () {
      const complete = yield* withEntry(place, firings)
      const addressed = NotificationTrigger.address(complete, subscriptions)
      yield* outbox.add(yield* Effect.forEach(addressed, (each) => deliveryOf(each, place)))
    })

  return { nameOf, send }
})
