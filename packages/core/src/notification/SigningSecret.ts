/**
 * The secret that signs an org's webhooks, in the form of Standard Webhooks.
 *
 * After a rotation the previous secret also signs for a while, so that receivers can change over. The sender
 * computes signatures.
 */
import * as Encoding from "effect/Encoding"
import * as Schema from "effect/Schema"
import { OrgId } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"

/** The number of random bytes of a secret: the size of the digest. */
export const SECRET_BYTES = 32

/** The prefix of every secret, for scanners of leaked secrets. */
export const SECRET_PREFIX = "whsec_"

/** How long the previous secret also signs. */
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

/** A new secret before the current one; the previous one stops signing at once. */
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
