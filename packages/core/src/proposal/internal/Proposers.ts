/** Who stands behind a proposal, and who may approve one, as the stores have them now. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Actor, ActorMembership } from "../../access/Actor.js"
import { lowest } from "../../access/Permission.js"
import { type BaseRole, isAtLeast } from "../../access/Role.js"
import { GrantStore } from "../../grant/GrantStore.js"
import { JournalStore } from "../../journal/JournalStore.js"
import { displayName } from "../../membership/Membership.js"
import { ServiceAccountStore } from "../../service-account/ServiceAccountStore.js"
import { type OrgId, type OrgName, UserId } from "../../shared/Identifier.js"
import { Transaction } from "../../shared/Transaction.js"
import { SignInStore } from "../../sign-in/SignInStore.js"
import { rootOf } from "../../space/Space.js"
import { TeamStore } from "../../team/TeamStore.js"
import type { Approver, Proposer } from "../Proposal.js"

/** An org by its id and name. */
export interface OrgRef {
  readonly id: OrgId
  readonly name: OrgName
}

/** The reads of the people of proposals. */
export const make = Effect.gen(function* () {
  const people = yield* SignInStore
  const accounts = yield* ServiceAccountStore
  const teams = yield* TeamStore
  const journal = yield* JournalStore
  const grants = yield* GrantStore
  const transaction = yield* Transaction

  const membershipOf = (user: string, org: OrgId) =>
    Effect.map(people.findPerson(UserId.make(user)), (found) =>
      Option.flatMap(found, ({ memberships, user }) =>
        Option.map(
          Option.fromNullable(memberships.find(({ org_id }) => org_id === org)),
          (membership) => ({ membership, user })
        )
      )
    )

  const accountOf = (id: string, org: OrgId) =>
    Effect.map(accounts.list(org), (all) =>
      Option.fromNullable(all.find((account) => account.id === id))
    )

  const actor = (
    { credential, id, kind }: Proposer,
    name: string,
    membership: ActorMembership
  ): Actor => ({ kind, id, name, key_id: credential, memberships: [membership] })

  /** The proposer with its rights of now; none for one who has left the org. */
  const proposer = (made: Proposer, org: OrgRef) =>
    made.kind === "user"
      ? Effect.map(
          membershipOf(made.id, org.id),
          Option.map(({ membership, user }) => actor(made, displayName(user), membership))
        )
      : Effect.map(
          accountOf(made.id, org.id),
          Option.map(({ name, privilege }) =>
            actor(made, name, { org_id: org.id, org: org.name, role: privilege })
          )
        )

  /** The people who made an account; none for the id of a user. */
  const makersOf = (id: string, org: OrgId) =>
    Effect.map(accountOf(id, org), (account) =>
      Option.toArray(Option.map(account, ({ creating_user_id }) => creating_user_id))
    )

  /** The people behind a proposing account: who made it, and who issued the key that it used. */
  const barred = (caller: Actor, org: OrgId) =>
    Effect.gen(function* () {
      if (caller.kind === "user") return []
      const made = yield* makersOf(caller.id, org)
      const entries = yield* journal.listBySubject(org, { type: "api_key", id: caller.key_id })
      return [...new Set([...made, ...entries.map((entry) => entry.actor.id)])]
    })

  /** The spaces in which a base role and the grants of a member have `proposal.approve` now. */
  const adminSpaces = (user: string, role: BaseRole, org: OrgId) =>
    transaction.run(org, (scope) =>
      Effect.gen(function* () {
        const given = yield* grants.listBindings(org, { kind: "user", id: user }, yield* scope.now)
        const isAdmin = (each: BaseRole) => isAtLeast(each, lowest("proposal.approve"))
        return new Set([
          ...(isAdmin(role) ? [rootOf(org)] : []),
          ...given.flatMap((each) => (isAdmin(each.role) ? [each.space] : []))
        ])
      })
    )

  /** A person as an approver, by roles and teams of now; none for one who is no member. */
  const approver = (user: string, org: OrgRef) =>
    Effect.gen(function* () {
      const found = yield* membershipOf(user, org.id)
      if (Option.isNone(found)) return Option.none<Approver>()
      const times = yield* teams.listOpen(org.id, { user: UserId.make(user) })
      const names = yield* Effect.forEach(times, ({ team_id }) =>
        Effect.map(
          teams.find({ org: org.id, id: team_id }),
          Option.map(({ name }) => name)
        )
      )
      const { membership } = found.value
      return Option.some<Approver>({
        kind: "user",
        id: user,
        spaces: yield* adminSpaces(user, membership.role, org.id),
        teams: new Set(names.flatMap((name) => Option.toArray(name)))
      })
    })

  return { proposer, barred, makersOf, approver } as const
})
