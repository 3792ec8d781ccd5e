/**
 * In which orgs a session counts. Pure and total.
 *
 * A session counts org by org: each org decides by its own settings, so that no org weakens another and a person of
 * several orgs signs in once.
 */
import type { ActorMembership, UncountedOrg } from "../access/Actor.js"
import type { OrgId, OrgName } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"
import type { Provider, ProviderId } from "./Provider.js"
import { accepted, DEFAULTS, type SignInSettings } from "./SignInSettings.js"

/** How a session was opened: with a key, or by signing in with a provider. */
export type Opening =
  | { readonly _tag: "Key" }
  | {
      readonly _tag: "Provider"
      readonly provider: ProviderId
      readonly startedAt: Timestamp.Timestamp
    }

/** The settings of orgs that have some. */
export type SettingsByOrg = ReadonlyMap<OrgId, SignInSettings>

/** What a session is judged by. */
export interface SessionFacts {
  readonly opening: Opening
  readonly settings: SettingsByOrg
  readonly providers: ReadonlyArray<Provider>
  readonly now: Timestamp.Timestamp
}

/** The memberships of a session that count, and the orgs of the others. */
export interface CountedMemberships {
  readonly counted: ReadonlyArray<ActorMembership>
  readonly uncounted: ReadonlyArray<UncountedOrg>
}

/** Whether a session counts in an org of those settings. */
export const counts = (
  settings: SignInSettings,
  org: OrgName,
  { opening, providers, now }: Omit<SessionFacts, "settings">
): boolean => {
  if (opening._tag === "Key") return !settings.only
  const { provider, startedAt } = opening
  return (
    accepted(settings, providers, org).some(({ id }) => id === provider) &&
    now < Timestamp.plusSeconds(startedAt, settings.session_hours * 3_600)
  )
}

/** The memberships that count in a session, in their order. */
export const partition = (
  memberships: ReadonlyArray<ActorMembership>,
  facts: SessionFacts
): CountedMemberships => {
  const settingsOf = ({ org_id }: ActorMembership) => facts.settings.get(org_id) ?? DEFAULTS
  const doesCount = (each: ActorMembership) => counts(settingsOf(each), each.org, facts)
  return {
    counted: memberships.filter(doesCount),
    uncounted: memberships
      .filter((each) => !doesCount(each))
      .map((each) => ({
        org: each.org,
        sign_in: accepted(settingsOf(each), facts.providers, each.org).map(({ id }) => id)
      }))
  }
}

/** Whether the provider has asked the person recently enough for a sensitive operation in an org. */
export const isFresh = (
  { fresh_minutes: minutes }: Pick<SignInSettings, "fresh_minutes">,
  authTime: Timestamp.Timestamp | null,
  now: Timestamp.Timestamp
): boolean =>
  minutes === null || (authTime !== null && now <= Timestamp.plusSeconds(authTime, minutes * 60))
