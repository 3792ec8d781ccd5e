/** Lists the keys that count in an org, for its admins: whose they are, what they leave, and whether they are used. */
import * as Effect from "effect/Effect"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import type { Permission } from "../access/Permission.js"
import type { OrgName } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { CredentialStore, type OrgKey } from "./CredentialStore.js"

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

    /** A page of the keys that work now, oldest first. */
    const list = Effect.fn("OrgKeys.list")(function* (
      org: OrgName,
      { unusedDays, endsWithinDays, isUnscoped }: KeyConditions,
      page: Page
    ) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, READ)
      return yield* transaction.run(orgId, (scope) =>
        Effect.flatMap(scope.now, (at) => {
          const inDays = (days: number) => Timestamp.plusSeconds(at, days * DAY_SECONDS)
          const filter = {
            at,
            ...(unusedDays === undefined ? {} : { unusedSince: inDays(-unusedDays) }),
            ...(endsWithinDays === undefined ? {} : { endsUntil: inDays(endsWithinDays) }),
            ...(isUnscoped === undefined ? {} : { isScoped: !isUnscoped })
          }
          return Effect.map(store.listOrgKeys(orgId, filter, page), ({ items, total }) => ({
            items: items.map((each) => shownIn(org, each)),
            total
          }))
        })
      )
    })

    return { list } as const
  })
}) {}
