/**
 * What a team reads: what its grants and those of everyone give at that moment.
 *
 * The base roles of its people do not count: what one of them reads is not for all of them.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Reach from "../access/Reach.js"
import * as Grant from "../grant/Grant.js"
import { GrantStore } from "../grant/GrantStore.js"
import type { OrgId, TeamId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import { Transaction } from "../shared/Transaction.js"
import { OrgSpaces } from "../space/internal/OrgSpaces.js"
import { TeamStore } from "../team/TeamStore.js"

/** What teams read. */
export class TeamReach extends Effect.Service<TeamReach>()("@attestry/core/TeamReach", {
  effect: Effect.gen(function* () {
    const teams = yield* TeamStore
    const grants = yield* GrantStore
    const spaces = yield* OrgSpaces
    const transaction = yield* Transaction

    /** The spaces that a team reads; none for a team that was deleted. */
    const readable = (org: OrgId, team: TeamId): Effect.Effect<Reach.Reach, StoreError> =>
      transaction.run(org, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          if (Option.isNone(yield* teams.find({ org, id: team }))) return Reach.nothing
          const own = yield* grants.listOpen(org, { kind: "team", id: team })
          const common = yield* grants.listOpen(org, { kind: "everyone", id: "" })
          const bindings = [...own, ...common]
            .filter((grant) => !grant.eligible && Grant.holds(grant, now))
            .map(({ role, space_id: space }) => ({ role, space }))
          return Reach.of({ bindings, scope: undefined }, "org.read", yield* spaces.of(org))
        })
      )

    return { readable } as const
  })
}) {}
