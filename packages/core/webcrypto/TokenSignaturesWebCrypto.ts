/** Verifies signatures on `globalThis.crypto`. */
import type { SignedContent } from "@attestry/core/Secrets"
import * as Effect from "effect/Effect"

interface Verifier {
  readonly key: RsaHashedImportParams | EcKeyImportParams | Algorithm
  readonly signature: RsaPssParams | EcdsaParams | Algorithm
}

/** The salt of PS256 has the length of its digest. RFC 7518 §3.5 */
const SALT_BYTES = 32

const VERIFIERS: { readonly [Name in SignedContent["algorithm"]]: Verifier } = {
  RS256: {
    key: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
    signature: { name: "RSASSA-PKCS1-v1_5" }
  },
  PS256: {
    key: { name: "RSA-PSS", hash: "SHA-256" },
    signature: { name: "RSA-PSS", saltLength: SALT_BYTES }
  },
  ES256: {
    key: { name: "ECDSA", namedCurve: "P-256" },
    signature: { name: "ECDSA", hash: "SHA-256" }
  },
  ES384: {
    key: { name: "ECDSA", namedCurve: "P-384" },
    signature: { name: "ECDSA", hash: "SHA-384" }
  },
  EdDSA: { key: { name: "Ed25519" }, signature: { name: "Ed25519" } }
}

/** The members of a public key alone: others, such as `alg` and `key_ops`, are not the signer's to choose. */
const jwkOf = ({ kty, crv, n, e, x, y }: SignedContent["key"]): JsonWebKey => ({
  kty,
  ...(crv === undefined ? {} : { crv }),
  ...(n === undefined ? {} : { n }),
  ...(e === undefined ? {} : { e }),
  ...(x === undefined ? {} : { x }),
  ...(y === undefined ? {} : { y })
})

/** Whether a signature is right; false for a key that cannot be read. */
export const verify = ({
  algorithm,
  key,
  content,
  signature
}: SignedContent): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const { key: imported, signature: verified } = VERIFIERS[algorithm]
    try {
      const readable = await crypto.subtle.importKey("jwk", jwkOf(key), imported, false, ["verify"])
      return await crypto.subtle.verify(
        verified,
        readable,
        new Uint8Array(signature),
        new TextEncoder().encode(content)
      )
    } catch {
      // WHY: a key of another form, or a signature of another length, verifies nothing.
      return false
    }
  })
