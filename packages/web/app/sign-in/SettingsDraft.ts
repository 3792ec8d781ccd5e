/** Sign-in settings as their form has them: numbers as texts, and rules for joining as JSON. */
import type { SignInSettings } from "../shared/Contract.js"

export interface SettingsDraft {
  readonly providers: ReadonlyArray<string> | null
  readonly only: boolean
  readonly sessionHours: string
  /** Empty asks nobody again. */
  readonly freshMinutes: string
  readonly personalKeys: SignInSettings["personal_keys"]
  /** Empty lets keys of people go on. */
  readonly keyMaxDays: string
  readonly join: string
  readonly groupTeams: SignInSettings["group_teams"]
  readonly provisionRole: SignInSettings["provision_role"]
}

/** The draft of settings. */
export const make = (settings: Omit<SignInSettings, "offered">): SettingsDraft => ({
  providers: settings.providers,
  only: settings.only,
  sessionHours: String(settings.session_hours),
  freshMinutes: settings.fresh_minutes === null ? "" : String(settings.fresh_minutes),
  personalKeys: settings.personal_keys,
  keyMaxDays: settings.key_max_days === null ? "" : String(settings.key_max_days),
  join: JSON.stringify(settings.join, null, 2),
  groupTeams: settings.group_teams,
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

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text.trim() === "" ? "[]" : text)
  } catch {
    return undefined
  }
}

/** The body of the write; undefined where the rules are no JSON. The server says what else is wrong. */
export const bodyOf = (draft: SettingsDraft): object | undefined => {
  const join = parse(draft.join)
  if (join === undefined) return undefined
  return {
    providers: draft.providers,
    only: draft.only,
    session_hours: Number(draft.sessionHours),
    fresh_minutes: draft.freshMinutes.trim() === "" ? null : Number(draft.freshMinutes),
    personal_keys: draft.personalKeys,
    key_max_days: draft.keyMaxDays.trim() === "" ? null : Number(draft.keyMaxDays),
    join,
    group_teams: draft.groupTeams,
    provision_role: draft.provisionRole
  }
}
