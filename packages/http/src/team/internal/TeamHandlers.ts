/** Serves teams and the people in them. */
import { TeamApi, type TeamMemberResponse, type TeamResponse } from "@attestry/api/TeamApi"
import { displayName } from "@attestry/core/Membership"
import type { CountedTeam, NamedTeamMember } from "@attestry/core/TeamStore"
import { Teams } from "@attestry/core/Teams"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as OkBody from "../../shared/internal/OkBody.js"
import * as Paging from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const responseOf = (team: CountedTeam): typeof TeamResponse.Type => ({
  id: team.id,
  name: team.name,
  kind: team.kind,
  description: team.description,
  group_name: team.group_name,
  members: team.members,
  created_at: team.created_at
})

const memberOf = (member: NamedTeamMember): typeof TeamMemberResponse.Type => ({
  user: displayName(member),
  login: member.login,
  added_at: member.from_at,
  ...(member.suspended ? { suspended: true as const } : {})
})

/** Serves the operations of teams. */
export const TeamHandlers = group(
  TeamApi,
  Effect.gen(function* () {
    const teams = yield* Teams
    const base = yield* PublicUrl
    return {
      list: ({ path, urlParams, incoming }) => {
        const page = Paging.pageOf(urlParams)
        return teams.list(path.org, page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({
              ...Paging.counters(base, incoming, { total, page }),
              teams: items.map(responseOf)
            })
          )
        )
      },
      get: ({ path }) =>
        teams.get(path).pipe(
          toWire,
          Effect.map((team) => ok(responseOf(team)))
        ),
      put: ({ path, payload }) =>
        teams.put(path, payload.description).pipe(toWire, Effect.map(OkBody.ofPut)),
      delete: ({ path }) => teams.remove(path).pipe(toWire, Effect.as(ok("OK" as const))),
      members: ({ path, urlParams, incoming }) => {
        const page = Paging.pageOf(urlParams)
        return teams.listMembers(path, page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({
              ...Paging.counters(base, incoming, { total, page }),
              members: items.map(memberOf)
            })
          )
        )
      },
      addMember: ({ path }) => teams.addMember(path).pipe(toWire, Effect.map(OkBody.ofPut)),
      removeMember: ({ path }) =>
        teams.removeMember(path).pipe(toWire, Effect.as(ok("OK" as const)))
    }
  })
)
