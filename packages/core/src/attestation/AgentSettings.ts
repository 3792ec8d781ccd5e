/** Reads and replaces the agent accounts of an org. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { Journals } from "../journal/Journals.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import type { OrgId, OrgName } from "../shared/Identifier.js"
import { Transaction } from "../shared/Transaction.js"
import { AgentAccountStore } from "./AgentAccountStore.js"
import * as AgentAccounts from "./AgentAccounts.js"

/** Use cases of agent accounts. */
export class AgentSettings extends Effect.Service<AgentSettings>()("@attestry/core/AgentSettings", {
  effect: Effect.gen(function* () {
    const store = yield* AgentAccountStore
    const transaction = yield* Transaction
    const journals = yield* Journals

    const accountsOf = (org: OrgId) =>
      Effect.map(
        store.find(org),
        Option.getOrElse(() => AgentAccounts.NONE)
      )

    /** The agent accounts of an org. */
    const get = Effect.fn("AgentSettings.get")(function* (org: OrgName) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      return yield* accountsOf(orgId)
    })

    /** Replaces the agent accounts of an org; they count for attestations that are recorded afterwards. */
    const put = Effect.fn("AgentSettings.put")(function* (
      org: OrgName,
      given: AgentAccounts.AgentAccounts
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "agent-account.write")
      const next = AgentAccounts.distinct(given)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          if (CanonicalJson.equals(yield* accountsOf(granted.orgId), next)) return next
          yield* store.put(granted.orgId, next)
          yield* journals.record({
            ...WriteContext.make(granted, now),
            kind: "agent_accounts_changed",
            subject: { type: "org", id: granted.orgId },
            content: { org_id: granted.orgId, ...next }
          })
          return next
        })
      )
    })

    return { get, put } as const
  })
}) {}
