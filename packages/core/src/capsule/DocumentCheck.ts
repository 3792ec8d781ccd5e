/**
 * The repeated verification of signed evidence in a capsule, by the trust policy and the trust roots inside. Those who
 * verify give the check, because cryptography of evidence is not in core.
 */
import type { EvidenceVerification } from "../evidence/EvidenceVerification.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { TrustRoots } from "./Capsule.js"

/** A document to verify again, as it was verified when it was accepted. */
export interface DocumentQuestion {
  /** The bytes of the file. */
  readonly bytes: Uint8Array
  /** The place of the document in the file, from 1. */
  readonly position: number
  /** The text of the trust policy. */
  readonly policy: string
  /** The rule that was applied: alone it must trust the signer. Null for every rule. */
  readonly rule: string | null
  /** The texts of trust roots, by name. */
  readonly roots: ReadonlyMap<string, string>
  readonly at: Timestamp
}

/** A document as it was read and verified again. */
export interface CheckedDocument {
  readonly verification: EvidenceVerification
  /** What the document says, without what was decided about it. */
  readonly facts: { readonly [member: string]: unknown }
}

/** Verifies a document again; a text says why that is not possible. */
export type DocumentCheck = (question: DocumentQuestion) => CheckedDocument | string

/** What the documents of a capsule are checked again with. */
export interface DocumentEvidence {
  readonly check: DocumentCheck
  /** The content of `trust-roots.json`; undefined where it is not inside. */
  readonly trust: TrustRoots | undefined
  /** The content of a file; undefined where it is not inside. */
  readonly fileOf: (sha256: string) => Uint8Array | undefined
}
