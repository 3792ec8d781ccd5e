/** A team: a set of members of one org, under a name. Teams have no teams in them. SPEC §2.28 */
import * as Schema from "effect/Schema"
import { Login, OrgId, OrgName, TeamId, TeamName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** The most teams of an org. */
export const TEAMS_MAX = 5_000
/** The most characters of a description. */
export const DESCRIPTION_LENGTH_MAX = 512

/** Who keeps the members of a team: admins by hand, the SCIM client of the org, or a claim of id tokens. */
export const TeamKind = Schema.Literal("hand", "scim", "claim").annotations({
  identifier: "TeamKind"
})
/** Who keeps the members of a team. */
export type TeamKind = typeof TeamKind.Type

/** The description of a team; may be empty. */
export const Description = Schema.String.pipe(Schema.maxLength(DESCRIPTION_LENGTH_MAX))

/** A team. */
export const Team = Schema.Struct({
  org_id: OrgId,
  id: TeamId,
  name: TeamName,
  kind: TeamKind,
  description: Schema.String,
  /** The name that the group has at its SCIM client; null for other teams. */
  group_name: Schema.NullOr(Schema.String),
  /** The id that the group has at its SCIM client, where it has said one. */
  external_id: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  /** Teams that were deleted stay, for questions about the past. Their names are free again. */
  deleted_at: Schema.NullOr(Timestamp)
})
/** A team. */
export type Team = typeof Team.Type

/** What the maker of a team chooses. */
export type TeamDraft = Pick<Team, "name" | "kind" | "description" | "group_name" | "external_id">

/** The name of a team in an org. */
export interface TeamKey {
  readonly org: OrgId
  readonly name: TeamName
}

/** The id of a team in an org. */
export interface TeamRef {
  readonly org: OrgId
  readonly id: TeamId
}

/** There is no team of that name that the caller can see. */
export class TeamNotFound extends Schema.TaggedError<TeamNotFound>()("TeamNotFound", {
  org: OrgName,
  team: TeamName
}) {
  override get message(): string {
    return `there is no team \`${this.team}\` in org \`${this.org}\``
  }
}

const KEEPERS: { readonly [kind in TeamKind]: string } = {
  hand: "by hand: change it there",
  scim: "by SCIM: change the group at the identity provider",
  claim: "by a claim of id tokens: change the group at the identity provider"
}

/** The team is kept in another way than the caller changes teams. */
export class TeamKept extends Schema.TaggedError<TeamKept>()("TeamKept", {
  team: TeamName,
  kind: TeamKind
}) {
  override get message(): string {
    return `team \`${this.team}\` is kept ${KEEPERS[this.kind]}`
  }
}

/** Another team has the name. */
export class TeamExists extends Schema.TaggedError<TeamExists>()("TeamExists", {
  team: TeamName
}) {
  override get message(): string {
    return `there is a team \`${this.team}\` already`
  }
}

/** The person is not in the team. */
export class NotInTeam extends Schema.TaggedError<NotInTeam>()("NotInTeam", {
  team: TeamName,
  login: Login
}) {
  override get message(): string {
    return `\`${this.login}\` is not in team \`${this.team}\``
  }
}

/** The org has the most teams that an org can have. */
export class TooManyTeams extends Schema.TaggedError<TooManyTeams>()("TooManyTeams", {
  max: Schema.Int
}) {
  override get message(): string {
    return `an org has at most ${this.max} teams: delete one that is not needed any more`
  }
}

/** Whether two states of a team have the same content. */
export const sameContent = (left: Team, right: Team): boolean =>
  left.name === right.name &&
  left.kind === right.kind &&
  left.description === right.description &&
  left.group_name === right.group_name &&
  left.external_id === right.external_id
