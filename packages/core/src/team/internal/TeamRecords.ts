/**
 * Writes teams and the times of their people, each change with its journal entry. For use cases that have authorized
 * the caller, inside of their transactions.
 *
 * Memberships are locked before teams, and teams in the order of their ids.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import { GrantRecords } from "../../grant/internal/GrantRecords.js"
import { Journals } from "../../journal/Journals.js"
import { TeamId } from "../../shared/Identifier.js"
import { IdGenerator } from "../../shared/IdGenerator.js"
import type { StoreError } from "../../shared/StoreError.js"
import * as Team from "../Team.js"
import * as TeamMember from "../TeamMember.js"
import { type OrgMember, TeamStore } from "../TeamStore.js"

/** Who comes into a team, and who leaves it. */
export interface TeamMove {
  readonly coming?: ReadonlyArray<OrgMember>
  readonly going?: ReadonlyArray<OrgMember>
}

/** Writes teams and the times of their people. */
export class TeamRecords extends Effect.Service<TeamRecords>()("@attestry/core/TeamRecords", {
  effect: Effect.gen(function* () {
    const store = yield* TeamStore
    const grants = yield* GrantRecords
    const journals = yield* Journals
    const ids = yield* IdGenerator

    const record = (
      writer: WriteContext,
      {
        content,
        id,
        kind
      }: { readonly kind: string; readonly id: TeamId; readonly content: unknown }
    ) => journals.record({ ...writer, kind, subject: { type: "team", id }, content })

    /** Makes a team, whose id is given to what it is made of; none when another one has the name. */
    const create = (
      writer: WriteContext,
      draftOf: (id: TeamId) => Team.TeamDraft
    ): Effect.Effect<Option.Option<Team.Team>, Team.TooManyTeams | StoreError> =>
      Effect.gen(function* () {
        if ((yield* store.countToAdd(writer.org)) >= Team.TEAMS_MAX)
          return yield* new Team.TooManyTeams({ max: Team.TEAMS_MAX })
        const id = TeamId.make(yield* ids.next)
        const team: Team.Team = {
          org_id: writer.org,
          id,
          ...draftOf(id),
          created_at: writer.at,
          deleted_at: null
        }
        if (!(yield* store.insert(team))) return Option.none()
        yield* record(writer, { kind: "team_created", id, content: team })
        return Option.some(team)
      })

    /** Changes a locked team, and returns whether anything changed; fails when another team has the new name. */
    const change = (
      writer: WriteContext,
      current: Team.Team,
      next: Team.Team
    ): Effect.Effect<boolean, Team.TeamExists | StoreError> =>
      Effect.gen(function* () {
        if (Team.sameContent(current, next)) return false
        if (!(yield* store.update(next))) return yield* new Team.TeamExists({ team: next.name })
        yield* record(writer, { kind: "team_changed", id: next.id, content: next })
        return true
      })

    /** Deletes a locked team and ends its grants; the times of its people end with it, without entries of their own. */
    const remove = (writer: WriteContext, team: Team.Team): Effect.Effect<void, StoreError> =>
      Effect.gen(function* () {
        const open = yield* store.listOpen(writer.org, { team: team.id })
        yield* store.end(
          writer.org,
          open.map((time) => TeamMember.ended(time, writer.at))
        )
        yield* grants.endAll(writer, { kind: "team", id: team.id })
        const deleted = { ...team, deleted_at: writer.at }
        yield* store.update(deleted)
        yield* record(writer, { kind: "team_deleted", id: team.id, content: deleted })
      })

    const recordMember = (
      writer: WriteContext,
      team: Team.Team,
      { login, time }: { readonly login: string; readonly time: TeamMember.TeamMember }
    ) => {
      const { org_id: _org, ...content } = time
      const kind = TeamMember.isOpen(time) ? "team_member_added" : "team_member_removed"
      return record(writer, { kind, id: team.id, content: { ...content, team: team.name, login } })
    }

    /**
     * Moves people into a locked team and out of it; who is in it stays, and who is not in it does not leave. Returns
     * how many came and left. INVARIANT: the memberships of those who come are locked.
     */
    const move = (
      writer: WriteContext,
      team: Team.Team,
      { coming = [], going = [] }: TeamMove
    ): Effect.Effect<number, StoreError> =>
      Effect.gen(function* () {
        const everybody = [...coming, ...going].map(({ user_id }) => user_id)
        const ref = { org: writer.org, id: team.id }
        const times = yield* store.listLast(ref, everybody)
        const last = new Map(times.map((time) => [time.user_id, time]))
        const begun = coming.flatMap(({ login, user_id }) => {
          const before = last.get(user_id)
          if (before !== undefined && TeamMember.isOpen(before)) return []
          const time: TeamMember.TeamMember = {
            org_id: writer.org,
            team_id: team.id,
            user_id,
            source: team.kind,
            from_at: TeamMember.beginningAfter(before, writer.at),
            to_at: null
          }
          return [{ login, time }]
        })
        const over = going.flatMap(({ login, user_id }) => {
          const time = last.get(user_id)
          return time !== undefined && TeamMember.isOpen(time)
            ? [{ login, time: TeamMember.ended(time, writer.at) }]
            : []
        })
        const timesOf = (moved: typeof begun) => moved.map(({ time }) => time)
        if (over.length > 0) yield* store.end(writer.org, timesOf(over))
        if (begun.length > 0) yield* store.begin(writer.org, timesOf(begun))
        for (const moved of [...over, ...begun]) yield* recordMember(writer, team, moved)
        return begun.length + over.length
      })

    /** Ends the times of a person in all teams. INVARIANT: the person's membership is locked. */
    const leaveAll = (writer: WriteContext, member: OrgMember): Effect.Effect<void, StoreError> =>
      Effect.gen(function* () {
        for (const { team_id } of yield* store.listOpen(writer.org, { user: member.user_id })) {
          const team = yield* store.find({ org: writer.org, id: team_id }, { lock: true })
          // WHY: a team that was deleted meanwhile has ended the time with it.
          if (Option.isSome(team)) yield* move(writer, team.value, { going: [member] })
        }
      })

    return { create, change, remove, move, leaveAll } as const
  })
}) {}
