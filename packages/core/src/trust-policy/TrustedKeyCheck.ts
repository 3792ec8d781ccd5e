/**
 * Port: whether a public key of a trust policy can verify signatures.
 *
 * Core knows the form of PEM alone. The default accepts every key; `@attestry/evidence-intake` knows keys.
 */
import * as Context from "effect/Context"

/** Why a key in PEM cannot verify signatures; null if it can. Total, and without the text of the key. */
export type KeyProblemOf = (pem: string) => string | null

/** Port: the check of public keys, when a trust policy is saved. */
export class TrustedKeyCheck extends Context.Reference<TrustedKeyCheck>()(
  "@attestry/core/TrustedKeyCheck",
  { defaultValue: (): KeyProblemOf => () => null }
) {}
