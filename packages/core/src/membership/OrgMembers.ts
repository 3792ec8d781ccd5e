/** Lets the admins of an org add existing users, change roles, suspend, restore, sign out and remove members. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { type BaseRole, isAtLeast } from "../access/Role.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import type { Login, OrgName } from "../shared/Identifier.js"
import { Transaction } from "../shared/Transaction.js"
import type { WriteOutcome } from "../shared/WriteOutcome.js"
import * as Membership from "./Membership.js"
import { MembershipStore } from "./MembershipStore.js"
import { type ChangeMember, Memberships } from "./Memberships.js"

/** A member of an org. */
export interface MemberPath {
  readonly org: OrgName
  readonly login: Login
}

/** Use cases of admins: the members of their org. A member of another org is told nothing (`NotAMember`). */
export class OrgMembers extends Effect.Service<OrgMembers>()("@attestry/core/OrgMembers", {
  effect: Effect.gen(function* () {
    const memberships = yield* Memberships
    const store = yield* MembershipStore
    const transaction = yield* Transaction
    const epoch = yield* AccessEpoch
    const held = yield* HeldChanges

    /** The change of a member by the caller. */
    const changeOf = ({ org, login }: MemberPath, role?: BaseRole) =>
      Effect.gen(function* () {
        const granted = yield* Access.authorize(yield* CurrentActor, org, "membership.write")
        if (role !== undefined) yield* Access.checkGift(granted.actor, org, role)
        return {
          org: { id: granted.orgId, name: org },
          login,
          by: WriteContext.actorOf(granted.actor),
          source: "app"
        } as const satisfies ChangeMember
      })

    const tell = ({ id, login }: Membership.User, result: WriteOutcome["result"]) =>
      CurrentOutcome.setOutcome({ type: "user", id, name: login, result })

    const find = (login: Login) =>
      Effect.flatMap(
        store.findUser(login),
        Either.fromOption(() => new Membership.UserNotFound({ login }))
      )

    /** The membership as it is shown; a concurrent removal fails. */
    const shown = ({ org, login }: ChangeMember, { id, display_name }: Membership.User) =>
      Effect.map(
        Effect.flatMap(
          store.find({ org: org.id, user: id }),
          Either.fromOption(() => new Membership.NotAMember({ org: org.name, login }))
        ),
        (membership): Membership.Member => ({ ...membership, login, display_name })
      )

    /** Fails if a member may not get a role without other people. */
    const checkHeld = (
      { by, login, org }: ChangeMember,
      before: BaseRole | "suspended" | null,
      after: BaseRole
    ) =>
      transaction.run(org.id, (scope) =>
        Effect.flatMap(scope.now, (at) =>
          held.check(
            { org: org.id, actor: by, at },
            {
              kinds: ["access"],
              subject: { type: "membership", name: login },
              before: before && { role: before },
              after: { role: after }
            }
          )
        )
      )

    /** Runs a change of members; what others have cached of their rights is read again after the commit. */
    const write = <A, E, R>({ org }: ChangeMember, work: Effect.Effect<A, E, R>) =>
      transaction.run(org.id, () => work).pipe(Effect.zipLeft(epoch.advance))

    /** Adds an existing user, or changes the role of a member; fails for a login that no user has. */
    const put = Effect.fn("OrgMembers.put")(function* (path: MemberPath, role: BaseRole) {
      const change = yield* changeOf(path, role)
      const user = yield* find(path.login)
      const work = Effect.gen(function* () {
        // WHY first: a change that can take an admin locks the admins before the member.
        if (role !== "admin") yield* store.lockAdmins(change.org.id)
        const found = yield* store.lock({ org: change.org.id, user: user.id })
        const before = Option.getOrNull(Option.map(found, (membership) => membership.role))
        if (before === null || !isAtLeast(before, role)) yield* checkHeld(change, before, role)
        if (before === null) yield* memberships.join({ ...change, user, role })
        else yield* memberships.changeRole({ ...change, role })
        return before === null
      })
      const isNew = yield* write(change, work)
      yield* tell(user, isNew ? "created" : "updated")
      return { isNew, member: yield* shown(change, user) } as const
    })

    const changing = <E, R>(
      path: MemberPath,
      apply: (change: ChangeMember) => Effect.Effect<Membership.User, E, R>
    ) =>
      Effect.gen(function* () {
        const change = yield* changeOf(path)
        const user = yield* apply(change)
        yield* tell(user, "updated")
        return yield* shown(change, user)
      })

    /** Suspends a member, or finds it so. */
    const suspend = Effect.fn("OrgMembers.suspend")((path: MemberPath) =>
      changing(path, memberships.suspend)
    )

    /** Refuses to give back a role that the caller's key does not leave. */
    const checkRestored = ({ org, login }: ChangeMember) =>
      Effect.gen(function* () {
        const actor = yield* CurrentActor
        const user = actor.scope === undefined ? Option.none() : yield* store.findUser(login)
        if (Option.isNone(user)) return
        const membership = yield* store.find({ org: org.id, user: user.value.id })
        if (Option.isSome(membership))
          yield* Access.checkGift(actor, org.name, membership.value.role)
      })

    /** Ends the suspension of a member, or finds none. */
    const restore = Effect.fn("OrgMembers.restore")((path: MemberPath) =>
      changing(path, (change) =>
        write(
          change,
          Effect.gen(function* () {
            const user = yield* store.findUser(change.login)
            const found = Option.isNone(user)
              ? Option.none()
              : yield* store.lock({ org: change.org.id, user: user.value.id })
            yield* checkRestored(change)
            if (Option.isSome(found) && found.value.suspended_at !== null)
              yield* checkHeld(change, "suspended", found.value.role)
            return yield* memberships.restore(change)
          })
        )
      )
    )

    /** Ends the browser sessions of a member in this org. */
    const signOut = Effect.fn("OrgMembers.signOut")((path: MemberPath) =>
      changing(path, memberships.endSessions)
    )

    /** Removes a member. */
    const remove = Effect.fn("OrgMembers.remove")(function* (path: MemberPath) {
      yield* tell(yield* memberships.remove(yield* changeOf(path)), "deleted")
    })

    return { put, suspend, restore, signOut, remove } as const
  })
}) {}
