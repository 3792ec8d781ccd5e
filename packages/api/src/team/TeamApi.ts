/** The teams of an org, and the people in them. SPEC §4.24 */
import { Login, TeamName } from "@attestry/core/Identifier"
import { optional } from "@attestry/core/OptionalField"
import { Description, TEAMS_MAX, TeamKind } from "@attestry/core/Team"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import * as HttpError from "../shared/HttpError.js"
import { CreatedBody, OkBody } from "../shared/OkBody.js"
import { noBody, Operation, optionalJsonBody, rule } from "../shared/Operation.js"
import * as Paging from "../shared/Paging.js"
import { login, org, teamName } from "../shared/PathParam.js"

/** A team to save; an absent description stays. */
export const PutTeam = Schema.Struct({ description: optional(Description) }).annotations({
  identifier: "PutTeam"
})

/** A team. */
export const TeamResponse = Schema.Struct({
  id: Schema.String,
  name: TeamName,
  kind: TeamKind.annotations({
    description:
      "Who keeps it: `hand` these operations, `scim` the identity provider by SCIM, `claim` what id tokens say at " +
      "each sign-in."
  }),
  description: Schema.String,
  group_name: Schema.NullOr(Schema.String).annotations({
    description: "The name of the group at the identity provider, of a team that SCIM keeps."
  }),
  members: Schema.Int.annotations({
    description: "How many people are in it, without those whose membership is suspended."
  }),
  created_at: EpochSeconds
}).annotations({ identifier: "Team" })

/** A page of teams. */
export const TeamPage = Schema.Struct({
  ...Paging.counterFields,
  teams: Schema.Array(TeamResponse)
}).annotations({ identifier: "Teams" })

/** A person in a team; `user` is the display name, or the login without one. */
export const TeamMemberResponse = Schema.Struct({
  user: Schema.String,
  login: Login,
  added_at: EpochSeconds,
  /** Only of a member who is suspended. */
  suspended: Schema.optionalWith(Schema.Literal(true), { exact: true })
}).annotations({ identifier: "TeamMember" })

/** A page of the people in a team. */
export const TeamMemberPage = Schema.Struct({
  ...Paging.counterFields,
  members: Schema.Array(TeamMemberResponse)
}).annotations({ identifier: "TeamMembers" })

const read = rule("member", noBody)
const write = rule("team.write", noBody, { isSensitive: true })

/** The operations of teams. */
export class TeamApi extends HttpApiGroup.make("team")
  .add(
    HttpApiEndpoint.get("list")`/teams/${org}`
      .setUrlParams(Schema.Struct(Paging.pageFields()))
      .addSuccess(TeamPage)
      .annotate(Operation, read)
      .annotate(OpenApi.Summary, "List the teams of an org")
      .annotate(
        OpenApi.Description,
        "Answers one page of the teams by name: all of them to admins, and to others those that they are in."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/teams/${org}/${teamName}`
      .addSuccess(TeamResponse)
      .annotate(Operation, read)
      .annotate(OpenApi.Summary, "Get a team")
      .annotate(OpenApi.Description, "Answers one team, to admins and to the people in it.")
  )
  .add(
    HttpApiEndpoint.put("put")`/teams/${org}/${teamName}`
      .setPayload(PutTeam)
      .addSuccess(OkBody)
      .addSuccess(CreatedBody)
      .addError(HttpError.Conflict.Body)
      .annotate(Operation, rule("team.write", optionalJsonBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "Create a team, or change its description")
      .annotate(
        OpenApi.Description,
        "Creates a team that is kept by hand, and answers 201, or changes its description. An org has at most " +
          `${TEAMS_MAX} teams. ` +
          "409 for a team that SCIM or a claim keeps."
      )
  )
  .add(
    HttpApiEndpoint.del("delete")`/teams/${org}/${teamName}`
      .addSuccess(OkBody)
      .addError(HttpError.Conflict.Body)
      .annotate(Operation, write)
      .annotate(OpenApi.Summary, "Delete a team")
      .annotate(
        OpenApi.Description,
        "Deletes a team; the people who are in it stay in the org. 409 for a team that SCIM or a claim keeps."
      )
  )
  .add(
    HttpApiEndpoint.get("members")`/teams/${org}/${teamName}/members`
      .setUrlParams(Schema.Struct(Paging.pageFields()))
      .addSuccess(TeamMemberPage)
      .annotate(Operation, read)
      .annotate(OpenApi.Summary, "List who is in a team")
      .annotate(
        OpenApi.Description,
        "Answers one page of the people in a team, in the order of coming, to admins and to the people in it."
      )
  )
  .add(
    HttpApiEndpoint.put("addMember")`/teams/${org}/${teamName}/members/${login}`
      .addSuccess(OkBody)
      .addSuccess(CreatedBody)
      .addError(HttpError.Conflict.Body)
      .annotate(Operation, write)
      .annotate(OpenApi.Summary, "Add a member of the org to a team")
      .annotate(
        OpenApi.Description,
        "Adds a member of the org to a team and answers 201; 200 for one who is in it already. 409 for a team that " +
          "SCIM or a claim keeps."
      )
  )
  .add(
    HttpApiEndpoint.del("removeMember")`/teams/${org}/${teamName}/members/${login}`
      .addSuccess(OkBody)
      .addError(HttpError.Conflict.Body)
      .annotate(Operation, write)
      .annotate(OpenApi.Summary, "Remove a person from a team")
      .annotate(
        OpenApi.Description,
        "Removes a person from a team; the person stays in the org. 409 for a team that SCIM or a claim keeps."
      )
  )
  .annotate(OpenApi.Title, "Teams")
  .annotate(OpenApi.Description, "Sets of members of an org.") {}
