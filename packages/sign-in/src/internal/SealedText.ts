/**
 * Texts that wait in a browser: encrypted and authenticated with AES-256-GCM, under a key that every server of a
 * deployment derives alike from the credentials of the client (HKDF-SHA-256).
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as RedactedText from "effect/Redacted"
import { type ClientCredentials, secretBytes } from "../ClientCredentials.js"

const IV_BYTES = 12
/** A longer text was not sealed here. */
const LENGTH_MAX = 8_192

const encoder = new TextEncoder()

/** Seals and opens texts; the purpose is part of the key, so that a text of another provider does not open. */
export interface Sealing {
  readonly seal: (text: string) => Effect.Effect<Redacted.Redacted<string>>
  /** The text; none where it was not sealed here, or was changed. */
  readonly open: (sealed: Redacted.Redacted<string>) => Effect.Effect<Option.Option<string>>
}

const deriveKey = async (credentials: ClientCredentials, purpose: string): Promise<CryptoKey> => {
  const secret = await crypto.subtle.importKey("raw", secretBytes(credentials), "HKDF", false, [
    "deriveKey"
  ])
  return await crypto.subtle.deriveKey(
    {
      name: "HKDF",
      hash: "SHA-256",
      salt: encoder.encode("attestry sign-in"),
      info: encoder.encode(purpose)
    },
    secret,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"]
  )
}

/** The sealing of a client. */
export const make = (credentials: ClientCredentials, purpose: string): Effect.Effect<Sealing> =>
  Effect.map(
    Effect.promise(() => deriveKey(credentials, purpose)),
    (key) => ({
      seal: (text) =>
        Effect.promise(async () => {
          const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
          const sealed = await crypto.subtle.encrypt(
            { name: "AES-GCM", iv },
            key,
            encoder.encode(text)
          )
          const bytes = new Uint8Array(IV_BYTES + sealed.byteLength)
          bytes.set(iv)
          bytes.set(new Uint8Array(sealed), IV_BYTES)
          return RedactedText.make(Encoding.encodeBase64Url(bytes))
        }),
      open: (sealed) => {
        const text = RedactedText.value(sealed)
        const decoded =
          text.length > LENGTH_MAX ? Option.none() : Either.getRight(Encoding.decodeBase64Url(text))
        if (Option.isNone(decoded) || decoded.value.length <= IV_BYTES) return Effect.succeedNone
        const bytes = Uint8Array.from(decoded.value)
        return Effect.option(
          Effect.tryPromise(async () =>
            new TextDecoder().decode(
              await crypto.subtle.decrypt(
                { name: "AES-GCM", iv: bytes.slice(0, IV_BYTES) },
                key,
                bytes.slice(IV_BYTES)
              )
            )
          )
        )
      }
    })
  )
