/**
 * How people sign in to an org: which providers it accepts, how old a sign-in may be, and who becomes a member.
 *
 * An org without settings has `DEFAULTS`, under which nothing differs from a deployment without providers.
 */
import * as Schema from "effect/Schema"
import { BaseRole } from "../access/Role.js"
import { withInput } from "../shared/FieldErrors.js"
import { OrgName } from "../shared/Identifier.js"
import * as StorableText from "../shared/StorableText.js"
import { Domain, isOffered, PROVIDERS_MAX, type Provider, ProviderId } from "./Provider.js"

/** The most rules for joining. */
export const JOIN_RULES_MAX = 100
/** The most characters of a group. */
export const GROUP_LENGTH_MAX = 256

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
  role: BaseRole
}).annotations({ identifier: "JoinRule" })
/** Who becomes a member when they sign in. */
export type JoinRule = typeof JoinRule.Type

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
  /** In this order; the first rule that admits a person gives the role. */
  join: Schema.Array(JoinRule).pipe(Schema.maxItems(JOIN_RULES_MAX))
}).annotations({ identifier: "SignInSettings" })
/** How people sign in to an org. */
export type SignInSettings = typeof SignInSettings.Type

/** The settings of an org that has set none. */
export const DEFAULTS: SignInSettings = {
  providers: null,
  only: false,
  session_hours: 12,
  fresh_minutes: null,
  join: []
}

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

type Problem = readonly [field: string, message: string, input: unknown]

const joinProblems = (
  rule: JoinRule,
  at: string,
  usable: ReadonlyArray<Provider>
): ReadonlyArray<Problem> => {
  const provider = usable.find(({ id }) => id === rule.provider)
  const found: Array<Problem> = []
  if (provider === undefined)
    found.push([`${at}.provider`, "This org accepts no such provider", rule.provider])
  if ((rule.group === undefined) === (rule.domain === undefined))
    found.push([at, "A rule has either a group or a domain", rule])
  if (rule.domain !== undefined && rule.role === "admin")
    found.push([`${at}.role`, "Admins join by a group, not by a domain", rule.role])
  if (rule.group !== undefined && provider?.groups === null)
    found.push([`${at}.group`, "This provider has no claim with groups", rule.group])
  return found
}

/** What keeps settings from being saved, by field. */
export const problems = (
  settings: SignInSettings,
  known: ReadonlyArray<Provider>,
  org: OrgName
): { readonly [field: string]: string } => {
  const offered = known.filter((provider) => isOffered(provider, org))
  const usable = accepted(settings, known, org)
  const found: Array<Problem> = (settings.providers ?? []).flatMap(
    (id, index): Array<Problem> =>
      offered.some((provider) => provider.id === id)
        ? []
        : [[`providers[${index}]`, "No such provider is offered to this org", id]]
  )
  if (settings.only && usable.length === 0)
    found.push(["only", "This org accepts no provider, so nobody could sign in", settings.only])
  found.push(
    ...settings.join.flatMap((rule, index) => joinProblems(rule, `join[${index}]`, usable))
  )
  return Object.fromEntries(
    found.map(([field, message, input]) => [field, withInput(message, input)])
  )
}
