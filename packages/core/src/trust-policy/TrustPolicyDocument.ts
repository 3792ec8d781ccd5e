/**
 * A trust policy: whose signatures an org trusts with which evidence, and the thresholds of default outcomes.
 */

/** The severities at which a finding makes a scan non-compliant; `any` is every finding. */
export const FAIL_ON = ["any", "low", "medium", "high", "critical"] as const
/** The severity at which a finding makes a scan non-compliant. */
export type FailOn = (typeof FAIL_ON)[number]

/** A public key. */
export interface TrustedKey {
  readonly id: string
  /** The key in PEM (SubjectPublicKeyInfo). */
  readonly publicKey: string
  /** Epoch seconds from which it does not count any more; null without an end. */
  readonly validUntil: number | null
}

/** The signatures that a rule accepts: of keys, or of a Sigstore identity. */
export type TrustedSigner =
  | {
      readonly kind: "keys"
      /** Ids of keys of the policy. */
      readonly keys: ReadonlyArray<string>
      /** How many different keys must have signed. */
      readonly threshold: number
    }
  | {
      readonly kind: "sigstore"
      /** Names of trust roots. */
      readonly roots: ReadonlyArray<string>
      /** The exact issuer of the identity. */
      readonly issuer: string
      /** A pattern of the subject alternative name. */
      readonly san: string
      readonly sourceRepositoryId: string | null
    }

/** A rule: it trusts a signer with some evidence. Patterns are those of `TrustPattern`. */
export interface TrustRule {
  readonly name: string
  /** Kinds; empty if the rule names predicates instead. */
  readonly kinds: ReadonlyArray<string>
  /** Patterns of predicate types; empty if the rule names kinds. */
  readonly predicates: ReadonlyArray<string>
  readonly signer: TrustedSigner
  /** A pattern of `builder_id`; null accepts every builder. */
  readonly builder: string | null
  readonly buildLevel: number | null
  readonly source: { readonly repository: string | null; readonly ref: string | null } | null
  /** A pattern of the build type; null accepts every one. */
  readonly buildType: string | null
  /** Expected external parameters by name; null expects none. */
  readonly parameters: { readonly [name: string]: string } | null
  /** Whether external parameters that the rule does not name make a mismatch. */
  readonly strictParameters: boolean
  /** The flows whose artifacts the rule speaks about; null for all. */
  readonly flows: ReadonlyArray<string> | null
  /** Patterns of verifiers of verification summaries; null accepts every one. */
  readonly verifiers: ReadonlyArray<string> | null
  /** The properties that a simple verification result must have. */
  readonly properties: ReadonlyArray<string>
}

/** A trust policy with its defaults filled in. */
export interface TrustPolicyDocument {
  /** The address in `_schema`, as given. */
  readonly schema: string
  readonly failOn: FailOn
  /** The least line coverage in percent; null without one. */
  readonly minLines: number | null
  readonly keys: ReadonlyArray<TrustedKey>
  readonly rules: ReadonlyArray<TrustRule>
  /** The kinds whose attestations are non-compliant unless verified. */
  readonly mustBeVerified: ReadonlyArray<string>
}

/** The policy of an org without one: it trusts no signature. */
export const NONE: TrustPolicyDocument = {
  schema: "",
  failOn: "any",
  minLines: null,
  keys: [],
  rules: [],
  mustBeVerified: []
}
