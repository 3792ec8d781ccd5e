/**
 * Makes, reads, changes and deletes teams, and moves people into them and out of them. SPEC §4.24
 *
 * Admins see every team, other members, with whichever base role, those that they are in. Teams that SCIM or a claim
 * keeps are changed there alone.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { leaves } from "../access/KeyScope.js"
import type { Permission } from "../access/Permission.js"
import { Reaches } from "../access/Reaches.js"
import { NotAMember } from "../membership/Membership.js"
import { MembershipStore } from "../membership/MembershipStore.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import { setOutcomeOf } from "../shared/CurrentOutcome.js"
import { type Login, type OrgName, type TeamName, UserId } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import { Transaction } from "../shared/Transaction.js"
import * as Upsert from "../shared/Upsert.js"
import { TeamRecords } from "./internal/TeamRecords.js"
import * as Team from "./Team.js"
import { type CountedTeam, TeamStore } from "./TeamStore.js"

const WRITE: Permission = "team.write"

/** A team, by the names in a path. */
export interface TeamPath {
  readonly org: OrgName
  readonly team: TeamName
}

/** A person in a team, by the names in a path. */
export interface TeamMemberPath extends TeamPath {
  readonly login: Login
}

/** Use cases of teams. */
export class Teams extends Effect.Service<Teams>()("@attestry/core/Teams", {
  effect: Effect.gen(function* () {
    const store = yield* TeamStore
    const members = yield* MembershipStore
    const records = yield* TeamRecords
    const transaction = yield* Transaction
    const held = yield* HeldChanges
    const epoch = yield* AccessEpoch
    const reaches = yield* Reaches

    /** Fails if a team may not be made, or may not get a member, without other people. */
    const checkHeld = (
      writer: WriteContext.WriteContext,
      name: string,
      after: { readonly member?: Login; readonly description?: string }
    ) =>
      held.check(writer, {
        kinds: ["access"],
        subject: { type: "team", name },
        before: null,
        after
      })

    const write = <A, E, R>(
      org: OrgName,
      work: (writer: WriteContext.WriteContext) => Effect.Effect<A, E, R>
    ) =>
      Effect.gen(function* () {
        const granted = yield* Access.authorize(yield* CurrentActor, org, WRITE)
        return yield* transaction.run(granted.orgId, (scope) =>
          Effect.flatMap(scope.now, (now) => work(WriteContext.make(granted, now)))
        )
      }).pipe(Effect.zipLeft(epoch.advance))

    const notFound = ({ org, team }: TeamPath) => new Team.TeamNotFound({ org, team })

    /** The caller as a reader of teams: the org, and the user whose teams alone are shown. */
    const reader = (org: OrgName) =>
      Effect.gen(function* () {
        const actor = yield* reaches.atRoot(yield* CurrentActor, org)
        const { orgId } = yield* Access.authorizeMember(actor, org)
        if (!leaves(actor.scope, "org.read"))
          return yield* new Access.AccessDenied({ org, permission: "org.read" })
        const isWhole = Access.isAllowed(actor, org, WRITE)
        return {
          orgId,
          // WHY also accounts: the id of an account is that of no user, so it is in no team.
          which: isWhole ? {} : { user: UserId.make(actor.id) }
        }
      })

    /** One page of the teams that the caller sees, by name. */
    const list = Effect.fn("Teams.list")(function* (org: OrgName, page: Page) {
      const { orgId, which } = yield* reader(org)
      return yield* store.list(orgId, which, page)
    })

    const visible = (path: TeamPath) =>
      Effect.gen(function* () {
        const { orgId, which } = yield* reader(path.org)
        const team = yield* Effect.flatMap(
          store.find({ org: orgId, name: path.team }),
          Either.fromOption(() => notFound(path))
        )
        if (which.user === undefined) return team
        const own = yield* store.listLast({ org: orgId, id: team.id }, [which.user])
        return own.some(({ to_at }) => to_at === null) ? team : yield* notFound(path)
      })

    /** A team that the caller sees. */
    const get = Effect.fn("Teams.get")(function* (path: TeamPath) {
      const team = yield* visible(path)
      const members = yield* store.countMembers({ org: team.org_id, id: team.id })
      const counted: CountedTeam = { ...team, members }
      return counted
    })

    /** One page of the people in a team that the caller sees, in the order of coming. */
    const listMembers = Effect.fn("Teams.listMembers")(function* (path: TeamPath, page: Page) {
      const { id, org_id: org } = yield* visible(path)
      return yield* store.listMembers({ org, id }, page)
    })

    /** The locked team, if it is kept by hand. */
    const lock = (path: TeamPath, writer: WriteContext.WriteContext) =>
      Effect.gen(function* () {
        const team = yield* Effect.flatMap(
          store.find({ org: writer.org, name: path.team }, { lock: true }),
          Either.fromOption(() => notFound(path))
        )
        return team.kind === "hand"
          ? team
          : yield* new Team.TeamKept({ team: team.name, kind: team.kind })
      })

    /** Makes a team that is kept by hand, or changes its description; an absent description stays. */
    const put = Effect.fn("Teams.put")((path: TeamPath, description: string | undefined) =>
      write(path.org, (writer) =>
        Effect.gen(function* () {
          const name = path.team
          const result = yield* Upsert.put({
            find: store.find({ org: writer.org, name }, { lock: true }),
            insert: Effect.map(
              Effect.zipRight(
                checkHeld(writer, name, { description: description ?? "" }),
                records.create(writer, () => ({
                  name,
                  kind: "hand",
                  description: description ?? "",
                  group_name: null,
                  external_id: null
                }))
              ),
              Option.isSome
            ),
            update: (current) =>
              Effect.gen(function* () {
                if (current.kind !== "hand")
                  return yield* new Team.TeamKept({ team: name, kind: current.kind })
                const next = { ...current, description: description ?? current.description }
                const isChanged = yield* records.change(writer, current, next)
                return isChanged ? "updated" : "unchanged"
              })
          })
          const made = yield* store.find({ org: writer.org, name })
          if (Option.isSome(made)) yield* setOutcomeOf("team", made.value, result)
          return result
        })
      )
    )

    /** Deletes a team that is kept by hand; the people who were in it stay in the org. */
    const remove = Effect.fn("Teams.remove")((path: TeamPath) =>
      write(path.org, (writer) =>
        Effect.gen(function* () {
          const team = yield* lock(path, writer)
          yield* records.remove(writer, team)
          yield* setOutcomeOf("team", team, "deleted")
        })
      )
    )

    /** The member of the org with that login, whose membership is locked. */
    const lockMember = (path: TeamMemberPath, writer: WriteContext.WriteContext) =>
      Effect.gen(function* () {
        const { login, org } = path
        const user = yield* members.findUser(login)
        const [member] = Option.isNone(user)
          ? []
          : yield* store.listAmong(writer.org, [user.value.id], { lock: true })
        return member ?? (yield* new NotAMember({ org, login }))
      })

    /** Moves a member of the org into a team that is kept by hand; one who is in it already stays. */
    const addMember = Effect.fn("Teams.addMember")((path: TeamMemberPath) =>
      write(path.org, (writer) =>
        Effect.gen(function* () {
          const member = yield* lockMember(path, writer)
          const team = yield* lock(path, writer)
          const moved = yield* records.move(writer, team, { coming: [member] })
          if (moved > 0) yield* checkHeld(writer, team.name, { member: path.login })
          yield* setOutcomeOf("team", team, moved > 0 ? "updated" : "unchanged")
          return moved > 0 ? "created" : "unchanged"
        })
      )
    )

    /** Moves a person out of a team that is kept by hand; fails when the person is not in it. */
    const removeMember = Effect.fn("Teams.removeMember")((path: TeamMemberPath) =>
      write(path.org, (writer) =>
        Effect.gen(function* () {
          const member = yield* lockMember(path, writer)
          const team = yield* lock(path, writer)
          const moved = yield* records.move(writer, team, { going: [member] })
          if (moved === 0) return yield* new Team.NotInTeam({ team: team.name, login: path.login })
          yield* setOutcomeOf("team", team, "updated")
        })
      )
    )

    return { list, get, listMembers, put, remove, addMember, removeMember } as const
  })
}) {}
