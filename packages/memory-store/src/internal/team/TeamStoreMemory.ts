/** `TeamStore` in memory. A transaction is the only writer, so a locked read is a plain one. */
import * as Page from "@attestry/core/Page"
import type { Team } from "@attestry/core/Team"
import * as TeamMember from "@attestry/core/TeamMember"
import { TeamStore } from "@attestry/core/TeamStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { memberships, users } from "../membership/MembershipStoreMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"

/** Teams by org and id, also those that were deleted. */
export const teams = table<Team>("team")
/** The times of people in teams, by org, team, user and beginning. */
export const times = table<TeamMember.TeamMember>("team_member")

const timeKey = ({ from_at, org_id, team_id, user_id }: TeamMember.TeamMember): string =>
  key(org_id, team_id, user_id, from_at)

const beganFirst = (left: TeamMember.TeamMember, right: TeamMember.TeamMember) =>
  left.from_at - right.from_at || (left.user_id < right.user_id ? -1 : 1)

const byKey = (left: TeamMember.TeamMember, right: TeamMember.TeamMember) =>
  key(left.team_id, left.user_id) < key(right.team_id, right.user_id) ? -1 : 1

/** `TeamStore` in memory. */
export const layer: Layer.Layer<TeamStore, never, MemoryState> = Layer.effect(
  TeamStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const teamRows = yield* MemoryRows.make(teams)
    const timeRows = yield* MemoryRows.make(times)
    const people = yield* MemoryRows.make(users)
    const members = yield* MemoryRows.make(memberships)

    const live = (org: string) =>
      Effect.map(teamRows.values, (all) =>
        all.filter(({ deleted_at, org_id }) => org_id === org && deleted_at === null)
      )
    const timesOf = (org: string, keep: (time: TeamMember.TeamMember) => boolean) =>
      Effect.map(timeRows.values, (all) =>
        all.filter((time) => time.org_id === org && keep(time)).sort(byKey)
      )
    /** The keys of memberships that are not suspended. */
    const counting = Effect.map(
      members.values,
      (all) =>
        new Set(
          all
            .filter(({ suspended_at }) => suspended_at === null)
            .map(({ org_id, user_id }) => key(org_id, user_id))
        )
    )
    const isTaken = (rows: Iterable<Team>, team: Team) =>
      Array.from(rows).some(
        (other) =>
          other.org_id === team.org_id &&
          other.name === team.name &&
          other.id !== team.id &&
          other.deleted_at === null
      )
    /** Writes a team unless its name is taken. */
    const set = (team: Team) =>
      state.modify(teams, (rows) =>
        team.deleted_at === null && isTaken(HashMap.values(rows), team)
          ? [false, rows]
          : [true, HashMap.set(rows, key(team.org_id, team.id), team)]
      )

    return TeamStore.of({
      find: (wanted) =>
        Effect.map(live(wanted.org), (all) =>
          Option.fromNullable(
            all.find(({ id, name }) => ("id" in wanted ? id === wanted.id : name === wanted.name))
          )
        ),
      list: (org, { user }, page) =>
        Effect.gen(function* () {
          const all = yield* live(org)
          const open = yield* timesOf(org, TeamMember.isOpen)
          const active = yield* counting
          const counted = all
            .filter(
              ({ id }) =>
                user === undefined ||
                open.some(({ team_id, user_id }) => team_id === id && user_id === user)
            )
            .map((team) => ({
              ...team,
              members: open.filter(
                ({ team_id, user_id }) => team_id === team.id && active.has(key(org, user_id))
              ).length
            }))
            .sort((left, right) => (left.name < right.name ? -1 : 1))
          return Page.slice(counted, page)
        }),
      listOfKind: (org, kind) =>
        Effect.map(live(org), (all) =>
          all
            .filter((team) => team.kind === kind)
            .sort(
              (left, right) => left.created_at - right.created_at || (left.id < right.id ? -1 : 1)
            )
        ),
      countToAdd: (org) => Effect.map(live(org), ({ length }) => length),
      insert: set,
      update: set,
      listAmong: (org, wanted) =>
        Effect.zipWith(members.values, people.values, (all, named) =>
          all
            .filter(({ org_id, user_id }) => org_id === org && wanted.includes(user_id))
            .flatMap(({ user_id }) => {
              const user = named.find(({ id }) => id === user_id)
              return user === undefined ? [] : [{ user_id, login: user.login }]
            })
            .sort((left, right) => (left.user_id < right.user_id ? -1 : 1))
        ),
      countMembers: ({ id, org }) =>
        Effect.zipWith(
          timesOf(org, (time) => time.team_id === id && TeamMember.isOpen(time)),
          counting,
          (open, active) => open.filter(({ user_id }) => active.has(key(org, user_id))).length
        ),
      listMembers: ({ id, org }, page) =>
        Effect.gen(function* () {
          const open = yield* timesOf(org, (time) => time.team_id === id && TeamMember.isOpen(time))
          const named = yield* people.values
          const active = yield* counting
          const found = open.sort(beganFirst).flatMap((time) => {
            const user = named.find((each) => each.id === time.user_id)
            const suspended = !active.has(key(org, time.user_id))
            return user === undefined
              ? []
              : [{ ...time, login: user.login, display_name: user.display_name, suspended }]
          })
          return Page.slice(found, page)
        }),
      listOpen: (org, which) =>
        timesOf(
          org,
          (time) =>
            TeamMember.isOpen(time) &&
            ("team" in which ? time.team_id === which.team : time.user_id === which.user)
        ),
      listLast: ({ id, org }, wanted) =>
        Effect.map(
          timesOf(org, ({ team_id, user_id }) => team_id === id && wanted.includes(user_id)),
          (found) => {
            const last = new Map<string, TeamMember.TeamMember>()
            for (const time of [...found].sort(beganFirst)) last.set(time.user_id, time)
            return Array.from(last.values()).sort(byKey)
          }
        ),
      listAt: (org, at) => timesOf(org, (time) => TeamMember.holds(time, at)),
      begin: (_org, begun) =>
        state.modify(times, (rows) => [
          undefined,
          begun.reduce((all, time) => HashMap.set(all, timeKey(time), time), rows)
        ]),
      end: (_org, over) =>
        state.modify(times, (rows) => [
          undefined,
          over.reduce((all, time) => HashMap.set(all, timeKey(time), time), rows)
        ])
    })
  })
)
