/** Adds the agent accounts of an org to reports of pull requests that they are in. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { OrgId } from "../../shared/Identifier.js"
import { AgentAccountStore } from "../AgentAccountStore.js"
import * as AgentAccounts from "../AgentAccounts.js"
import type { AttestationReport } from "../AttestationReport.js"

/** A function on reports: one of pull requests with the accounts that are in it, and every other one as it is. */
export const make = Effect.map(
  AgentAccountStore,
  (store) => (org: OrgId, given: AttestationReport) =>
    given.type !== "pull_request" || given.isOverride
      ? Effect.succeed(given)
      : Effect.map(
          store.find(org),
          Option.match({
            onNone: () => given,
            onSome: (known) => ({ ...given, body: AgentAccounts.recordedIn(given.body, known) })
          })
        )
)
