/**
 * The keys that a holder of receipts trusts, from the texts in which keys are given: a JWK set as `/keys` answers it
 * (RFC 7517), or lines with verifier keys of C2SP signed-note. Total: one that cannot be read refuses the whole text.
 */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as PublicKeySet from "../log/PublicKeySet.js"
import * as Timestamp from "../shared/Timestamp.js"
import type { ReceiptKey } from "./Receipt.js"

/** The most keys of a text that is read. */
export const KEYS_MAX = 1_000

type Fields = { readonly [name: string]: unknown }

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

const endOf = (value: unknown): Option.Option<Timestamp.Timestamp | null> => {
  if (value === null || value === undefined) return Option.some(null)
  return typeof value === "number" && Number.isFinite(value)
    ? Option.some(Timestamp.fromSeconds(value))
    : Option.none()
}

const keyOf = (
  { name: origin, publicKey, type }: SignedNote.VerifierKey,
  retiredAt: Timestamp.Timestamp | null
): Option.Option<ReceiptKey> =>
  type === SignedNote.ED25519
    ? Option.some({
        kid: PublicKeySet.thumbprint(Base64.encodeUrl(publicKey)),
        publicKey,
        origin,
        retiredAt
      })
    : Option.none()

/** The key of a JWK, whose members must all name the same key. */
const fromJwk = (jwk: unknown): Option.Option<ReceiptKey> => {
  if (!isFields(jwk) || typeof jwk["attestry:vkey"] !== "string") return Option.none()
  return Option.all([
    SignedNote.parseKey(jwk["attestry:vkey"]),
    endOf(jwk["attestry:retired_at"])
  ]).pipe(
    Option.flatMap(([key, retiredAt]) => keyOf(key, retiredAt)),
    Option.filter(({ kid, publicKey }) => jwk.kid === kid && jwk.x === Base64.encodeUrl(publicKey))
  )
}

const fromJson = (text: string): Option.Option<ReadonlyArray<ReceiptKey>> => {
  const set = Either.getOrUndefined(Either.try((): unknown => JSON.parse(text)))
  return isFields(set) && Array.isArray(set.keys) && set.keys.length <= KEYS_MAX
    ? Option.all(set.keys.map(fromJwk))
    : Option.none()
}

const fromLines = (text: string): Option.Option<ReadonlyArray<ReceiptKey>> => {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#"))
  return lines.length <= KEYS_MAX
    ? Option.all(
        lines.map((line) =>
          Option.flatMap(SignedNote.parseKey(line.trim()), (key) => keyOf(key, null))
        )
      )
    : Option.none()
}

/** Reads keys in either form. None for another form, and for a text without a key. */
export const parse = (text: string): Option.Option<ReadonlyArray<ReceiptKey>> =>
  Option.filter(
    text.trimStart().startsWith("{") ? fromJson(text) : fromLines(text),
    (keys) => keys.length > 0
  )
