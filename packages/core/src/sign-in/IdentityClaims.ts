/**
 * What a verified token says about a person. Reading is total: a claim of another form says nothing.
 *
 * Only the subject decides who the person is; the others are shown, or admit by rules.
 */
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as StorableText from "../shared/StorableText.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Subject } from "./Identity.js"
import type { Provider, ProviderId } from "./Provider.js"
import { GROUP_LENGTH_MAX } from "./SignInSettings.js"

/** The most groups of a person; a token with more says nothing about groups. */
export const GROUPS_MAX = 1_000
const NAME_LENGTH_MAX = 200
const EMAIL_LENGTH_MAX = 254
const ACR_LENGTH_MAX = 256

/** What a token says about a person. */
export interface IdentityClaims {
  readonly provider: ProviderId
  readonly issuer: string
  readonly subject: Subject
  readonly name: string | null
  readonly username: string | null
  readonly email: string | null
  /** Whether the provider says, as the boolean `true`, that the address belongs to the person. */
  readonly isEmailVerified: boolean
  /** Empty where the token has none; `null` where it has them in another form, or says that they are left out. */
  readonly groups: ReadonlyArray<string> | null
  /** When the provider asked the person. */
  readonly authTime: Timestamp.Timestamp | null
  /** How the provider asked. */
  readonly acr: string | null
}

/** The claims of a token, as they were sent. */
export type Claims = { readonly [name: string]: unknown }

const claim = (claims: Claims, name: string): unknown =>
  Object.hasOwn(claims, name) ? claims[name] : undefined

const textOf = (value: unknown, lengthMax: number): string | null =>
  typeof value === "string" &&
  value.length >= 1 &&
  value.length <= lengthMax &&
  !StorableText.isUnstorable(value)
    ? value
    : null

const ADDRESS = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u

const emailOf = (value: unknown): string | null => {
  const text = textOf(value, EMAIL_LENGTH_MAX)
  return text !== null && ADDRESS.test(text) ? text : null
}

const isGroup = (value: unknown): value is string => textOf(value, GROUP_LENGTH_MAX) !== null

const isLeftOut = (claims: Claims, name: string): boolean => {
  const elsewhere = claim(claims, "_claim_names")
  return (
    claim(claims, "hasgroups") !== undefined ||
    (Predicate.isRecord(elsewhere) && Object.hasOwn(elsewhere, name))
  )
}

const groupsOf = (claims: Claims, name: string | null): ReadonlyArray<string> | null => {
  if (name === null || isLeftOut(claims, name)) return null
  const value = claim(claims, name)
  // WHY: providers leave the claim out of the tokens of people without groups.
  if (value === undefined) return []
  return Array.isArray(value) && value.length <= GROUPS_MAX && value.every(isGroup) ? value : null
}

const instantOf = (value: unknown): Timestamp.Timestamp | null =>
  typeof value === "number" && Number.isFinite(value) && value > 0
    ? Timestamp.fromSeconds(value)
    : null

const decodeSubject = Schema.decodeUnknownOption(Subject)

/** What a verified token says; none where it has no usable subject. */
export const read = (provider: Provider, claims: Claims): Option.Option<IdentityClaims> =>
  Option.map(decodeSubject(claim(claims, provider.subject)), (subject) => ({
    provider: provider.id,
    issuer: provider.issuer,
    subject,
    name: textOf(claim(claims, "name"), NAME_LENGTH_MAX),
    username: textOf(claim(claims, "preferred_username"), NAME_LENGTH_MAX),
    email: emailOf(claim(claims, "email")),
    isEmailVerified: claim(claims, "email_verified") === true,
    groups: groupsOf(claims, provider.groups),
    authTime: instantOf(claim(claims, "auth_time")),
    acr: textOf(claim(claims, "acr"), ACR_LENGTH_MAX)
  }))

/** A text with ASCII letters in lower case; letters of other scripts that look alike stay what they are. */
export const asciiLower = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The domain of an address that the provider has verified; none without one. */
export const verifiedDomain = ({
  email,
  isEmailVerified
}: Pick<IdentityClaims, "email" | "isEmailVerified">): Option.Option<string> =>
  isEmailVerified && email !== null
    ? Option.some(asciiLower(email.slice(email.lastIndexOf("@") + 1)))
    : Option.none()
