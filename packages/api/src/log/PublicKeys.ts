/** The public keys that sign logs, as a JWK set. SPEC §4.22 */
import { OrgName } from "@attestry/core/Identifier"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"
import { optional } from "../shared/QueryParam.js"

/** The media type of a JWK set (RFC 7517 section 8.5). */
export const JWK_SET = "application/jwk-set+json"

/** A public key of a log (RFC 8037), named by its thumbprint (RFC 7638). */
const PublicKey = Schema.Struct({
  kty: Schema.Literal("OKP"),
  crv: Schema.Literal("Ed25519"),
  x: Schema.String,
  kid: Schema.String,
  use: Schema.Literal("sig"),
  alg: Schema.Literal("EdDSA"),
  "attestry:purpose": Schema.Literal("log"),
  "attestry:org": Schema.String,
  "attestry:origin": Schema.String,
  "attestry:vkey": Schema.String,
  "attestry:retired_at": Schema.NullOr(EpochSeconds)
}).annotations({ identifier: "PublicKey" })

/** Public keys, retired ones included. */
export const PublicKeys = Schema.Struct({ keys: Schema.Array(PublicKey) })
  .annotations({ identifier: "PublicKeys" })
  .pipe(HttpApiSchema.withEncoding({ kind: "Json", contentType: JWK_SET }))

/** Whose keys are wanted. */
export const PublicKeyParams = Schema.Struct({
  org: optional(
    OrgName,
    "Only the keys of this org. Needs an API key of the org unless its log is public."
  )
})
