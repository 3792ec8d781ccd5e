/** Sign-in settings as their form has them: numbers and teams as texts, and rules as rows. */
import type { SignInSettings } from "../shared/Contract.js"
import * as OrderedRows from "../shared/OrderedRows.js"

/** A rule for joining. */
export interface JoinRow extends OrderedRows.Row {
  readonly provider: string
  readonly by: "group" | "domain"
  /** The group or the domain. */
  readonly value: string
  readonly role: SignInSettings["join"][number]["role"]
  /** Names of teams, separated by commas. */
  readonly teams: string
}

/** A team that follows a group. */
export interface GroupTeamRow extends OrderedRows.Row {
  readonly provider: string
  readonly group: string
  readonly team: string
}

export interface SettingsDraft {
  readonly providers: ReadonlyArray<string> | null
  readonly only: boolean
  readonly sessionHours: string
  /** Empty asks nobody again. */
  readonly freshMinutes: string
  readonly personalKeys: SignInSettings["personal_keys"]
  /** Empty lets keys of people go on. */
  readonly keyMaxDays: string
  readonly join: ReadonlyArray<JoinRow>
  readonly groupTeams: ReadonlyArray<GroupTeamRow>
  readonly provisionRole: SignInSettings["provision_role"]
}

/** A rule without a group or a domain. */
export const blankJoin = (provider: string): JoinRow => ({
  key: OrderedRows.newKey(),
  provider,
  by: "group",
  value: "",
  role: "member",
  teams: ""
})

/** A team without a name. */
export const blankGroupTeam = (provider: string): GroupTeamRow => ({
  key: OrderedRows.newKey(),
  provider,
  group: "",
  team: ""
})

const joinRowOf = (rule: SignInSettings["join"][number]): JoinRow => ({
  ...blankJoin(rule.provider),
  by: rule.domain === undefined ? "group" : "domain",
  value: rule.domain ?? rule.group ?? "",
  role: rule.role,
  teams: (rule.teams ?? []).join(", ")
})

/** The draft of settings. */
export const make = (settings: Omit<SignInSettings, "offered">): SettingsDraft => ({
  providers: settings.providers,
  only: settings.only,
  sessionHours: String(settings.session_hours),
  freshMinutes: settings.fresh_minutes === null ? "" : String(settings.fresh_minutes),
  personalKeys: settings.personal_keys,
  keyMaxDays: settings.key_max_days === null ? "" : String(settings.key_max_days),
  join: settings.join.map(joinRowOf),
  groupTeams: settings.group_teams.map((each) => ({ key: OrderedRows.newKey(), ...each })),
  provisionRole: settings.provision_role
})

/** The accepted providers with one that is added or left out; the order of the others stays. */
export const withProvider = (
  { providers }: Pick<SettingsDraft, "providers">,
  id: string,
  isAccepted: boolean
): ReadonlyArray<string> => {
  const others = (providers ?? []).filter((each) => each !== id)
  return isAccepted ? [...others, id] : others
}

const teamsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")

const joinRuleOf = ({ by, provider, role, teams, value }: JoinRow) => ({
  provider,
  [by]: value.trim(),
  role,
  ...(teamsOf(teams).length === 0 ? {} : { teams: teamsOf(teams) })
})

/** The body of the write. The server says what is wrong with it. */
export const bodyOf = (draft: SettingsDraft): object => ({
  providers: draft.providers,
  only: draft.only,
  session_hours: Number(draft.sessionHours),
  fresh_minutes: draft.freshMinutes.trim() === "" ? null : Number(draft.freshMinutes),
  personal_keys: draft.personalKeys,
  key_max_days: draft.keyMaxDays.trim() === "" ? null : Number(draft.keyMaxDays),
  join: draft.join.map(joinRuleOf),
  group_teams: draft.groupTeams.map(({ group, provider, team }) => ({
    provider,
    group: group.trim(),
    team: team.trim()
  })),
  provision_role: draft.provisionRole
})

/** The fields of the rows, as the server names them in errors. */
export const fieldsOf = ({ groupTeams, join }: SettingsDraft): ReadonlyArray<string> => [
  ...join.flatMap((_, at) =>
    ["", ".provider", ".group", ".domain", ".role", ".teams"].map((part) => `join.${at}${part}`)
  ),
  ...groupTeams.flatMap((_, at) =>
    ["", ".provider", ".group", ".team"].map((part) => `group_teams.${at}${part}`)
  )
]
