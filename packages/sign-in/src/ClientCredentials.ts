/** What a client proves itself with to its provider: a secret, or a private key (RFC 7523). */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** What a client proves itself with. */
export type ClientCredentials =
  | { readonly _tag: "Secret"; readonly secret: Redacted.Redacted<string> }
  | {
      readonly _tag: "PrivateKey"
      readonly key: CryptoKey
      /** The text of the key, from which the key of sealed cookies is derived. */
      readonly pem: Redacted.Redacted<string>
    }

/** A text is no private key that can sign for a client; the text is not shown. */
export class UnusableKey extends Schema.TaggedError<UnusableKey>()("UnusableKey", {}) {
  override get message(): string {
    return (
      "not an unencrypted private key in PEM (`BEGIN PRIVATE KEY`) of RSA with 2048 bits or more, " +
      "P-256, P-384 or Ed25519"
    )
  }
}

/** A client secret. */
export const ofSecret = (secret: Redacted.Redacted<string>): ClientCredentials => ({
  _tag: "Secret",
  secret
})

const PEM = /^\s*-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----\s*$/

/** The kinds of keys, each with the algorithm by which it signs. */
const KINDS = [
  { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  { name: "ECDSA", namedCurve: "P-256" },
  { name: "ECDSA", namedCurve: "P-384" },
  { name: "Ed25519" }
] as const

const RSA_BITS_MIN = 2_048

const isStrong = ({ algorithm }: CryptoKey): boolean =>
  !("modulusLength" in algorithm) || Number(algorithm.modulusLength) >= RSA_BITS_MIN

/** A private key in PEM: PKCS #8, not encrypted. */
export const ofPrivateKey = (
  pem: Redacted.Redacted<string>
): Effect.Effect<ClientCredentials, UnusableKey> => {
  const [, body = ""] = PEM.exec(Redacted.value(pem)) ?? []
  const bytes = Encoding.decodeBase64(body.replace(/\s/g, ""))
  if (Either.isLeft(bytes) || bytes.right.length === 0) return new UnusableKey()
  const der = Uint8Array.from(bytes.right)
  const read = (kind: (typeof KINDS)[number]) =>
    Effect.tryPromise({
      try: () => crypto.subtle.importKey("pkcs8", der, kind, false, ["sign"]),
      catch: () => new UnusableKey()
    })
  return Effect.firstSuccessOf(KINDS.map(read)).pipe(
    Effect.filterOrFail(isStrong, () => new UnusableKey()),
    Effect.map((key): ClientCredentials => ({ _tag: "PrivateKey", key, pem }))
  )
}

/** The bytes that only the client and the provider's operator know. */
export const secretBytes = (credentials: ClientCredentials): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(
    Redacted.value(credentials._tag === "Secret" ? credentials.secret : credentials.pem)
  )
