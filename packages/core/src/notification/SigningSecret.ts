/**
 * The secret with which an org's webhooks are signed, in the form that Standard Webhooks gives it.
 *
 * After a rotation the secret before it signs too, for a while, so that receivers can change over without
 * refusing anything. How a signature is made is the sender's business. DECISION A-23
 */
import * as Encoding from "effect/Encoding"
import * as Schema from "effect/Schema"
import { OrgId } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"

/** A secret is this many random bytes: the size of the digest that signs. */
export const SECRET_BYTES = 32

/** What every secret begins with, so that scanners for secrets know it. */
export const SECRET_PREFIX = "whsec_"

/** For how long the secret before the current one signs too. DECISION B-82 */
export const OVERLAP_HOURS = 24

/** The secrets of an org. */
export const SigningSecret = Schema.Struct({
  org_id: OrgId,
  /** `whsec_` and the Base64 of the key's bytes. */
  secret: Schema.String,
  created_at: Timestamp.Timestamp,
  previous: Schema.NullOr(
    Schema.Struct({ secret: Schema.String, signs_until: Timestamp.Timestamp })
  )
})
/** The secrets of an org. */
export type SigningSecret = typeof SigningSecret.Type

/** A secret's text from its bytes. */
export const print = (bytes: Uint8Array): string =>
  `${SECRET_PREFIX}${Encoding.encodeBase64(bytes)}`

/** The org's first secret. */
export const make = (
  org: OrgId,
  minted: { readonly bytes: Uint8Array; readonly at: Timestamp.Timestamp }
): SigningSecret => ({
  org_id: org,
  secret: print(minted.bytes),
  created_at: minted.at,
  previous: null
})

/** A new secret in front of the current one; the one before that stops signing at once. */
export const rotate = (
  current: SigningSecret,
  minted: { readonly bytes: Uint8Array; readonly at: Timestamp.Timestamp }
): SigningSecret => ({
  org_id: current.org_id,
  secret: print(minted.bytes),
  created_at: minted.at,
  previous: {
    secret: current.secret,
    signs_until: Timestamp.plusSeconds(minted.at, OVERLAP_HOURS * 3600)
  }
})

/** The secrets that sign at an instant, the current one first. */
export const signingAt = (
  { secret, previous }: SigningSecret,
  now: Timestamp.Timestamp
): readonly [current: string, ...previous: ReadonlyArray<string>] =>
  previous !== null && now < previous.signs_until ? [secret, previous.secret] : [secret]
