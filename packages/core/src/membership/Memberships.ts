/**
 * Adds users to orgs, changes their roles, removes them, and reads that history.
 *
 * Only the server's administration commands and its first start change memberships; HTTP has no operation for
 * it.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import type { WriteContext } from "../access/internal/WriteContext.js"
import type { Role } from "../access/Role.js"
import type { JournalActor } from "../journal/JournalEntry.js"
import { Journals } from "../journal/Journals.js"
import type { Org } from "../org/Org.js"
import {
  type Login,
  MembershipEventId,
  type OrgId,
  type OrgName,
  UserId
} from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { Transaction } from "../shared/Transaction.js"
import * as Upsert from "../shared/Upsert.js"
import * as Membership from "./Membership.js"
import type { MembershipEventQuery } from "./MembershipEvent.js"
import { MembershipStore, type Slice } from "./MembershipStore.js"

/** The membership to change, and the actor. */
export interface ChangeMember {
  readonly org: Org
  readonly login: Login
  readonly by: JournalActor
}

/** The user to add, and the role. */
export interface AddMember extends ChangeMember {
  readonly role: Role
  readonly displayName: string | null
  readonly email: string | null
}

interface Change {
  readonly user: Membership.User
  readonly role: Role | null
  readonly previous: Role | null
}

const JOURNAL_KINDS = {
  added: "membership_added",
  changed: "membership_changed",
  removed: "membership_removed"
} as const

/** Every member of an org. */
const ALL: Slice = { offset: 0, limit: Number.MAX_SAFE_INTEGER }

/** Use cases of memberships. */
export class Memberships extends Effect.Service<Memberships>()("@attestry/core/Memberships", {
  effect: Effect.gen(function* () {
    const store = yield* MembershipStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const ids = yield* IdGenerator
    const epoch = yield* AccessEpoch

    /** Appends to the history and to the journal. INVARIANT: the membership is locked or new. */
    const record = (writer: WriteContext, { user, role, previous }: Change) =>
      Effect.gen(function* () {
        const id = MembershipEventId.make(yield* ids.next)
        yield* store.appendEvent({
          org_id: writer.org,
          id,
          user_id: user.id,
          user: Membership.displayName(user),
          changed_by: writer.actor.name,
          role,
          previous_role: previous,
          source: "script",
          created_at: writer.at
        })
        const kind = previous === null ? "added" : role === null ? "removed" : "changed"
        yield* journals.record({
          ...writer,
          kind: JOURNAL_KINDS[kind],
          subject: { type: "user", id: user.id },
          content: {
            user_id: user.id,
            login: user.login,
            role,
            previous_role: previous,
            source: "script",
            event_id: id,
            // WHY these names: the log can show and erase a member with a personal name by itself.
            user: { username: user.display_name, email: user.email, created_at: user.created_at }
          }
        })
      })

    const write = <A, E, R>(
      { org, by }: ChangeMember,
      work: (writer: WriteContext) => Effect.Effect<A, E, R>
    ) =>
      transaction
        .run(org.id, (scope) =>
          Effect.flatMap(scope.now, (now) => work({ org: org.id, actor: by, at: now }))
        )
        .pipe(Effect.zipLeft(epoch.advance))

    const ensureUser = (request: AddMember, writer: WriteContext) =>
      Effect.gen(function* () {
        const fresh: Membership.User = {
          id: UserId.make(yield* ids.next),
          login: request.login,
          display_name: request.displayName,
          email: request.email,
          created_at: writer.at
        }
        const [user] = yield* Upsert.getOrCreate(
          { find: store.findUser(request.login), insert: store.insertUser(fresh) },
          fresh
        )
        return user
      })

    /** Adds a user, existing or new, to an org; fails when the user is a member. */
    const add = Effect.fn("Memberships.add")((request: AddMember) =>
      write(request, (writer) =>
        Effect.gen(function* () {
          const { org, login, role } = request
          const user = yield* ensureUser(request, writer)
          const membership = {
            org_id: org.id,
            user_id: user.id,
            role,
            created_at: writer.at
          }
          if (!(yield* store.insert(membership))) {
            return yield* new Membership.AlreadyMember({ org: org.name, login })
          }
          yield* record(writer, { user, role, previous: null })
          return user
        })
      )
    )

    /** The locked member; fails when the change would leave the org without an admin. */
    const lockMember = ({ org, login }: ChangeMember, next: Role | null) =>
      Effect.gen(function* () {
        const notAMember = () => new Membership.NotAMember({ org: org.name, login })
        const user = yield* Effect.flatMap(store.findUser(login), Either.fromOption(notAMember))
        const admins = next === "admin" ? [] : yield* store.lockAdmins(org.id)
        const key = { org: org.id, user: user.id }
        const membership = yield* Effect.flatMap(store.lock(key), Either.fromOption(notAMember))
        const remaining = admins.filter((admin) => admin !== user.id)
        if (membership.role === "admin" && next !== "admin" && remaining.length === 0) {
          return yield* new Membership.LastAdmin({ org: org.name, login })
        }
        return { user, membership } as const
      })

    /** Changes the role of a member; the same role changes and records nothing. */
    const changeRole = Effect.fn("Memberships.changeRole")(
      (request: ChangeMember & { readonly role: Role }) =>
        write(request, (writer) =>
          Effect.gen(function* () {
            const { user, membership } = yield* lockMember(request, request.role)
            if (membership.role === request.role) return user
            yield* store.update({ ...membership, role: request.role })
            yield* record(writer, { user, role: request.role, previous: membership.role })
            return user
          })
        )
    )

    /** Removes a member; the user and the user's keys stay, without access to this org. */
    const remove = Effect.fn("Memberships.remove")((request: ChangeMember) =>
      write(request, (writer) =>
        Effect.gen(function* () {
          const { user, membership } = yield* lockMember(request, null)
          yield* store.remove({ org: request.org.id, user: user.id })
          yield* record(writer, { user, role: null, previous: membership.role })
        })
      )
    )

    /** The history of an org's memberships, for admins. */
    const history = Effect.fn("Memberships.history")(function* (
      org: OrgName,
      query: MembershipEventQuery,
      slice: Slice
    ) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "membership.read")
      return yield* store.listEvents(orgId, query, slice)
    })

    /** The members of an org in the order of joining, for administrators of the deployment. */
    const list = Effect.fn("Memberships.list")((org: OrgId) =>
      Effect.map(store.listMembers(org, ALL), ({ items }) => items)
    )

    /** A slice of the members of an org in the order of joining, for its admins. */
    const members = Effect.fn("Memberships.members")(function* (org: OrgName, slice: Slice) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "membership.read")
      return yield* store.listMembers(orgId, slice)
    })

    /** The user of a login with all orgs; none when there is none. */
    const findUser = Effect.fn("Memberships.findUser")(function* (login: Login) {
      const user = yield* store.findUser(login)
      return Option.isNone(user)
        ? Option.none()
        : Option.some({ user: user.value, orgs: yield* store.listOrgs(user.value.id) })
    })

    return { add, changeRole, remove, history, list, members, findUser } as const
  })
}) {}
