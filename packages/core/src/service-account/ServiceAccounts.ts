/** Creates, reads, changes and deletes service accounts. SPEC §4.10 */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import type { Permission } from "../access/Permission.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { type BaseRole, isAtLeast } from "../access/Role.js"
import { GrantRecords } from "../grant/internal/GrantRecords.js"
import { Journals } from "../journal/Journals.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import { setOutcomeOf } from "../shared/CurrentOutcome.js"
import {
  type OrgName,
  ServiceAccountId,
  type ServiceAccountName,
  type SpaceId
} from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { type Locking, Transaction } from "../shared/Transaction.js"
import { PlaceRecords } from "../space/internal/PlaceRecords.js"
import { Placements } from "../space/Placements.js"
import * as AccountReach from "./internal/AccountReach.js"
import * as ServiceAccount from "./ServiceAccount.js"
import { ServiceAccountStore } from "./ServiceAccountStore.js"

const MANAGE: Permission = "service-account.manage"

const thingOf = ({ id, name }: ServiceAccount.ServiceAccount) =>
  ({ kind: "service-account", id, name }) as const

/** Refuses a privilege above the caller's role, or one that the caller's key does not leave. */
const checkGift = ({ actor, org }: Access.Granted, privilege: BaseRole) =>
  Access.checkGift(actor, org, privilege)

/** Use cases of service accounts. */
export class ServiceAccounts extends Effect.Service<ServiceAccounts>()(
  "@attestry/core/ServiceAccounts",
  {
    effect: Effect.gen(function* () {
      const store = yield* ServiceAccountStore
      const transaction = yield* Transaction
      const grants = yield* GrantRecords
      const journals = yield* Journals
      const ids = yield* IdGenerator
      const epoch = yield* AccessEpoch
      const held = yield* HeldChanges
      const reaches = yield* Reaches
      const placements = yield* Placements
      const places = yield* PlaceRecords
      const { checkGiven, checkManaged, keepManaged } = yield* AccountReach.make

      /** Fails if an account may not get a privilege without other people. */
      const checkHeld = (
        writer: WriteContext.WriteContext,
        {
          before,
          after,
          space
        }: {
          readonly before: ServiceAccount.ServiceAccount | null
          readonly after: ServiceAccount.ServiceAccount
          readonly space?: SpaceId
        }
      ) =>
        held.check(writer, {
          kinds: ["access"],
          subject: { type: "service_account", name: after.name },
          at: space ?? thingOf(after),
          before: before && { privilege: before.privilege },
          after: { privilege: after.privilege }
        })

      const record = (
        writer: WriteContext.WriteContext,
        kind: string,
        account: ServiceAccount.ServiceAccount
      ) =>
        journals.record({
          ...writer,
          kind,
          subject: { type: "service_account", id: account.id },
          content: account
        })

      /** The permission to manage accounts, for use cases of keys. */
      const manage = (org: OrgName) => reaches.authorize(org, MANAGE)

      const look = (locking: Locking) => (granted: GrantedWithin, name: ServiceAccountName) =>
        Effect.gen(function* () {
          const notFound = () =>
            new ServiceAccount.ServiceAccountNotFound({ org: granted.org, name })
          const account = yield* Effect.flatMap(
            store.findByName({ org: granted.orgId, name }, locking),
            Either.fromOption(notFound)
          )
          yield* checkManaged(granted, account, notFound)
          return account
        })
      const find = look({ lock: false })
      const lock = look({ lock: true })

      /** The space of a new account; a name that is taken where the caller may not write is 403. */
      const choosePlace = (
        granted: GrantedWithin,
        { name, space }: ServiceAccount.ServiceAccountDraft
      ) =>
        Effect.gen(function* () {
          const taken =
            granted.reach._tag === "Whole"
              ? Option.none()
              : yield* store.findByName({ org: granted.orgId, name })
          if (Option.isSome(taken)) yield* reaches.permitTaken(granted, thingOf(taken.value))
          return yield* placements.choose(granted, { kind: "service-account", name, space })
        })

      /** Creates an account with a privilege that does not exceed the caller's role. */
      const create = Effect.fn("ServiceAccounts.create")(function* (
        org: OrgName,
        draft: ServiceAccount.ServiceAccountDraft
      ) {
        const granted = yield* reaches.authorize(org, "service-account.create")
        const privilege = draft.privilege ?? "reader"
        yield* checkGift(granted, privilege)
        return yield* transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const space = yield* choosePlace(granted, draft)
            const account: ServiceAccount.ServiceAccount = {
              org_id: granted.orgId,
              id: ServiceAccountId.make(yield* ids.next),
              name: draft.name,
              privilege,
              description: draft.description ?? "",
              creating_user_id: granted.actor.id,
              created_at: now
            }
            if (!(yield* store.insert(account))) {
              return yield* new ServiceAccount.ServiceAccountExists({ org, name: draft.name })
            }
            const writer = WriteContext.make(granted, now)
            yield* checkHeld(writer, { before: null, after: account, space })
            yield* record(writer, "service_account_created", account)
            yield* placements.put(writer, thingOf(account), space)
            return account
          })
        )
      })

      /** Every account that the caller manages; an admin manages all. */
      const list = Effect.fn("ServiceAccounts.list")(function* (org: OrgName) {
        const granted = yield* manage(org)
        return yield* keepManaged(granted, yield* store.list(granted.orgId))
      })

      /** The account of that name; fails when the caller does not manage it. */
      const get = Effect.fn("ServiceAccounts.get")(function* (
        org: OrgName,
        name: ServiceAccountName
      ) {
        return yield* find(yield* manage(org), name)
      })

      /** Changes privilege or description; records nothing when nothing changes. */
      const update = Effect.fn("ServiceAccounts.update")(function* (
        org: OrgName,
        name: ServiceAccountName,
        patch: ServiceAccount.ServiceAccountPatch
      ) {
        const granted = yield* manage(org)
        const updated = yield* transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const current = yield* lock(granted, name)
            const next = ServiceAccount.revise(current, patch)
            if (next.privilege !== current.privilege) yield* checkGift(granted, next.privilege)
            if (ServiceAccount.sameContent(current, next)) return current
            const writer = WriteContext.make(granted, now)
            if (!isAtLeast(current.privilege, next.privilege))
              yield* checkHeld(writer, { before: current, after: next })
            yield* store.update(next)
            yield* record(writer, "service_account_updated", next)
            return next
          })
        )
        yield* epoch.advance
        return updated
      })

      /** Deletes the account and revokes its keys. A key without an owner opens nothing. */
      const remove = Effect.fn("ServiceAccounts.remove")(function* (
        org: OrgName,
        name: ServiceAccountName
      ) {
        const granted = yield* manage(org)
        yield* transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const account = yield* lock(granted, name)
            const writer = WriteContext.make(granted, now)
            // WHY before: what is told of a grant names the account.
            yield* grants.endAll(writer, { kind: "service-account", id: account.id })
            yield* store.remove(account)
            yield* places.end(writer, thingOf(account))
            yield* record(writer, "service_account_deleted", account)
            yield* setOutcomeOf("service-account", account, "deleted")
          })
        )
        yield* epoch.advance
      })

      /** The account of that name, for use cases of keys; fails when the caller does not manage it. */
      const reach = (granted: GrantedWithin, name: ServiceAccountName) => find(granted, name)

      /**
       * The account of that name, for a new key: it is locked until the transaction ends, and the caller has every role
       * of the account where the account has it.
       */
      const empower = (granted: GrantedWithin, name: ServiceAccountName, at: Timestamp) =>
        Effect.tap(lock(granted, name), (account) => checkGiven(granted, account, at))

      return { create, list, get, update, remove, manage, reach, empower } as const
    })
  }
) {}
