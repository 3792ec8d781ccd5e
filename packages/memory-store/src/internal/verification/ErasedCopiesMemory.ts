/** Copies of recorded values, of `AuditStore` in memory: the rows of other adapters, by the names of their tables. */

import {
  type AllowedPeriodTexts,
  type AuditStore,
  COMMIT_MEMBERS,
  type CommitTexts,
  type ErasedTexts,
  erasedLogin,
  type NotificationTexts,
  type PersonTexts
} from "@attestry/core/AuditStore"
import type { DeniedAttempt } from "@attestry/core/DeniedAttempt"
import type { FlowView } from "@attestry/core/FlowView"
import type { StoredRequest } from "@attestry/core/IdempotentRequest"
import { EnvironmentId, Login, type OrgId } from "@attestry/core/Identifier"
import type { User } from "@attestry/core/Membership"
import type { MembershipEvent } from "@attestry/core/MembershipEvent"
import { Notification } from "@attestry/core/Notification"
import type { StoredTarget } from "@attestry/core/NotificationTarget"
import * as NotificationTarget from "@attestry/core/NotificationTarget"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { allowedPeriods, change } from "../history/HistoryTables.js"
import { memberships, users } from "../membership/MembershipStoreMemory.js"
import {
  configs,
  flowSubscriptions,
  type OutboxRow,
  outbox,
  subscriptions
} from "../notification/NotificationTables.js"
import { people } from "../scim/ScimStoreMemory.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"
import { type History, histories } from "../snapshot/SnapshotStoreMemory.js"

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

type CommitMember = (typeof COMMIT_MEMBERS)[number]

const isCommitMember = (name: string): name is CommitMember =>
  COMMIT_MEMBERS.some((each) => each === name)

/** Whether a view says one of the texts of a commit of the trail. */
const saysOf = (view: FlowView, trail: string, texts: ReadonlyArray<string>): boolean =>
  view.trail_id === trail &&
  COMMIT_MEMBERS.some((name) => texts.includes(view.git_commit_info?.[name] ?? ""))

/** A value whose flow views have no such text. */
const withoutCommits = (value: unknown, erased: CommitTexts): unknown => {
  if (Array.isArray(value)) return value.map((each: unknown) => withoutCommits(each, erased))
  if (!Predicate.isRecord(value)) return value
  const commit =
    value.trail_id === erased.trail && Predicate.isRecord(value.git_commit_info)
      ? value.git_commit_info
      : undefined
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "git_commit_info" && commit !== undefined
        ? Object.fromEntries(
            Object.entries(commit).map(([field, said]) => [
              field,
              isCommitMember(field) && typeof said === "string" ? leftOf(said, erased) : said
            ])
          )
        : withoutCommits(member, erased)
    ])
  )
}

/** Copies of recorded values, of `AuditStore` in memory. */
export const make: Effect.Effect<
  Pick<
    AuditStore["Type"],
    | "withholdAnswers"
    | "listDeliveries"
    | "putDelivery"
    | "eraseTexts"
    | "listCommits"
    | "eraseAddresses"
  >,
  never,
  MemoryState
> = Effect.map(MemoryState, (state) => {
  const eraseAllowedPeriods = (org: OrgId, { environment, texts, left }: AllowedPeriodTexts) =>
    change(state, allowedPeriods, {
      at: key(org, environment),
      next: (list) =>
        list.map((each) => ({
          ...each,
          reason: leftOf(each.reason, { texts, left }),
          created_by: leftOf(each.created_by, { texts, left })
        }))
    })

  const eraseCommits = (org: OrgId, erased: CommitTexts) =>
    state.modify(histories, (all) => [
      undefined,
      HashMap.map(all, (history, place) =>
        // WHY: the same history, but for texts in some views.
        place.startsWith(key(org, "")) ? (withoutCommits(history, erased) as History) : history
      )
    ])

  const eraseCreator = (org: OrgId, { number, ...erased }: NotificationTexts) =>
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
    )

  const erasePerson = (org: OrgId, { user, ...erased }: PersonTexts) =>
    Effect.gen(function* () {
      yield* state.modify(membershipEvents, (rows) => [
        undefined,
        HashMap.map(rows, (row) =>
          row.org_id === org && row.user_id === user
            ? { ...row, user: leftOf(row.user, erased) }
            : row
        )
      ])
      yield* state.modify(people, (rows) => [
        undefined,
        HashMap.map(rows, (row) =>
          row.org_id === org &&
          row.user_id === user &&
          contains(JSON.stringify([row.user_name, row.attributes]), erased.texts)
            ? { ...row, user_name: erasedLogin(user), attributes: {} }
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

  return {
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
    listCommits: (org, { trail, texts }) =>
      Effect.map(state.read(histories), (all) =>
        Array.from(all)
          .filter(([place]) => place.startsWith(key(org, "")))
          .flatMap(([place, history]) =>
            history.flatMap(({ draft, running }, at) =>
              running.some(
                (row) =>
                  history[at - 1]?.running.includes(row) !== true &&
                  row.flows.some((view) => saysOf(view, trail, texts))
              )
                ? [
                    {
                      environment: EnvironmentId.make(place.slice(key(org, "").length)),
                      index: draft.index
                    }
                  ]
                : []
            )
          )
      ),
    eraseAddresses: (org, { target: id, at, ...addresses }) =>
      Effect.gen(function* () {
        const leftIn = (targets: ReadonlyArray<StoredTarget>) =>
          targets.map((each) => {
            if (each.id !== id) return each
            const target = NotificationTarget.without(each.target, addresses)
            const disabled = NotificationTarget.hasAddress(target) ? null : at
            return { ...each, target, disabled_at: each.disabled_at ?? disabled }
          })
        const change = <A extends { readonly targets: ReadonlyArray<StoredTarget> }>(
          rows: HashMap.HashMap<string, A>
        ) =>
          HashMap.map(rows, (row, place) =>
            place.startsWith(key(org, "")) ? { ...row, targets: leftIn(row.targets) } : row
          )
        yield* state.modify(configs, (rows) => [undefined, change(rows)])
        yield* state.modify(subscriptions, (rows) => [undefined, change(rows)])
        yield* state.modify(flowSubscriptions, (rows) => [undefined, change(rows)])
        const isMeant = ({ delivery }: OutboxRow) =>
          delivery.org_id === org && (id === null || delivery.queue === id)
        yield* state.modify(outbox, (rows) => [
          undefined,
          HashMap.filter(
            HashMap.map(rows, (row) => {
              const target = NotificationTarget.without(row.delivery.target, addresses)
              return isMeant(row) ? { ...row, delivery: { ...row.delivery, target } } : row
            }),
            (row) => !isMeant(row) || NotificationTarget.hasAddress(row.delivery.target)
          )
        ])
      }),
    eraseTexts: (org, erased) =>
      "environment" in erased
        ? eraseAllowedPeriods(org, erased)
        : "trail" in erased
          ? eraseCommits(org, erased)
          : "number" in erased
            ? eraseCreator(org, erased)
            : erasePerson(org, erased)
  }
})
