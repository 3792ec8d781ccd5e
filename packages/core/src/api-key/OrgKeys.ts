/**
 * Lists the keys that count in an org, for its admins: whose they are, what they leave, and whether they are used.
 * Admins of a space see those of the accounts in it.
 */
import * as Effect from "effect/Effect"
import type { Permission } from "../access/Permission.js"
import { Reaches } from "../access/Reaches.js"
import { type OrgName, ServiceAccountId } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { CredentialStore, type OrgKey } from "./CredentialStore.js"
import * as ScopePlaces from "./internal/ScopePlaces.js"

const READ: Permission = "api-key.read"

const DAY_SECONDS = 86_400

/** Which keys are listed; an absent condition selects all. */
export interface KeyConditions {
  /** Keys that were not used in the last so many days; a key that was never used counts from its creation. */
  readonly unusedDays: number | undefined
  /** Keys that end within so many days. */
  readonly endsWithinDays: number | undefined
  /** Keys without a scope, or keys with one. */
  readonly isUnscoped: boolean | undefined
}

/** The key as an org sees it: without the other orgs in which it counts. */
const shownIn = (org: OrgName, { key, ownerName }: OrgKey): OrgKey =>
  key.scope?.orgs === undefined
    ? { key, ownerName }
    : { key: { ...key, scope: { ...key.scope, orgs: [org] } }, ownerName }

/** Use case: the keys that count in an org. */
export class OrgKeys extends Effect.Service<OrgKeys>()("@attestry/core/OrgKeys", {
  effect: Effect.gen(function* () {
    const store = yield* CredentialStore
    const transaction = yield* Transaction
    const reaches = yield* Reaches
    const { named } = yield* ScopePlaces.make

    /** A page of the keys that work now, oldest first. */
    const list = Effect.fn("OrgKeys.list")(function* (
      org: OrgName,
      { unusedDays, endsWithinDays, isUnscoped }: KeyConditions,
      page: Page
    ) {
      const { orgId, reach } = yield* reaches.authorize(org, READ)
      const within = { orgId, readable: reach }
      const accounts = yield* reaches.readableThings(within, "service-account")
      return yield* transaction.run(orgId, (scope) =>
        Effect.flatMap(scope.now, (at) => {
          const inDays = (days: number) => Timestamp.plusSeconds(at, days * DAY_SECONDS)
          const filter = {
            at,
            ...(accounts === undefined
              ? {}
              : { accounts: accounts.map((id) => ServiceAccountId.make(id)) }),
            ...(unusedDays === undefined ? {} : { unusedSince: inDays(-unusedDays) }),
            ...(endsWithinDays === undefined ? {} : { endsUntil: inDays(endsWithinDays) }),
            ...(isUnscoped === undefined ? {} : { isScoped: !isUnscoped })
          }
          return Effect.gen(function* () {
            const { items, total } = yield* store.listOrgKeys(orgId, filter, page)
            const keys = yield* named(
              orgId,
              items.map(({ key }) => key)
            )
            return {
              items: items.map(({ key, ownerName }, index) =>
                shownIn(org, { key: keys[index] ?? key, ownerName })
              ),
              total
            }
          })
        })
      )
    })

    return { list } as const
  })
}) {}
