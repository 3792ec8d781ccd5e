/** The org of a command that names none. */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { Journals } from "../journal/Journals.js"
import { setOutcomeOf } from "../shared/CurrentOutcome.js"
import { type OrgName, UserId } from "../shared/Identifier.js"
import { Transaction } from "../shared/Transaction.js"
import { MembershipStore } from "./MembershipStore.js"

/** Use cases of default orgs. */
export class DefaultOrgs extends Effect.Service<DefaultOrgs>()("@attestry/core/DefaultOrgs", {
  effect: Effect.gen(function* () {
    const store = yield* MembershipStore
    const transaction = yield* Transaction
    const journals = yield* Journals

    /**
     * The caller's default org: the choice of a user who is still a member; the org of a service account;
     * otherwise none.
     */
    const get = Effect.fn("DefaultOrgs.get")(function* () {
      const { kind, id, memberships } = yield* CurrentActor
      if (kind === "service-account") return Option.fromNullable(memberships[0]?.org)
      const chosen = Option.getOrUndefined(yield* store.findDefaultOrg(UserId.make(id)))
      return Option.fromNullable(memberships.find(({ org_id }) => org_id === chosen)?.org)
    })

    /** Sets the default org of a member; a service account can set only its own org. */
    const set = Effect.fn("DefaultOrgs.set")(function* (org: OrgName) {
      const actor = yield* CurrentActor
      const granted = yield* Access.authorizeMember(actor, org)
      if (actor.kind === "service-account") {
        return yield* setOutcomeOf("service-account", actor, "unchanged")
      }
      const user = UserId.make(actor.id)
      yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const isSet = yield* store.setDefaultOrg(user, granted.orgId)
          yield* setOutcomeOf("user", actor, isSet ? "updated" : "unchanged")
          if (!isSet) return
          yield* journals.record({
            ...WriteContext.make(granted, now),
            kind: "default_org_set",
            subject: { type: "user", id: user },
            content: { user_id: user, org }
          })
        })
      )
    })

    return { get, set } as const
  })
}) {}
