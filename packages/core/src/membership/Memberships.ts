/**
 * Adds users to orgs, changes their roles, suspends and removes them, and reads that history.
 *
 * The caller decides who may do so: administration commands, `OrgMembers` for admins of an org, and invitations.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import type { WriteContext } from "../access/internal/WriteContext.js"
import type { BaseRole } from "../access/Role.js"
import { GrantRecords } from "../grant/internal/GrantRecords.js"
import type { JournalActor } from "../journal/JournalEntry.js"
import { Journals } from "../journal/Journals.js"
import type { Org } from "../org/Org.js"
import { ScimStore } from "../scim/ScimStore.js"
import type { Login } from "../shared/Identifier.js"
import { Transaction } from "../shared/Transaction.js"
import { TeamRecords } from "../team/internal/TeamRecords.js"
import * as MemberLock from "./internal/MemberLock.js"
import * as MembershipReads from "./internal/MembershipReads.js"
import * as MembershipRecord from "./internal/MembershipRecord.js"
import * as NewUsers from "./internal/NewUsers.js"
import * as Membership from "./Membership.js"
import type { MembershipSource } from "./MembershipEvent.js"
import { MembershipStore } from "./MembershipStore.js"

/** The org, the actor and the origin of a change. */
export interface ChangeMembership {
  readonly org: Pick<Org, "id" | "name">
  readonly by: JournalActor
  readonly source: MembershipSource
}

/** The membership to change, and the actor. */
export interface ChangeMember extends ChangeMembership {
  readonly login: Login
}

/** The user to add, and the role. */
export interface AddMember extends ChangeMember {
  readonly role: BaseRole
  readonly displayName: string | null
  readonly email: string | null
}

/** An existing user to add, and the role. */
export interface JoinMember extends ChangeMembership {
  readonly user: Membership.User
  readonly role: BaseRole
}

/** Runs a change in a transaction, and ends cached credentials after its commit. */
const makeWrite = Effect.gen(function* () {
  const transaction = yield* Transaction
  const epoch = yield* AccessEpoch
  return <A, E, R>(
    { org, by }: Pick<ChangeMembership, "org" | "by">,
    work: (writer: WriteContext) => Effect.Effect<A, E, R>
  ) =>
    transaction
      .run(org.id, (scope) =>
        Effect.flatMap(scope.now, (now) => work({ org: org.id, actor: by, at: now }))
      )
      .pipe(Effect.zipLeft(epoch.advance))
})

/** Joining, in the transaction of a write. */
const makeJoining = Effect.gen(function* () {
  const [store, homes] = [yield* MembershipStore, yield* ScimStore]
  const record = yield* MembershipRecord.make

  /**
   * Adds a user whom the transaction has made for the org. INVARIANT: called in that transaction. No credential of
   * the user is cached anywhere, so that none has to end.
   */
  const joinNew = ({ org, role, source, user }: JoinMember, writer: WriteContext) =>
    Effect.gen(function* () {
      const membership = { org_id: org.id, user_id: user.id, role, created_at: writer.at }
      if (!(yield* store.insert(membership))) {
        return yield* new Membership.AlreadyMember({ org: org.name, login: user.login })
      }
      yield* record(writer, { user, source, role, previous_role: null, suspended: false })
      return user
    })

  /** Adds an existing user, unless it belongs to another org alone. */
  const insert = (request: JoinMember, writer: WriteContext) =>
    Effect.gen(function* () {
      const { org, user } = request
      const home = yield* homes.findHome(user.id)
      if (Option.isSome(home) && home.value !== org.id)
        return yield* new Membership.UserNotFound({ login: user.login })
      return yield* joinNew(request, writer)
    })

  return { insert, joinNew } as const
})

/** Use cases of memberships. */
export class Memberships extends Effect.Service<Memberships>()("@attestry/core/Memberships", {
  effect: Effect.gen(function* () {
    const store = yield* MembershipStore
    const journals = yield* Journals
    const teams = yield* TeamRecords
    const grants = yield* GrantRecords
    const record = yield* MembershipRecord.make
    const { insert, joinNew } = yield* makeJoining
    const lockMember = yield* MemberLock.make
    const { ensureUser, createUser, createNumbered } = yield* NewUsers.make

    const write = yield* makeWrite

    /** Adds an existing user to an org; fails when the user is a member, or belongs to another org alone. */
    const join = Effect.fn("Memberships.join")((request: JoinMember) =>
      write(request, (writer) => insert(request, writer))
    )

    /** Adds a user, existing or new, to an org; fails when the user is a member. */
    const add = Effect.fn("Memberships.add")((request: AddMember) =>
      write(request, (writer) =>
        Effect.gen(function* () {
          const { login, displayName: display_name, email } = request
          const user = yield* ensureUser({ login, display_name, email }, writer)
          return yield* insert({ ...request, user }, writer)
        })
      )
    )

    /** Changes the role of a member; the same role changes and records nothing. */
    const changeRole = Effect.fn("Memberships.changeRole")(
      (request: ChangeMember & { readonly role: BaseRole }) =>
        write(request, (writer) =>
          Effect.gen(function* () {
            const { role, source } = request
            const { user, membership } = yield* lockMember(request, {
              keepsAdmin: role === "admin"
            })
            if (membership.role === role) return user
            yield* store.update({ ...membership, role })
            const suspended = membership.suspended_at !== null
            const previous_role = membership.role
            yield* record(writer, { user, source, role, previous_role, suspended })
            return user
          })
        )
    )

    /** Suspends or restores a member; one that is so already changes and records nothing. */
    const setSuspended = (request: ChangeMember, suspended: boolean) =>
      write(request, (writer) =>
        Effect.gen(function* () {
          const { user, membership } = yield* lockMember(request, { keepsAdmin: !suspended })
          if ((membership.suspended_at !== null) === suspended) return user
          yield* store.update({ ...membership, suspended_at: suspended ? writer.at : null })
          const { role } = membership
          const { source } = request
          yield* record(writer, { user, source, role, previous_role: role, suspended })
          return user
        })
      )

    /** Suspends a member: the membership keeps its role, and gives no permission until it is restored. */
    const suspend = Effect.fn("Memberships.suspend")((request: ChangeMember) =>
      setSuspended(request, true)
    )

    /** Ends the suspension of a member. */
    const restore = Effect.fn("Memberships.restore")((request: ChangeMember) =>
      setSuspended(request, false)
    )

    /** Ends the browser sessions of a member in this org: sessions that were opened until now give nothing in it. */
    const endSessions = Effect.fn("Memberships.endSessions")((request: ChangeMember) =>
      write(request, (writer) =>
        Effect.gen(function* () {
          const { user, membership } = yield* lockMember(request, { keepsAdmin: true })
          yield* store.update({ ...membership, sessions_after: writer.at })
          yield* journals.record({
            ...writer,
            kind: "membership_signed_out",
            subject: { type: "user", id: user.id },
            content: { user_id: user.id, login: user.login, source: request.source }
          })
          return user
        })
      )
    )

    /** Removes a member, also from all teams, and ends the grants; the user and the user's keys stay. */
    const remove = Effect.fn("Memberships.remove")((request: ChangeMember) =>
      write(request, (writer) =>
        Effect.gen(function* () {
          const { source } = request
          const { user, membership } = yield* lockMember(request, { keepsAdmin: false })
          yield* teams.leaveAll(writer, { user_id: user.id, login: user.login })
          yield* grants.endAll(writer, { kind: "user", id: user.id })
          yield* store.remove({ org: request.org.id, user: user.id })
          const previous_role = membership.role
          yield* record(writer, { user, source, role: null, previous_role, suspended: false })
          return user
        })
      )
    )

    return {
      add,
      join,
      joinNew,
      createUser,
      createNumbered,
      changeRole,
      suspend,
      restore,
      endSessions,
      remove,
      ...(yield* MembershipReads.make)
    } as const
  })
}) {}
