/** What credentials give in orgs, by base roles and grants, which are read at most once in 800 ms. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { GrantStore } from "../../grant/GrantStore.js"
import type { OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import { Transaction } from "../../shared/Transaction.js"
import * as Space from "../../space/Space.js"
import type { Actor, ActorMembership } from "../Actor.js"
import type { Standing } from "../Standing.js"
import { AccessEpoch } from "./AccessEpoch.js"
import * as CredentialCache from "./CredentialCache.js"

interface Subject {
  readonly org: OrgId
  readonly kind: Actor["kind"]
  readonly id: string
}

/** Makes the lookup. */
export const make = Effect.gen(function* () {
  const grants = yield* GrantStore
  const transaction = yield* Transaction
  const epoch = yield* AccessEpoch

  const findBindings = CredentialCache.makeKeyed(
    (subject: Subject) =>
      Effect.suspend(() => {
        const current = epoch.current()
        return transaction
          .run(subject.org, (scope) =>
            Effect.flatMap(scope.now, (now) => grants.listBindings(subject.org, subject, now))
          )
          .pipe(Effect.map((bindings) => Option.some({ bindings, epoch: current })))
      }),
    ({ id, kind, org }) => `${org} ${kind} ${id}`,
    { timeToLive: CredentialCache.LIFE, isCurrent: (found) => found.epoch === epoch.current() }
  )

  /** What a credential gives in an org that it belongs to: its base role at the root, and its grants. */
  return (
    actor: Actor,
    { org_id: org, role }: ActorMembership
  ): Effect.Effect<Standing, StoreError> =>
    Effect.map(findBindings({ org, kind: actor.kind, id: actor.id }), (found) => ({
      bindings: [
        ...(role === "none" ? [] : [{ role, space: Space.rootOf(org) }]),
        ...Option.match(found, { onNone: () => [], onSome: ({ bindings }) => bindings })
      ],
      scope: actor.scope
    }))
})
