/** The public keys of logs as JWKs (RFC 7517, RFC 8037), each named by its thumbprint (RFC 7638). Pure. */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as Option from "effect/Option"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import type { OrgName } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"
import type { RecordedKey } from "./Log.js"

/** A public key, and the log that it signs. */
export interface PublicKey {
  /** The key in Base64url, without padding. */
  readonly x: string
  readonly kid: string
  readonly org: OrgName
  readonly origin: string
  readonly vkey: string
  readonly retiredAt: Timestamp.Timestamp | null
}

/** The thumbprint of an Ed25519 key. */
export const thumbprint = (x: string): string =>
  Sha256.digestUrl(CanonicalJson.print({ crv: "Ed25519", kty: "OKP", x }))

/** The JWK of a recorded key; none for a key of another type. */
export const fromRecorded = (
  org: OrgName,
  { vkey, retired_at }: RecordedKey
): Option.Option<PublicKey> =>
  Option.map(SignedNote.parseKey(vkey), ({ name, publicKey }) => {
    const x = Base64.encodeUrl(publicKey)
    return { x, kid: thumbprint(x), org, origin: name, vkey, retiredAt: retired_at }
  })

/** A key in JSON (RFC 7517, RFC 8037), with what it signs. */
export const toJwk = ({ kid, org, origin, retiredAt, vkey, x }: PublicKey) => ({
  kty: "OKP",
  crv: "Ed25519",
  x,
  kid,
  use: "sig",
  alg: "EdDSA",
  "attestry:purpose": "log",
  "attestry:org": org,
  "attestry:origin": origin,
  "attestry:vkey": vkey,
  "attestry:retired_at": retiredAt === null ? null : Timestamp.toSeconds(retiredAt)
})

/** The keys of a log, as capsules keep them. */
export const print = (keys: ReadonlyArray<PublicKey>): string =>
  CanonicalJson.print({ keys: keys.map(toJwk) })
