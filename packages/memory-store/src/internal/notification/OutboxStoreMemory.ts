/** `OutboxStore` in memory: one table, scanned as a whole. */
import * as Audience from "@attestry/core/Audience"
import type { ClaimedDelivery, DeadLetter, DeliveryKey, Settlement } from "@attestry/core/Delivery"
import type { DeliveryId, OrgId } from "@attestry/core/Identifier"
import * as Notification from "@attestry/core/Notification"
import * as NotificationTarget from "@attestry/core/NotificationTarget"
import {
  type ClaimRequest,
  DEPTH_MAX,
  OutboxStore,
  type PruneRequest
} from "@attestry/core/OutboxStore"
import * as Page from "@attestry/core/Page"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState } from "../shared/MemoryState.js"
import * as DeliveryBookkeeping from "./DeliveryBookkeeping.js"
import {
  configs,
  flowSubscriptions,
  type OutboxRow,
  outbox,
  subscriptions
} from "./NotificationTables.js"

type StoredTarget = NotificationTarget.StoredTarget

const placeOf = ({ org_id, id }: DeliveryKey): string => key(org_id, id)

const queueOf = ({ delivery }: OutboxRow): string => key(delivery.org_id, delivery.queue)

const longestDueFirst = (left: OutboxRow, right: OutboxRow): number =>
  left.dueAt - right.dueAt || left.sequence - right.sequence

const latestFailureFirst = (left: DeadLetter, right: DeadLetter): number =>
  right.failed_at - left.failed_at || (left.id < right.id ? -1 : 1)

const plusMillis = (at: Timestamp.Timestamp, millis: number) =>
  Timestamp.fromMicros(at + millis * 1000)

/** Whether a delivery is for one of some audiences; every one is where there are none to choose from. */
const isFor = (
  { audience }: OutboxRow["delivery"],
  audiences: ReadonlyArray<Audience.Audience> | undefined
): boolean =>
  audiences === undefined ||
  (audience != null && audiences.map(Audience.keyOf).includes(Audience.keyOf(audience)))

/** Whether deliveries of a queue can be claimed, by its key. */
const wantedBy = (from: ClaimRequest["from"], targets: ReadonlyMap<string, StoredTarget>) => {
  const named = new Set(from?.queues.map(({ org_id, queue }) => key(org_id, queue)))
  const isAnswering = (queue: string) => {
    const target = targets.get(queue)
    return target === undefined || NotificationTarget.isAnswering(target)
  }
  return (queue: string): boolean =>
    named.has(queue) === (from?._tag === "Only") &&
    (from?._tag !== "AnsweringBut" || isAnswering(queue))
}

/** The deliveries to claim: the longest due one of each queue first, then the second of each, and so on. */
const claimable = (
  rows: ReadonlyArray<OutboxRow>,
  now: Timestamp.Timestamp,
  {
    isWanted,
    limit,
    perQueue
  }: Pick<ClaimRequest, "limit" | "perQueue"> & { readonly isWanted: (queue: string) => boolean }
): ReadonlyArray<OutboxRow> => {
  const taken = new Map<string, number>()
  for (const row of rows) {
    if (row.leased && row.dueAt > now) taken.set(queueOf(row), (taken.get(queueOf(row)) ?? 0) + 1)
  }
  return rows
    .filter((row) => row.dueAt <= now && isWanted(queueOf(row)))
    .sort(longestDueFirst)
    .flatMap((row) => {
      const place = taken.get(queueOf(row)) ?? 0
      taken.set(queueOf(row), place + 1)
      return place < perQueue ? [{ row, place }] : []
    })
    .sort((left, right) => left.place - right.place || longestDueFirst(left.row, right.row))
    .slice(0, limit)
    .map(({ row }) => row)
}

const revived = (row: OutboxRow, now: Timestamp.Timestamp): OutboxRow => ({
  ...row,
  delivery: { ...row.delivery, attempts: 0 },
  dueAt: now,
  leased: false,
  dead: null
})

/** Claims and settles deliveries. */
const makeWork = Effect.gen(function* () {
  const state = yield* MemoryState
  const rows = yield* MemoryRows.make(outbox)
  const books = yield* DeliveryBookkeeping.make

  /** Every target, by the key of its queue. */
  const targets = Effect.gen(function* () {
    const owners = [
      ...HashMap.values(yield* state.read(configs)),
      ...HashMap.values(yield* state.read(subscriptions)),
      ...HashMap.values(yield* state.read(flowSubscriptions))
    ]
    return new Map(
      owners.flatMap((owner) =>
        owner.targets.map((target) => [key(owner.org_id, target.id), target] as const)
      )
    )
  })

  /** Drops deliveries to removed targets. */
  const dropOrphans = (live: ReadonlyMap<string, StoredTarget>) => {
    const isLive = (row: OutboxRow): boolean =>
      row.delivery.queue === Notification.typeOf(row.delivery.notification) ||
      live.has(queueOf(row))
    return state.modify(outbox, (all) => [undefined, HashMap.filter(all, isLive)])
  }

  const claim = (request: ClaimRequest) =>
    state.transaction((now) =>
      Effect.gen(function* () {
        const live = yield* targets
        yield* dropOrphans(live)
        const waiting = (yield* rows.values).filter(({ dead }) => dead === null)
        const wish = { ...request, isWanted: wantedBy(request.from, live) }
        return yield* Effect.forEach(claimable(waiting, now, wish), (row) => {
          const token = row.token + 1
          const until = plusMillis(now, request.leaseMillis)
          const claimed: ClaimedDelivery = { ...row.delivery, token, leased_until: until }
          return Effect.as(
            rows.set(placeOf(row.delivery), { ...row, token, dueAt: until, leased: true }),
            claimed
          )
        })
      })
    )

  const bury = (row: OutboxRow, now: Timestamp.Timestamp, error: string) =>
    rows.set(placeOf(row.delivery), {
      ...row,
      leased: false,
      dead: { failed_at: now, error }
    })

  const buryQueue = (of: OutboxRow, now: Timestamp.Timestamp, error: string) =>
    Effect.flatMap(rows.values, (all) =>
      Effect.forEach(
        all.filter((row) => row.dead === null && queueOf(row) === queueOf(of)),
        (row) => bury(row, now, error),
        { discard: true }
      )
    )

  const write = (row: OutboxRow, { outcome }: Settlement, now: Timestamp.Timestamp) => {
    const { delivery } = row
    const failed = { ...row, delivery: { ...delivery, attempts: delivery.attempts + 1 } }
    switch (outcome._tag) {
      case "Delivered":
        return Effect.zipRight(rows.remove(placeOf(delivery)), books.success(delivery, now))
      case "Retry":
        return Effect.zipRight(
          rows.set(placeOf(delivery), {
            ...failed,
            dueAt: plusMillis(now, outcome.afterMillis),
            leased: false
          }),
          books.failure(delivery, now, outcome)
        )
      case "Dead":
        return Effect.zipRight(
          bury(failed, now, outcome.error),
          books.failure(delivery, now, outcome)
        )
      case "Gone":
        return bury(failed, now, outcome.error).pipe(
          Effect.zipRight(buryQueue(row, now, outcome.error)),
          Effect.zipRight(books.failure(delivery, now, outcome))
        )
      case "Dropped":
        return rows.remove(placeOf(delivery))
      case "Released":
        return rows.set(placeOf(delivery), { ...row, dueAt: now, leased: false })
    }
  }

  const settle = (settlements: ReadonlyArray<Settlement>) =>
    state.transaction((now) =>
      Effect.map(
        Effect.forEach(settlements, (settlement) =>
          Effect.gen(function* () {
            const row = yield* rows.find(placeOf(settlement))
            const isLatest =
              Option.isSome(row) &&
              row.value.dead === null &&
              row.value.leased &&
              row.value.token === settlement.token
            if (!isLatest) return []
            yield* write(row.value, settlement, now)
            return [{ org_id: settlement.org_id, id: settlement.id }]
          })
        ),
        (taken) => taken.flat()
      )
    )

  return { claim, settle }
})

/** Adds, withdraws, lists and replays the deliveries of one org. */
const makeKeeping = Effect.gen(function* () {
  const state = yield* MemoryState
  const rows = yield* MemoryRows.make(outbox)
  const ofOrg = (org: OrgId) =>
    Effect.map(rows.values, (all) => all.filter(({ delivery }) => delivery.org_id === org))
  let sequence = 0

  const intentOf = ({ queue, intent }: OutboxRow["delivery"]): string => key(queue, intent)

  const appendOne = (
    before: OutboxRow | undefined,
    delivery: OutboxRow["delivery"],
    now: Timestamp.Timestamp
  ): OutboxRow | undefined => {
    if (before !== undefined) return before.dead === null ? undefined : revived(before, now)
    sequence += 1
    return { delivery, dueAt: now, token: 0, leased: false, dead: null, sequence }
  }

  const append: OutboxStore["Type"]["append"] = (deliveries) =>
    state.transaction((now) =>
      Effect.gen(function* () {
        const [first] = deliveries
        if (first === undefined) return []
        const queued = new Map(
          (yield* ofOrg(first.org_id)).map((row) => [intentOf(row.delivery), row])
        )
        const added: Array<DeliveryId> = []
        for (const delivery of deliveries) {
          const row = appendOne(queued.get(intentOf(delivery)), delivery, now)
          if (row === undefined) continue
          queued.set(intentOf(delivery), row)
          yield* rows.set(placeOf(row.delivery), row)
          added.push(row.delivery.id)
        }
        return added
      })
    )

  const removeWhere = (org: OrgId, isGone: (row: OutboxRow) => boolean) =>
    Effect.flatMap(ofOrg(org), (all) =>
      Effect.forEach(all.filter(isGone), ({ delivery }) => rows.remove(placeOf(delivery)), {
        discard: true
      })
    )

  const replay = (
    org: OrgId,
    ids: ReadonlyArray<DeliveryId> | "all",
    audiences?: ReadonlyArray<Audience.Audience>
  ) =>
    state.transaction((now) =>
      Effect.gen(function* () {
        const dead = (yield* ofOrg(org)).filter(
          (row) =>
            row.dead !== null &&
            (ids === "all" || ids.includes(row.delivery.id)) &&
            isFor(row.delivery, audiences)
        )
        yield* Effect.forEach(dead, (row) => rows.set(placeOf(row.delivery), revived(row, now)))
        return dead.map(({ delivery }) => delivery.id).sort()
      })
    )

  return {
    append,
    add: (deliveries: Parameters<typeof append>[0]) => Effect.asVoid(append(deliveries)),
    withdraw: (org: OrgId, intents: ReadonlyArray<string>) =>
      state.transaction(() =>
        removeWhere(org, ({ delivery }) => intents.includes(delivery.intent))
      ),
    listDead: (org: OrgId, page: Page.Page, audiences?: ReadonlyArray<Audience.Audience>) =>
      Effect.map(ofOrg(org), (all) => {
        const dead = all.flatMap(
          ({ delivery, dead }): ReadonlyArray<DeadLetter> =>
            dead === null || !isFor(delivery, audiences) ? [] : [{ ...delivery, ...dead }]
        )
        const { items, total } = Page.slice([...dead].sort(latestFailureFirst), page)
        return { items, total: Math.min(DEPTH_MAX, total) }
      }),
    listDeadAudiences: (org: OrgId) =>
      Effect.map(ofOrg(org), (all) => {
        const dead = all.filter((row) => row.dead !== null)
        return [
          ...new Map(
            dead
              .flatMap(({ delivery }) => delivery.audience ?? [])
              .map((audience) => [Audience.keyOf(audience), audience] as const)
          ).values()
        ]
      }),
    replay
  }
})

/** Deletes old deliveries, and counts deliveries. */
const makeUpkeep = Effect.gen(function* () {
  const state = yield* MemoryState
  const rows = yield* MemoryRows.make(outbox)

  const prune = ({ olderThanMillis, limit }: PruneRequest) =>
    state.transaction((now) =>
      Effect.gen(function* () {
        const before = plusMillis(now, -olderThanMillis)
        const old = (yield* rows.values)
          .flatMap(({ delivery, dead }) =>
            dead !== null && dead.failed_at <= before ? [{ delivery, at: dead.failed_at }] : []
          )
          .sort((left, right) => left.at - right.at)
          .slice(0, limit)
        yield* Effect.forEach(old, ({ delivery }) => rows.remove(placeOf(delivery)))
        return old.length
      })
    )

  const depth = state.transaction((now) =>
    Effect.map(rows.values, (all) => {
      const due = all.filter(({ dead, dueAt }) => dead === null && dueAt <= now)
      const oldest = due.reduce<number>((least, { dueAt }) => Math.min(least, dueAt), now)
      return {
        due: Math.min(DEPTH_MAX, due.length),
        oldestDueMillis: Math.floor((now - oldest) / 1000),
        dead: Math.min(DEPTH_MAX, all.filter(({ dead }) => dead !== null).length)
      }
    })
  )

  return { prune, depth }
})

/** `OutboxStore` in memory. */
export const layer: Layer.Layer<OutboxStore, never, MemoryState> = Layer.effect(
  OutboxStore,
  Effect.map(Effect.all([makeKeeping, makeWork, makeUpkeep]), ([keeping, work, upkeep]) =>
    OutboxStore.of({ ...keeping, ...work, ...upkeep })
  )
)
