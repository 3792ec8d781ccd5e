/**
 * An outbox for tests of the worker: one table, the test clock, and faults on demand.
 *
 * It implements only the methods that the worker uses.
 */
import type { ClaimedDelivery, DeliveryOutcome, Settlement } from "@attestry/core/Delivery"
import { DeliveryId } from "@attestry/core/Identifier"
import { type ClaimRequest, OutboxStore } from "@attestry/core/OutboxStore"
import { StoreError } from "@attestry/core/StoreError"
import { Clock, Effect, Layer } from "effect"
import { deliveryOf } from "./Samples.js"

export interface Row {
  readonly delivery: ClaimedDelivery
  dueAt: number
  leased: boolean
}

/** One settlement. */
export interface Entry {
  readonly id: string
  readonly at: number
  readonly outcome: DeliveryOutcome
}

/** An empty outbox; `book` has its settlements in order. */
export const make = () => {
  const rows = new Map<string, Row>()
  /** Queues whose last attempt succeeded. */
  const answering = new Set<string>()
  const book: Array<Entry> = []
  const requests: Array<ClaimRequest> = []
  const faults = { claim: 0, settle: 0, claimMillis: 0 }

  const put = (queue: string, id: string) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const delivery = deliveryOf(
        { type: "WEBHOOK", webhook: `https://${queue}.example.com/`, payload_version: "1.0" },
        undefined,
        { id: DeliveryId.make(id), queue, token: 0 }
      )
      rows.set(id, { delivery, dueAt: now, leased: false })
    })

  const failOnDemand = (kind: "claim" | "settle") =>
    Effect.suspend(() => {
      if (faults[kind] === 0) return Effect.void
      faults[kind] -= 1
      return Effect.fail(new StoreError({ operation: kind, cause: "down" }))
    })

  const claim = (request: ClaimRequest) =>
    Effect.gen(function* () {
      requests.push(request)
      yield* failOnDemand("claim")
      const now = yield* Clock.currentTimeMillis
      const out = new Map<string, number>()
      const count = (queue: string) => out.get(queue) ?? 0
      for (const { delivery, dueAt, leased } of rows.values()) {
        if (leased && dueAt > now) out.set(delivery.queue, count(delivery.queue) + 1)
      }
      const claimed: Array<ClaimedDelivery> = []
      const named = new Set(request.from?.queues.map(({ queue }) => queue))
      for (const [id, row] of rows) {
        const { delivery } = row
        if (named.has(delivery.queue) !== (request.from?._tag === "Only")) continue
        if (request.from?._tag === "AnsweringBut" && !answering.has(delivery.queue)) continue
        if (claimed.length === request.limit) break
        if (row.dueAt > now || count(delivery.queue) >= request.perQueue) continue
        out.set(delivery.queue, count(delivery.queue) + 1)
        const leased = { ...delivery, token: delivery.token + 1 }
        rows.set(id, { delivery: leased, dueAt: now + request.leaseMillis, leased: true })
        claimed.push(leased)
      }
      if (faults.claimMillis > 0) yield* Effect.sleep(faults.claimMillis)
      return claimed
    })

  const write = ({ id, outcome, token }: Settlement, at: number) => {
    const row = rows.get(id)
    if (row === undefined || row.delivery.token !== token || !row.leased) return []
    book.push({ id, at, outcome })
    if (outcome._tag === "Delivered") answering.add(row.delivery.queue)
    else if (outcome._tag !== "Released") answering.delete(row.delivery.queue)
    if (outcome._tag === "Released") rows.set(id, { ...row, dueAt: at, leased: false })
    else if (outcome._tag === "Retry") {
      const delivery = { ...row.delivery, attempts: row.delivery.attempts + 1 }
      rows.set(id, { delivery, dueAt: at + outcome.afterMillis, leased: false })
    } else rows.delete(id)
    return [{ org_id: row.delivery.org_id, id }]
  }

  const settle = (settlements: ReadonlyArray<Settlement>) =>
    Effect.gen(function* () {
      yield* failOnDemand("settle")
      const now = yield* Clock.currentTimeMillis
      return settlements.flatMap((settlement) => write(settlement, now))
    })

  const depth = Effect.map(Clock.currentTimeMillis, (now) => ({
    due: [...rows.values()].filter(({ dueAt }) => dueAt <= now).length,
    oldestDueMillis: 0,
    dead: 0
  }))

  return {
    put,
    answering,
    book,
    rows,
    requests,
    faults,
    layer: Layer.mock(OutboxStore, { claim, settle, depth })
  }
}
