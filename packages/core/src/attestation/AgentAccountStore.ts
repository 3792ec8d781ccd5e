/** Port: the accounts of agents that orgs have named. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { AgentAccounts } from "./AgentAccounts.js"

/** Port: the agent accounts of orgs. */
export class AgentAccountStore extends Context.Tag("@attestry/core/AgentAccountStore")<
  AgentAccountStore,
  {
    /** The accounts of an org; none when none were set. */
    readonly find: (org: OrgId) => Effect.Effect<Option.Option<AgentAccounts>, StoreError>
    /** Replaces the accounts of an org. */
    readonly put: (org: OrgId, accounts: AgentAccounts) => Effect.Effect<void, StoreError>
  }
>() {}
