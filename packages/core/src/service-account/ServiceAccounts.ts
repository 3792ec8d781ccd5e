/** Creates, reads, changes and deletes service accounts. SPEC §4.10 */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import type { Permission } from "../access/Permission.js"
import { type BaseRole, isAtLeast } from "../access/Role.js"
import { GrantRecords } from "../grant/internal/GrantRecords.js"
import { Journals } from "../journal/Journals.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import { setOutcomeOf } from "../shared/CurrentOutcome.js"
import { type OrgName, ServiceAccountId, type ServiceAccountName } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { type Locking, Transaction } from "../shared/Transaction.js"
import * as ServiceAccount from "./ServiceAccount.js"
import { ServiceAccountStore } from "./ServiceAccountStore.js"

const MANAGE: Permission = "service-account.manage"

/** Refuses a privilege above the caller's role, or one that the caller's key does not leave. */
const checkGift = ({ actor, org }: Access.Granted, privilege: BaseRole) =>
  Access.checkGift(actor, org, privilege)

/** Refuses a privilege above the caller's role; a key of the account can have a scope. */
const checkReach = (granted: Access.Granted, privilege: BaseRole) =>
  ServiceAccount.mayGrant(granted.role, privilege)
    ? Effect.void
    : new Access.AccessDenied({ org: granted.org, permission: MANAGE })

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

      /** Fails if an account may not get a privilege without other people. */
      const checkHeld = (
        writer: WriteContext.WriteContext,
        before: ServiceAccount.ServiceAccount | null,
        after: ServiceAccount.ServiceAccount
      ) =>
        held.check(writer, {
          kinds: ["access"],
          subject: { type: "service_account", name: after.name },
          at: { kind: "service-account", id: after.id },
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
      const manage = (org: OrgName) =>
        Effect.flatMap(CurrentActor, (actor) => Access.authorize(actor, org, MANAGE))

      const own = (granted: Access.Granted, account: ServiceAccount.ServiceAccount) =>
        ServiceAccount.isManagedBy(account, { id: granted.actor.id, role: granted.role })

      const look = (locking: Locking) => (granted: Access.Granted, name: ServiceAccountName) =>
        Effect.gen(function* () {
          const account = yield* Effect.flatMap(
            store.findByName({ org: granted.orgId, name }, locking),
            Either.fromOption(
              () => new ServiceAccount.ServiceAccountNotFound({ org: granted.org, name })
            )
          )
          return own(granted, account)
            ? account
            : yield* new Access.AccessDenied({ org: granted.org, permission: MANAGE })
        })
      const find = look({ lock: false })
      const lock = look({ lock: true })

      /** Creates an account with a privilege that does not exceed the caller's role. */
      const create = Effect.fn("ServiceAccounts.create")(function* (
        org: OrgName,
        draft: ServiceAccount.ServiceAccountDraft
      ) {
        const granted = yield* Access.authorize(yield* CurrentActor, org, "service-account.create")
        const privilege = draft.privilege ?? "reader"
        yield* checkGift(granted, privilege)
        return yield* transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
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
            yield* checkHeld(writer, null, account)
            yield* record(writer, "service_account_created", account)
            return account
          })
        )
      })

      /** Every account that the caller manages; an admin manages all. */
      const list = Effect.fn("ServiceAccounts.list")(function* (org: OrgName) {
        const granted = yield* manage(org)
        return (yield* store.list(granted.orgId)).filter((account) => own(granted, account))
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
              yield* checkHeld(writer, current, next)
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
            yield* store.remove(account)
            yield* grants.endAll(writer, { kind: "service-account", id: account.id })
            yield* record(writer, "service_account_deleted", account)
            yield* setOutcomeOf("service-account", account, "deleted")
          })
        )
        yield* epoch.advance
      })

      /**
       * The account of that name, for use cases of keys; fails when the caller does not manage it. With
       * `empower`, for a new key, the account is locked until the transaction ends, and its privilege must not
       * exceed the caller's role.
       */
      const reach = (
        granted: Access.Granted,
        name: ServiceAccountName,
        purpose: "look" | "empower"
      ) =>
        purpose === "look"
          ? find(granted, name)
          : Effect.tap(lock(granted, name), ({ privilege }) => checkReach(granted, privilege))

      return { create, list, get, update, remove, manage, reach } as const
    })
  }
) {}
