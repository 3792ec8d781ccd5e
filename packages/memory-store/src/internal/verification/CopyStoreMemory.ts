/** `CopyStore` in memory: the rows of other adapters, by the names of their tables. */
import { CopyStore } from "@attestry/core/CopyStore"
import type { StoredRequest } from "@attestry/core/IdempotentRequest"
import { Notification } from "@attestry/core/Notification"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { allowances, change } from "../history/KnowledgeTables.js"
import { outbox } from "../notification/NotificationTables.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"

const requests = table<StoredRequest>("idempotency")

const isNotification = Schema.is(Schema.typeSchema(Notification))

const contains = (text: string, parts: ReadonlyArray<string>): boolean =>
  parts.some((part) => text.includes(part))

/** `CopyStore` in memory. */
export const layer: Layer.Layer<CopyStore, never, MemoryState> = Layer.effect(
  CopyStore,
  Effect.map(MemoryState, (state) =>
    CopyStore.of({
      withholdAnswers: (org, parts) =>
        state.modify(requests, (rows) => [
          undefined,
          HashMap.map(rows, (row, place) =>
            place.startsWith(key(org, "")) &&
            row.outcome._tag === "Answered" &&
            contains(row.outcome.response.text, parts)
              ? { ...row, outcome: { _tag: "Withheld" as const } }
              : row
          )
        ]),
      listDeliveries: (org, parts) =>
        Effect.map(state.read(outbox), (rows) =>
          Array.from(rows)
            .filter(([place]) => place.startsWith(key(org, "")))
            .map(([, { delivery }]) => ({ id: delivery.id, notification: delivery.notification }))
            .filter(({ notification }) => contains(JSON.stringify(notification), parts))
        ),
      putDelivery: (org, { id, notification }) =>
        state.modify(outbox, (rows) => [
          undefined,
          isNotification(notification)
            ? HashMap.modify(rows, key(org, id), (row) => ({
                ...row,
                delivery: { ...row.delivery, notification }
              }))
            : rows
        ]),
      eraseAllowances: (org, { environment, texts, left }) =>
        change(state, allowances, {
          at: key(org, environment),
          next: (list) =>
            list.map((each) => (texts.includes(each.reason) ? { ...each, reason: left } : each))
        })
    })
  )
)
