/**
 * In which orgs a key of a person counts. Pure and total.
 *
 * Each org decides by its own settings, as for sessions.
 */
import type { ActorMembership } from "../access/Actor.js"
import type { ApiKey } from "../api-key/ApiKey.js"
import type { CountedMemberships, SettingsByOrg } from "./CountedSession.js"
import type { Provider } from "./Provider.js"
import { accepted, DEFAULTS, type SignInSettings } from "./SignInSettings.js"

/** Whether a key of a person counts in an org of those settings, in which the person has that role. */
export const counts = (
  { personal_keys: rule }: Pick<SignInSettings, "personal_keys">,
  { emergency }: Pick<ApiKey, "emergency">,
  { role }: Pick<ActorMembership, "role">
): boolean => rule === "all" || (emergency === true && role === "admin")

/** The memberships in which a key counts, in their order, and the orgs of the others. */
export const partition = (
  memberships: ReadonlyArray<ActorMembership>,
  key: Pick<ApiKey, "emergency">,
  {
    settings,
    providers
  }: { readonly settings: SettingsByOrg; readonly providers: ReadonlyArray<Provider> }
): CountedMemberships => {
  const settingsOf = ({ org_id }: ActorMembership) => settings.get(org_id) ?? DEFAULTS
  const doesCount = (each: ActorMembership) => counts(settingsOf(each), key, each)
  return {
    counted: memberships.filter(doesCount),
    uncounted: memberships
      .filter((each) => !doesCount(each))
      .map((each) => ({
        org: each.org,
        sign_in: accepted(settingsOf(each), providers, each.org).map(({ id }) => id)
      }))
  }
}
