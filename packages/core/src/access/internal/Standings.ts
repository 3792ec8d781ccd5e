/**
 * What credentials give in orgs, by base roles, grants and break-glass, which are read at most once in 800 ms. An
 * opening that was read counts no longer than its own time.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as BreakGlass from "../../break-glass/BreakGlass.js"
import { BreakGlassStore } from "../../break-glass/BreakGlassStore.js"
import { GrantStore } from "../../grant/GrantStore.js"
import type { OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import * as Timestamp from "../../shared/Timestamp.js"
import { Transaction } from "../../shared/Transaction.js"
import * as Space from "../../space/Space.js"
import type { Actor, ActorMembership } from "../Actor.js"
import { CredentialLife } from "../CredentialLife.js"
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
  const glasses = yield* BreakGlassStore
  const transaction = yield* Transaction
  const epoch = yield* AccessEpoch
  const timeToLive = yield* CredentialLife

  const openingOf = ({ id, kind, org }: Subject, now: Timestamp.Timestamp) =>
    kind === "user" ? glasses.findAt(org, id, now) : Effect.succeedNone

  const findBindings = CredentialCache.makeKeyed(
    (subject: Subject) =>
      Effect.suspend(() => {
        const current = epoch.current()
        return transaction
          .run(subject.org, (scope) =>
            Effect.gen(function* () {
              const now = yield* scope.now
              const bindings = yield* grants.listBindings(subject.org, subject, now)
              const opening = yield* openingOf(subject, now)
              return { bindings, opening, epoch: current }
            })
          )
          .pipe(Effect.map(Option.some))
      }),
    ({ id, kind, org }) => `${org} ${kind} ${id}`,
    { timeToLive, isCurrent: (found) => found.epoch === epoch.current() }
  )

  /** What a credential gives in an org that it belongs to: its base role at the root, its grants, and its opening. */
  return (
    actor: Actor,
    { org_id: org, role }: ActorMembership
  ): Effect.Effect<Standing, StoreError> =>
    Effect.gen(function* () {
      const base = role === "none" ? [] : [{ role, space: Space.rootOf(org) }]
      const found = yield* findBindings({ org, kind: actor.kind, id: actor.id })
      if (Option.isNone(found)) return { bindings: base, scope: actor.scope }
      const { bindings, opening } = found.value
      const now = Timestamp.fromMillis(yield* Clock.currentTimeMillis)
      const open = Option.filter(opening, (glass) => now < BreakGlass.overAt(glass))
      return {
        bindings: [...base, ...bindings, ...Option.toArray(Option.map(open, BreakGlass.bindingOf))],
        scope: actor.scope
      }
    })
})
