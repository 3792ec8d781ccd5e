/**
 * How people sign in to an org: which providers it accepts, how old a sign-in may be, and who becomes a member.
 *
 * An org without settings has `DEFAULTS`, under which nothing differs from a deployment without providers.
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { BaseRole } from "../access/Role.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { withInput } from "../shared/FieldErrors.js"
import { OrgName, TeamName } from "../shared/Identifier.js"
import * as StorableText from "../shared/StorableText.js"
import type { Team, TeamKind } from "../team/Team.js"
import { Domain, isOffered, PROVIDERS_MAX, type Provider, ProviderId } from "./Provider.js"

/** The most rules for joining. */
export const JOIN_RULES_MAX = 100
/** The most teams of a rule for joining. */
export const JOIN_TEAMS_MAX = 20
/** The most groups that teams follow. */
export const GROUP_TEAMS_MAX = 1_000
/** The most characters of a group. */
export const GROUP_LENGTH_MAX = 256

/** The most days after which an org can have keys of people end. */
export const KEY_DAYS_MAX = 3_650

const Group = Schema.String.pipe(
  Schema.minLength(1),
  Schema.maxLength(GROUP_LENGTH_MAX),
  Schema.filter((text) => !StorableText.isUnstorable(text), {
    message: () => "must not contain NUL or an unpaired surrogate"
  })
)

/** Who becomes a member when they sign in: people of a group, or with a verified address of a domain. */
export const JoinRule = Schema.Struct({
  provider: ProviderId,
  group: Schema.optionalWith(Group, { exact: true }),
  domain: Schema.optionalWith(Domain, { exact: true }),
  role: BaseRole,
  /** Teams that are kept by hand, into which the person comes. */
  teams: Schema.optionalWith(Schema.Array(TeamName).pipe(Schema.maxItems(JOIN_TEAMS_MAX)), {
    exact: true
  })
}).annotations({ identifier: "JoinRule" })
/** Who becomes a member when they sign in. */
export type JoinRule = typeof JoinRule.Type

/** A team that follows a group: who signs in is in it if a token says that they are in one of its groups. */
export const GroupTeam = Schema.Struct({
  provider: ProviderId,
  group: Group,
  team: TeamName
}).annotations({ identifier: "GroupTeam" })
/** A team that follows a group. */
export type GroupTeam = typeof GroupTeam.Type

/** The base role of people whom a SCIM client makes. WHY never admin: a client adds a person without being asked. */
export const ProvisionRole = Schema.Literal("member", "snapshotter", "reader", "none").annotations({
  identifier: "ProvisionRole"
})

/** Which keys of people count in an org: all, or those alone that admins have for emergencies. */
export const PersonalKeyRule = Schema.Literal("all", "emergency").annotations({
  identifier: "PersonalKeyRule"
})

/** How people sign in to an org. */
export const SignInSettings = Schema.Struct({
  /** The providers that the org accepts; `null` is every one that is offered to it. */
  providers: Schema.NullOr(Schema.Array(ProviderId).pipe(Schema.maxItems(PROVIDERS_MAX))),
  /** Whether memberships count only in sessions of these providers, and in no session that a key opened. */
  only: Schema.Boolean,
  /** How many hours after a sign-in the session counts. */
  session_hours: Schema.Int.pipe(Schema.between(1, 24)),
  /** How many minutes after the provider asked the person sensitive operations are open; `null` does not ask. */
  fresh_minutes: Schema.NullOr(Schema.Int.pipe(Schema.between(5, 60))),
  /** Which keys of people count. */
  personal_keys: PersonalKeyRule,
  /** After how many days a new key of a person ends at the latest; `null` is never. */
  key_max_days: Schema.NullOr(Schema.Int.pipe(Schema.between(1, KEY_DAYS_MAX))),
  /** In this order; the first rule that admits a person gives the role. */
  join: Schema.Array(JoinRule).pipe(Schema.maxItems(JOIN_RULES_MAX)),
  /** Teams whose people each sign-in sets; admins do not. */
  group_teams: Schema.Array(GroupTeam).pipe(Schema.maxItems(GROUP_TEAMS_MAX)),
  /** The base role of people whom the SCIM client of the org makes. */
  provision_role: ProvisionRole
}).annotations({ identifier: "SignInSettings" })
/** How people sign in to an org. */
export type SignInSettings = typeof SignInSettings.Type

/** The settings of an org that has set none. */
export const DEFAULTS: SignInSettings = {
  providers: null,
  only: false,
  session_hours: 12,
  fresh_minutes: null,
  personal_keys: "all",
  key_max_days: null,
  join: [],
  group_teams: [],
  provision_role: "none"
}

/** The names of the settings that differ. */
export const differing = (
  before: SignInSettings,
  after: SignInSettings
): ReadonlyArray<keyof SignInSettings> =>
  Struct.keys(DEFAULTS).filter((key) => !CanonicalJson.equals(before[key], after[key]))

/** A rule for joining as it is sent; without a role it gives none. */
export interface JoinRuleInput extends Omit<JoinRule, "role"> {
  readonly role?: BaseRole
}

/** Settings as they are sent; a member that is left out has its default. */
export interface SettingsInput extends Partial<Omit<SignInSettings, "join">> {
  readonly join?: ReadonlyArray<JoinRuleInput>
}

/** The settings that were sent. */
export const fromInput = ({ join = [], ...given }: SettingsInput): SignInSettings => ({
  ...DEFAULTS,
  ...given,
  join: join.map((rule) => ({ ...rule, role: rule.role ?? "none" }))
})

/** Settings that cannot be saved, with a sentence for each field. */
export class InvalidSignInSettings extends Schema.TaggedError<InvalidSignInSettings>()(
  "InvalidSignInSettings",
  { org: OrgName, problems: Schema.Record({ key: Schema.String, value: Schema.String }) }
) {
  override get message(): string {
    return `the sign-in settings of \`${this.org}\` cannot be saved`
  }
}

/** The providers that an org accepts. */
export const accepted = (
  { providers }: Pick<SignInSettings, "providers">,
  offered: ReadonlyArray<Provider>,
  org: OrgName
): ReadonlyArray<Provider> =>
  offered.filter(
    (provider) =>
      isOffered(provider, org) && (providers === null || providers.includes(provider.id))
  )

/** What settings can name. */
export interface Known {
  readonly providers: ReadonlyArray<Provider>
  readonly teams: ReadonlyArray<Pick<Team, "name" | "kind">>
}

type Problem = readonly [field: string, message: string, input: unknown]

type Kinds = ReadonlyMap<string, TeamKind>

/** What is wrong with the provider of a rule, and with its group. */
const providerProblems = (
  { provider: id, group }: Pick<JoinRule, "provider" | "group">,
  at: string,
  usable: ReadonlyArray<Provider>
): ReadonlyArray<Problem> => {
  const provider = usable.find((each) => each.id === id)
  if (provider === undefined) return [[`${at}.provider`, "This org accepts no such provider", id]]
  return group !== undefined && provider.groups === null
    ? [[`${at}.group`, "This provider has no claim with groups", group]]
    : []
}

const joinProblems = (rule: JoinRule, at: string, kinds: Kinds): ReadonlyArray<Problem> => {
  const found: Array<Problem> = []
  if ((rule.group === undefined) === (rule.domain === undefined))
    found.push([at, "A rule has either a group or a domain", rule])
  if (rule.domain !== undefined && rule.role === "admin")
    found.push([`${at}.role`, "Admins join by a group, not by a domain", rule.role])
  for (const [index, team] of (rule.teams ?? []).entries())
    if (kinds.get(team) !== "hand")
      found.push([`${at}.teams[${index}]`, "No team that is kept by hand has this name", team])
  return found
}

const groupTeamProblems = (
  { group_teams }: SignInSettings,
  usable: ReadonlyArray<Provider>,
  kinds: Kinds
): ReadonlyArray<Problem> => {
  const keepers = new Map<TeamName, ProviderId>()
  return group_teams.flatMap((rule, index): ReadonlyArray<Problem> => {
    const at = `group_teams[${index}]`
    const keeper = keepers.get(rule.team) ?? rule.provider
    keepers.set(rule.team, keeper)
    const found = [...providerProblems(rule, at, usable)]
    if (keeper !== rule.provider)
      found.push([`${at}.team`, `This team follows groups of ${keeper}`, rule.team])
    if (kinds.get(rule.team) === "scim")
      found.push([`${at}.team`, "SCIM keeps this team", rule.team])
    return found
  })
}

/** How teams are kept under some settings. */
const kindsOf = ({ group_teams }: SignInSettings, { teams }: Known): Kinds => {
  const followed = new Set<string>(group_teams.map(({ team }) => team))
  return new Map([
    ...teams.map(({ kind, name }) => [name, kind === "claim" ? "hand" : kind] as const),
    ...teams.flatMap(({ kind, name }) =>
      kind !== "scim" && followed.has(name) ? [[name, "claim"] as const] : []
    )
  ])
}

/** What keeps settings from being saved, by field. */
export const problems = (
  settings: SignInSettings,
  known: Known,
  org: OrgName
): { readonly [field: string]: string } => {
  const offered = known.providers.filter((provider) => isOffered(provider, org))
  const usable = accepted(settings, known.providers, org)
  const found: Array<Problem> = (settings.providers ?? []).flatMap(
    (id, index): Array<Problem> =>
      offered.some((provider) => provider.id === id)
        ? []
        : [[`providers[${index}]`, "No such provider is offered to this org", id]]
  )
  if (settings.only && usable.length === 0)
    found.push(["only", "This org accepts no provider, so nobody could sign in", settings.only])
  const kinds = kindsOf(settings, known)
  for (const [index, rule] of settings.join.entries())
    found.push(
      ...providerProblems(rule, `join[${index}]`, usable),
      ...joinProblems(rule, `join[${index}]`, kinds)
    )
  found.push(...groupTeamProblems(settings, usable, kinds))
  return Object.fromEntries(
    found.map(([field, message, input]) => [field, withInput(message, input)])
  )
}
