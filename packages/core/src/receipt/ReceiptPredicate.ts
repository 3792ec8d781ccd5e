/** The two predicates in which a decision receipt is written, by in-toto and SLSA. */

/** A Verification Summary (SLSA 1.2), or a Simple Verification Result. */
export type ReceiptPredicate = "vsa" | "svr"

/** The type of an in-toto statement. */
export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1"

/** The types of the predicates. */
export const TYPES: { readonly [predicate in ReceiptPredicate]: string } = {
  vsa: "https://slsa.dev/verification_summary/v1",
  svr: "https://in-toto.io/attestation/svr/v0.2"
}

/** The media types of envelopes with the predicates. */
export const MEDIA_TYPES: { readonly [predicate in ReceiptPredicate]: string } = {
  vsa: "application/vnd.in-toto.vsa+dsse",
  svr: "application/vnd.in-toto.svr+dsse"
}

/** The level of an artifact, and the property of one, that is compliant. */
export const COMPLIANT = "ATTESTRY_COMPLIANT"

/** What a build level (SLSA) begins with; its number follows. */
export const BUILD_LEVEL = "SLSA_BUILD_LEVEL_"

/** The member of both predicates that holds what they have no member for. */
export const EXTENSION = "urn:attestry:receipt:1"
