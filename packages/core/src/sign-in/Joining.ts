/**
 * Who a verified identity is, and where it may join. Pure and total. SPEC §4.27
 *
 * An identity never becomes an existing user by resemblance. The one exception is `link: verified_email`, which the
 * operator turns on for domains that the provider alone gives addresses in.
 */
import * as Option from "effect/Option"
import type { BaseRole } from "../access/Role.js"
import type { Org } from "../org/Org.js"
import type { TeamName, UserId } from "../shared/Identifier.js"
import type { UserIdentity } from "./Identity.js"
import { type IdentityClaims, verifiedDomain } from "./IdentityClaims.js"
import type { Provider } from "./Provider.js"
import { accepted, type SignInSettings } from "./SignInSettings.js"

/** A user with the address of an identity. */
export interface SameAddress {
  readonly user: UserId
  /** Whether the user has an identity at any provider. */
  readonly isLinked: boolean
  /** Whether the user is an admin of any org. */
  readonly isAdmin: boolean
}

/** A user whom the SCIM client of an org has made with the subject of an identity as the external id. */
export interface DescribedUser extends OrgSettings {
  readonly user: UserId
}

/** What is known about an identity besides its claims. */
export interface KnownFacts {
  readonly identity: Option.Option<UserIdentity>
  /** The users with the address of the identity; two are as many as more. */
  readonly sameAddress: ReadonlyArray<SameAddress>
  /** The users of that subject who have not signed in yet, oldest first. */
  readonly described: ReadonlyArray<DescribedUser>
  /** The providers of the deployment. */
  readonly offered: ReadonlyArray<Provider>
  /** The orgs whose rules admit the identity. */
  readonly admissions: ReadonlyArray<Admission>
}

/** An org with its settings. */
export interface OrgSettings {
  readonly org: Org
  readonly settings: SignInSettings
}

/** The role with which an identity joins an org, and the teams into which it comes. */
export interface Admission {
  readonly org: Org
  readonly role: BaseRole
  readonly teams: ReadonlyArray<TeamName>
}

/** Who an identity is. */
export type Person =
  | { readonly _tag: "Known"; readonly user: UserId }
  /** The user whom a SCIM client has made for the identity. */
  | { readonly _tag: "Described"; readonly user: UserId; readonly org: Org }
  /** An existing user, by a verified address. */
  | { readonly _tag: "Linked"; readonly user: UserId }
  /** A new user. */
  | { readonly _tag: "New" }
  | { readonly _tag: "Refused"; readonly reason: "unknown" | "issuer" }

const admitsBy = (
  rule: SignInSettings["join"][number],
  claims: IdentityClaims,
  domain: Option.Option<string>
): boolean => {
  if (rule.provider !== claims.provider) return false
  if (rule.group !== undefined) return claims.groups?.includes(rule.group) ?? false
  return rule.role !== "admin" && Option.isSome(domain) && rule.domain === domain.value
}

/** The orgs that an identity may join, each with the role of its first rule that fits. */
export const admissions = (
  orgs: ReadonlyArray<OrgSettings>,
  claims: IdentityClaims,
  provider: Provider
): ReadonlyArray<Admission> => {
  const domain = verifiedDomain(claims)
  return orgs.flatMap(({ org, settings }) => {
    if (accepted(settings, [provider], org.name).length === 0) return []
    const rule = settings.join.find((each) => admitsBy(each, claims, domain))
    return rule === undefined ? [] : [{ org, role: rule.role, teams: rule.teams ?? [] }]
  })
}

/** Whether the address of an identity may lead to an existing user, before users are looked for. */
export const mayLink = (
  { link, domains }: Pick<Provider, "link" | "domains">,
  claims: Pick<IdentityClaims, "email" | "isEmailVerified">
): boolean =>
  link === "verified_email" &&
  Option.exists(verifiedDomain(claims), (domain) => domains.includes(domain))

/**
 * The user whom a SCIM client has made for an identity. WHY only in an org that accepts one provider and no other: a
 * subject means a person at its own provider alone, and the client does not say which provider that is.
 */
const describedBy = (
  provider: Provider,
  offered: ReadonlyArray<Provider>,
  described: ReadonlyArray<DescribedUser>
): DescribedUser | undefined =>
  described.find(({ org, settings }) => {
    const [one, ...others] = accepted(settings, offered, org.name)
    return one?.id === provider.id && others.length === 0
  })

/** Who an identity is. */
export const decide = (
  provider: Provider,
  claims: IdentityClaims,
  { described, identity, offered, sameAddress, admissions: admitted }: KnownFacts
): Person => {
  if (Option.isSome(identity)) {
    return identity.value.issuer === claims.issuer
      ? { _tag: "Known", user: identity.value.user_id }
      : { _tag: "Refused", reason: "issuer" }
  }
  const made = describedBy(provider, offered, described)
  if (made !== undefined) return { _tag: "Described", user: made.user, org: made.org }
  const [one, ...others] = sameAddress
  if (
    mayLink(provider, claims) &&
    one !== undefined &&
    others.length === 0 &&
    !one.isLinked &&
    !one.isAdmin
  ) {
    return { _tag: "Linked", user: one.user }
  }
  return admitted.length > 0 ? { _tag: "New" } : { _tag: "Refused", reason: "unknown" }
}

/** The login of a new user, where it is free. */
export const loginOf = ({
  provider,
  username,
  subject
}: Pick<IdentityClaims, "provider" | "username" | "subject">): string =>
  `${provider}:${username ?? subject}`
