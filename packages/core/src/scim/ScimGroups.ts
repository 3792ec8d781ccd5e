/**
 * The groups that the SCIM client of an org keeps: teams of kind `scim` (SPEC §4.26). Renaming a group keeps its team,
 * and deleting a group deletes it.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import type { Permission } from "../access/Permission.js"
import type { Slice } from "../membership/MembershipStore.js"
import { type OrgId, type OrgName, TeamId } from "../shared/Identifier.js"
import type { Paged } from "../shared/Page.js"
import { Transaction } from "../shared/Transaction.js"
import { TeamRecords } from "../team/internal/TeamRecords.js"
import type { Team } from "../team/Team.js"
import { TeamStore } from "../team/TeamStore.js"
import * as GroupName from "./GroupName.js"
import * as GroupPatch from "./GroupPatch.js"
import * as ScimFilter from "./ScimFilter.js"
import * as ScimJson from "./ScimJson.js"
import * as ScimPatch from "./ScimPatch.js"
import { ScimInvalid, ScimNotFound, ScimTaken } from "./ScimProblem.js"
import { ScimStore } from "./ScimStore.js"
import type { ScimUser } from "./ScimUser.js"
import type { ScimPath } from "./ScimUsers.js"

const WRITE: Permission = "scim.write"

/** A group, with its members by name where they were asked for. */
export interface ScimGroup {
  readonly team: Team
  readonly members: ReadonlyArray<Pick<ScimUser, "id" | "user_name">> | null
}

/** Use cases of the groups that a SCIM client keeps. */
export class ScimGroups extends Effect.Service<ScimGroups>()("@attestry/core/ScimGroups", {
  effect: Effect.gen(function* () {
    const store = yield* TeamStore
    const people = yield* ScimStore
    const records = yield* TeamRecords
    const transaction = yield* Transaction
    const epoch = yield* AccessEpoch

    const granted = (org: OrgName) =>
      Effect.flatMap(CurrentActor, (actor) => Access.authorize(actor, org, WRITE))

    const write = <A, E, R>(
      org: OrgName,
      work: (writer: WriteContext.WriteContext) => Effect.Effect<A, E, R>
    ) =>
      Effect.flatMap(granted(org), (access) =>
        transaction.run(access.orgId, (scope) =>
          Effect.flatMap(scope.now, (now) => work(WriteContext.make(access, now)))
        )
      ).pipe(Effect.zipLeft(epoch.advance))

    /** The people in a team, by the ids that the client knows. */
    const membersOf = (team: Team) =>
      Effect.gen(function* () {
        const open = yield* store.listOpen(team.org_id, { team: team.id })
        const users = open.map(({ user_id }) => user_id)
        const known = yield* people.listAmong(team.org_id, { users })
        return [...known].sort((left, right) => (left.id < right.id ? -1 : 1))
      })

    const groupOf = (team: Team, withMembers: boolean) =>
      Effect.map(
        withMembers ? membersOf(team) : Effect.succeed(null),
        (members): ScimGroup => ({ team, members })
      )

    /** The ids of the teams that the person of a filter is in; undefined for a filter that asks for none. */
    const teamsOf = (org: OrgId, filter: ScimFilter.ScimFilter) =>
      Effect.gen(function* () {
        const wanted = filter.find(({ attribute }) => attribute === "members.value")
        if (wanted === undefined) return undefined
        const [user] = yield* people.listAmong(org, { ids: [String(wanted.value)] })
        if (user === undefined) return new Map<string, string>()
        const open = yield* store.listOpen(org, { user: user.user_id })
        return new Map(open.map(({ team_id }) => [team_id, user.id]))
      })

    /** One slice of the groups that a filter lets pass, in the order of creation, then of ids. */
    const list = Effect.fn("ScimGroups.list")(function* (
      org: OrgName,
      { filter, withMembers }: { filter: ScimFilter.ScimFilter; withMembers: boolean },
      { limit, offset }: Slice
    ) {
      const { orgId } = yield* granted(org)
      const all = yield* store.listOfKind(orgId, "scim")
      const ids = yield* teamsOf(orgId, filter)
      const found = all.filter(({ external_id, group_name, id }) =>
        ScimFilter.matches(filter, {
          id,
          externalId: external_id,
          displayName: group_name,
          members: [ids?.get(id) ?? ""]
        })
      )
      const items = yield* Effect.forEach(found.slice(offset, offset + limit), (team) =>
        groupOf(team, withMembers)
      )
      const page: Paged<ScimGroup> = { items, total: found.length }
      return page
    })

    const find = (org: OrgId, id: string, lock = false) =>
      Effect.flatMap(store.find({ org, id: TeamId.make(id) }, { lock }), (found) =>
        Option.isSome(found) && found.value.kind === "scim"
          ? Effect.succeed(found.value)
          : new ScimNotFound({ id })
      )

    /** A group. */
    const get = Effect.fn("ScimGroups.get")(function* (
      { id, org }: ScimPath,
      { withMembers }: { readonly withMembers: boolean }
    ) {
      const { orgId } = yield* granted(org)
      return yield* groupOf(yield* find(orgId, id), withMembers)
    })

    /** The members of the org with some ids of SCIM users, whose memberships are locked. */
    const lockMembers = (org: OrgId, ids: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const known = yield* people.listAmong(org, { ids })
        const users = known.map(({ user_id }) => user_id)
        const members = yield* store.listAmong(org, users, { lock: true })
        if (members.length < ids.length) {
          const unknown = ids.find(
            (id) =>
              !known.some(
                (user) => user.id === id && members.some((m) => m.user_id === user.user_id)
              )
          )
          return yield* new ScimInvalid({
            scimType: "invalidValue",
            detail: `no user has the id \`${String(unknown).slice(0, 100)}\``
          })
        }
        return members
      })

    /** Refuses a name that another group has, in any case. */
    const checkName = (org: OrgId, displayName: string, own: string) =>
      Effect.flatMap(store.listOfKind(org, "scim"), (all) =>
        all.some(
          ({ group_name, id }) =>
            id !== own && ScimJson.fold(group_name ?? "") === ScimJson.fold(displayName)
        )
          ? new ScimTaken({ attribute: "displayName", value: displayName })
          : Effect.void
      )

    /** Makes a group. */
    const create = Effect.fn("ScimGroups.create")(function* (org: OrgName, body: unknown) {
      const input = yield* Either.flatMap(ScimJson.bodyOf(body), GroupPatch.read)
      return yield* write(org, (writer) =>
        Effect.gen(function* () {
          const coming = yield* lockMembers(writer.org, [...input.members])
          yield* checkName(writer.org, input.displayName, "")
          const made = yield* records.create(writer, (id) => ({
            name: GroupName.teamNameOf(input.displayName, id),
            kind: "scim",
            description: "",
            group_name: input.displayName,
            external_id: input.externalId
          }))
          if (Option.isNone(made))
            return yield* new ScimTaken({ attribute: "displayName", value: input.displayName })
          yield* records.move(writer, made.value, { coming })
          return yield* groupOf(made.value, true)
        })
      )
    })

    /** Changes a group by what a client says, given what it is. */
    const change = (
      { id, org }: ScimPath,
      revise: (group: GroupPatch.GroupInput) => ScimJson.Read<GroupPatch.GroupInput>
    ) =>
      write(org, (writer) =>
        Effect.gen(function* () {
          // WHY read twice: memberships are locked before teams, and who comes is known from the group alone.
          const before = yield* find(writer.org, id)
          const inputOf = (team: Team, members: ReadonlyArray<Pick<ScimUser, "id">>) =>
            revise({
              displayName: team.group_name ?? team.name,
              externalId: team.external_id,
              members: new Set(members.map((member) => member.id))
            })
          const known = yield* membersOf(before)
          const wanted = yield* inputOf(before, known)
          const fresh = [...wanted.members].filter((each) => !known.some((m) => m.id === each))
          const coming = yield* lockMembers(writer.org, fresh)
          const team = yield* find(writer.org, id, true)
          const current = yield* membersOf(team)
          const input = yield* inputOf(team, current)
          yield* checkName(writer.org, input.displayName, team.id)
          const isRenamed = input.displayName !== team.group_name
          const next: Team = {
            ...team,
            name: isRenamed ? GroupName.teamNameOf(input.displayName, team.id) : team.name,
            group_name: input.displayName,
            external_id: input.externalId
          }
          yield* records.change(writer, team, next)
          const leaving = current.filter((member) => !input.members.has(member.id))
          const going = yield* store.listAmong(
            writer.org,
            leaving.map(({ user_id }) => user_id)
          )
          yield* records.move(writer, next, { coming, going })
          return yield* groupOf(next, true)
        })
      )

    /** Replaces a group. */
    const replace = Effect.fn("ScimGroups.replace")((path: ScimPath, body: unknown) =>
      Effect.flatMap(Either.flatMap(ScimJson.bodyOf(body), GroupPatch.read), (input) =>
        change(path, () => Either.right(input))
      )
    )

    /** Applies a patch to a group. */
    const patch = Effect.fn("ScimGroups.patch")((path: ScimPath, body: unknown) =>
      Effect.flatMap(ScimPatch.parse(body), (operations) =>
        change(path, (group) => GroupPatch.apply(group, operations))
      )
    )

    /** Deletes a group with its team. */
    const remove = Effect.fn("ScimGroups.remove")(({ id, org }: ScimPath) =>
      write(org, (writer) =>
        Effect.flatMap(find(writer.org, id, true), (team) => records.remove(writer, team))
      )
    )

    return { list, get, create, replace, patch, remove } as const
  })
}) {}
