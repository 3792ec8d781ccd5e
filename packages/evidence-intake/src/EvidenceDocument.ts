/**
 * An evidence document that was read: its facts, the signed bytes that verification needs, and the lists that facts
 * cut.
 *
 * A file has one document, or several (JSON lines, an answer of GitHub's API).
 */
import type {
  EvidenceFacts,
  ScanFinding,
  Subject,
  VexStatement
} from "@attestry/core/EvidenceFacts"

/** A signature of an envelope. */
export interface EnvelopeSignature {
  /** A hint of the signer; never trusted. */
  readonly keyId: string | null
  readonly bytes: Uint8Array
}

/** The envelope of DSSE around a document. */
export interface Envelope {
  readonly payloadType: string
  readonly payload: Uint8Array
  readonly signatures: ReadonlyArray<EnvelopeSignature>
}

/** What verification checks: nothing, an envelope, or a Sigstore bundle as the JSON value of the file. */
export type Signed =
  | { readonly kind: "none" }
  | { readonly kind: "dsse"; readonly envelope: Envelope }
  | {
      readonly kind: "sigstore"
      readonly bundle: unknown
      /** The envelope of the bundle; null for the signature of a bare file. */
      readonly envelope: Envelope | null
    }

/** A component with a purl. */
export interface Component {
  /** Normalised by the rules of its type, without qualifiers and subpath. */
  readonly purl: string
  readonly type: string
  /** With its namespace. */
  readonly name: string
  readonly version: string | null
}

/** A document that was read. */
export interface EvidenceDocument {
  /** The line of the file in JSON lines, from 1; null otherwise. */
  readonly line: number | null
  readonly facts: EvidenceFacts
  /** All subjects, each once. */
  readonly subjects: ReadonlyArray<Subject>
  readonly signed: Signed
  /** The type of the predicate of a statement; null for other documents. */
  readonly predicateType: string | null
  /** The external parameters of provenance; empty for other kinds. */
  readonly parameters: { readonly [name: string]: unknown }
  /**
   * The components of a bill of materials with a purl, or the images that provenance names as dependencies; each once,
   * sorted by purl. Empty for other kinds.
   */
  readonly components: ReadonlyArray<Component>
  /** All findings of a scan; empty for other kinds. */
  readonly findings: ReadonlyArray<ScanFinding>
  /** All statements of VEX; empty for other kinds. */
  readonly statements: ReadonlyArray<VexStatement>
}

/** A line of a file that was passed over. */
export interface IgnoredLine {
  readonly line: number
  readonly reason: string
}

/** A file that was read. */
export interface EvidenceFile {
  /** The SHA-256 of the bytes as sent. */
  readonly digest: string
  readonly size: number
  readonly documents: ReadonlyArray<EvidenceDocument>
  readonly ignored: ReadonlyArray<IgnoredLine>
}
