/** `CopyStore` in memory: the rows of other adapters, by the names of their tables. */
import { CopyStore, type ErasedTexts, erasedLogin } from "@attestry/core/CopyStore"
import type { DeniedAttempt } from "@attestry/core/DeniedAttempt"
import type { StoredRequest } from "@attestry/core/IdempotentRequest"
import { Login } from "@attestry/core/Identifier"
import type { User } from "@attestry/core/Membership"
import type { MembershipEvent } from "@attestry/core/MembershipEvent"
import { Notification } from "@attestry/core/Notification"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { allowances, change } from "../history/KnowledgeTables.js"
import { memberships, users } from "../membership/MembershipStoreMemory.js"
import { flowSubscriptions, outbox, subscriptions } from "../notification/NotificationTables.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"

const requests = table<StoredRequest>("idempotency")
const membershipEvents = table<MembershipEvent>("membership_event")
const attempts = table<DeniedAttempt>("denied_attempt")

const isNotification = Schema.is(Schema.typeSchema(Notification))

const contains = (text: string, parts: ReadonlyArray<string>): boolean =>
  parts.some((part) => text.includes(part))

/** A text, or what is left of it. */
const leftOf = (value: string, { texts, left }: ErasedTexts): string =>
  texts.includes(value) ? left : value

const accountOf = (user: User, erased: ErasedTexts): User => ({
  ...user,
  login: erased.texts.includes(user.login) ? Login.make(erasedLogin(user.id)) : user.login,
  display_name: user.display_name === null ? null : leftOf(user.display_name, erased),
  email: user.email === null ? null : leftOf(user.email, erased)
})

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
            list.map((each) => ({
              ...each,
              reason: leftOf(each.reason, { texts, left }),
              created_by: leftOf(each.created_by, { texts, left })
            }))
        }),
      eraseCreator: (org, { number, ...erased }) =>
        Effect.all(
          [
            state.modify(subscriptions, (rows) => [
              undefined,
              HashMap.modify(rows, key(org, number), (row) => ({
                ...row,
                created_by: leftOf(row.created_by, erased)
              }))
            ]),
            state.modify(flowSubscriptions, (rows) => [
              undefined,
              HashMap.modify(rows, key(org, number), (row) => ({
                ...row,
                created_by: leftOf(row.created_by, erased)
              }))
            ])
          ],
          { discard: true }
        ),
      erasePerson: (org, { user, ...erased }) =>
        Effect.gen(function* () {
          yield* state.modify(membershipEvents, (rows) => [
            undefined,
            HashMap.map(rows, (row) =>
              row.org_id === org && row.user_id === user
                ? { ...row, user: leftOf(row.user, erased) }
                : row
            )
          ])
          const members = Array.from(HashMap.values(yield* state.read(memberships)))
          const events = Array.from(HashMap.values(yield* state.read(membershipEvents)))
          const isOf = (row: { readonly org_id: string; readonly user_id: string }) =>
            row.org_id === org && row.user_id === user
          if (members.some((row) => row.user_id === user && row.org_id !== org)) return
          if (!members.some(isOf) && !events.some(isOf)) return
          yield* state.modify(users, (rows) => [
            undefined,
            HashMap.fromIterable(
              Array.from(HashMap.values(rows), (row) => {
                const next = row.id === user ? accountOf(row, erased) : row
                return [next.login, next] as const
              })
            )
          ])
          yield* state.modify(attempts, (rows) => [
            undefined,
            HashMap.map(rows, (row) =>
              row.actor.id === user
                ? { ...row, actor: { ...row.actor, name: leftOf(row.actor.name, erased) } }
                : row
            )
          ])
        })
    })
  )
)
