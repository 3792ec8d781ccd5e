/**
 * Keeps the teams that follow groups of a provider, and puts people who join by a rule into its teams. For use cases
 * of sign-in, which say who acts.
 *
 * Memberships are locked before teams, and teams in the order of their ids.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import type { OrgId, TeamName } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import { TeamRecords } from "../../team/internal/TeamRecords.js"
import { type Team, TeamKind, type TooManyTeams } from "../../team/Team.js"
import { type OrgMember, TeamStore } from "../../team/TeamStore.js"
import type { SignInSettings } from "../SignInSettings.js"
import * as GroupTeams from "./GroupTeams.js"

/** Makes the functions. */
export const make = Effect.gen(function* () {
  const store = yield* TeamStore
  const records = yield* TeamRecords

  /** Every team of an org; other transactions add none until this one ends. */
  const lockAll = (org: OrgId): Effect.Effect<ReadonlyArray<Team>, StoreError> =>
    Effect.gen(function* () {
      yield* store.countToAdd(org)
      const found = yield* Effect.forEach(TeamKind.literals, (kind) => store.listOfKind(org, kind))
      return found.flat()
    })

  /** Moves a member into a team or out of it, if the team is still kept so. */
  const moveOne = (
    writer: WriteContext,
    id: Team["id"],
    { kind, ...move }: { readonly kind: Team["kind"] } & Parameters<typeof records.move>[2]
  ) =>
    Effect.gen(function* () {
      const team = yield* store.find({ org: writer.org, id }, { lock: true })
      if (Option.isSome(team) && team.value.kind === kind)
        yield* records.move(writer, team.value, move)
    })

  const lockMember = (writer: WriteContext, user: OrgMember["user_id"]) =>
    Effect.map(store.listAmong(writer.org, [user], { lock: true }), ([member]) => member)

  /** Sets the teams of a member that follow groups to what a token says. */
  const follow = (
    writer: WriteContext,
    user: OrgMember["user_id"],
    claimed: GroupTeams.ClaimedTeams
  ): Effect.Effect<void, StoreError> =>
    Effect.gen(function* () {
      const member = yield* lockMember(writer, user)
      if (member === undefined) return
      const open = yield* store.listOpen(writer.org, { user })
      const kept = yield* store.listOfKind(writer.org, "claim")
      const current = new Set(open.map(({ team_id }) => team_id))
      for (const { team, isComing } of GroupTeams.changes(claimed, kept, current)) {
        const move = isComing ? { coming: [member] } : { going: [member] }
        yield* moveOne(writer, team, { kind: "claim", ...move })
      }
    })

  /** Puts a new member into teams that are kept by hand; one that is gone or kept otherwise is passed over. */
  const enter = (
    writer: WriteContext,
    user: OrgMember["user_id"],
    names: ReadonlyArray<TeamName>
  ): Effect.Effect<void, StoreError> =>
    Effect.gen(function* () {
      const member = names.length === 0 ? undefined : yield* lockMember(writer, user)
      if (member === undefined) return
      const found = yield* Effect.forEach(new Set(names), (name) =>
        store.find({ org: writer.org, name })
      )
      const teams = found.flatMap(Option.toArray)
      for (const id of teams.map((team) => team.id).sort())
        yield* moveOne(writer, id, { kind: "hand", coming: [member] })
    })

  const setKind = (writer: WriteContext, id: Team["id"], kind: Team["kind"]) =>
    Effect.gen(function* () {
      const team = yield* store.find({ org: writer.org, id }, { lock: true })
      // WHY: a team that was deleted meanwhile is made anew at the next change of the settings.
      if (Option.isSome(team)) yield* records.change(writer, team.value, { ...team.value, kind })
    }).pipe(
      // INVARIANT: the name stays, so no other team has it.
      Effect.catchTag("TeamExists", () => Effect.void)
    )

  /**
   * Lets a claim keep the teams that the settings name, and hands those that they name no more to admins.
   * INVARIANT: the teams are those of `lockAll`.
   */
  const keep = (
    writer: WriteContext,
    settings: SignInSettings,
    teams: ReadonlyArray<Team>
  ): Effect.Effect<void, StoreError | TooManyTeams> =>
    Effect.gen(function* () {
      const { follow, make, release } = GroupTeams.keeping(settings, teams)
      const kinds = new Map<Team["id"], Team["kind"]>([
        ...follow.map((id) => [id, "claim"] as const),
        ...release.map((id) => [id, "hand"] as const)
      ])
      for (const id of [...kinds.keys()].sort()) yield* setKind(writer, id, kinds.get(id) ?? "hand")
      for (const name of make)
        yield* records.create(writer, () => ({
          name,
          kind: "claim",
          description: "",
          group_name: null,
          external_id: null
        }))
    })

  return { lockAll, follow, enter, keep } as const
})
