/**
 * The text of an API key: `attestry_user_<id>_<secret><checksum>`, `attestry_service_…`, or `attestry_oidc_…` for a key
 * that an id token was exchanged for.
 *
 * The second word names the kind of owner, for people and for scanners of leaked secrets. Parsing is total.
 */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { ApiKeyId } from "../shared/Identifier.js"
import type { ApiKeyOwner } from "./ApiKey.js"
import * as SecretText from "./internal/SecretText.js"

const WORDS: { readonly [Kind in ApiKeyOwner["kind"]]: string } = {
  user: "user",
  "service-account": "service"
}
const EXCHANGED = "oidc"
const KNOWN = [...Object.values(WORDS), EXCHANGED]

/** The number of random bytes for one key. */
export const RANDOM_BYTES = SecretText.RANDOM_BYTES

/** What the text of a key says about it. */
export interface KeyName {
  readonly id: ApiKeyId
  readonly kind: ApiKeyOwner["kind"]
  /** Whether an id token was exchanged for it. */
  readonly isExchanged?: boolean
}

/** The text of a key; none when too few random bytes are usable. */
export const make = (
  { id, kind, isExchanged = false }: KeyName,
  random: Uint8Array
): Option.Option<Redacted.Redacted<string>> =>
  SecretText.make({ word: isExchanged ? EXCHANGED : WORDS[kind], id }, random)

/** The id in the text of a key; none when the text is no key or its checksum is wrong. */
export const parse = (text: string): Option.Option<ApiKeyId> =>
  SecretText.parse(text).pipe(
    Option.filter(({ word }) => KNOWN.includes(word)),
    Option.map(({ id }) => ApiKeyId.make(id))
  )

/** The text in the journal for the digest of a secret. Verification compares it; it does not reveal the digest. */
export const checkOf = (digest: string): string =>
  Base64.encodeHex(Sha256.digestText(`attestry-key${digest}`))
