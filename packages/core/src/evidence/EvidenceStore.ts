/** Port: accepted documents, their attestations, and the subjects by which they find artifacts; append-only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { AttestationId, FlowId, OrgId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Locking } from "../shared/Transaction.js"
import type { EvidenceKind } from "./EvidenceKind.js"
import type {
  DocumentKey,
  EvidenceLink,
  EvidenceRecord,
  EvidenceSubject,
  EvidenceTarget
} from "./EvidenceRecord.js"
import type { VerificationState } from "./EvidenceVerification.js"

/** Which documents are listed; all given conditions must hold. */
export interface EvidenceQuery {
  readonly kind?: EvidenceKind
  readonly state?: VerificationState
  readonly predicateType?: string
  /** With this subject, or with an attestation about this fingerprint. */
  readonly fingerprint?: Fingerprint
  /** Whether a subject waits, because no artifact has its fingerprint. */
  readonly isWaiting?: boolean
  /** With an attestation in one of these flows. */
  readonly flows?: ReadonlyArray<FlowId>
}

/** A document of an org. */
export interface DocumentOfOrg extends DocumentKey {
  readonly org: OrgId
}

/** Port: accepted documents. */
export class EvidenceStore extends Context.Tag("@attestry/core/EvidenceStore")<
  EvidenceStore,
  {
    /** The documents of a file by their places; empty when the org does not have the file. */
    readonly listByDigest: (
      org: OrgId,
      digest: Fingerprint
    ) => Effect.Effect<ReadonlyArray<EvidenceRecord>, StoreError>
    /** The document at a place; none when there is none. */
    readonly find: (key: DocumentOfOrg) => Effect.Effect<Option.Option<EvidenceRecord>, StoreError>
    /** One page of the documents that pass the query, newest first. */
    readonly list: (
      org: OrgId,
      query: EvidenceQuery,
      page: Page
    ) => Effect.Effect<Paged<EvidenceRecord>, StoreError>
    /**
     * Locks a file until the transaction ends: others that lock it wait. Acceptances of one file take turns.
     */
    readonly lockFile: (org: OrgId, digest: Fingerprint) => Effect.Effect<void, StoreError>
    /** Adds a document. The caller holds the lock of its file, and there is none at its place. */
    readonly append: (record: EvidenceRecord) => Effect.Effect<void, StoreError>
    /** Adds subjects of documents, and returns those that were not there. */
    readonly addSubjects: (
      org: OrgId,
      subjects: ReadonlyArray<EvidenceSubject>
    ) => Effect.Effect<ReadonlyArray<EvidenceSubject>, StoreError>
    /**
     * The subjects with this fingerprint, in ascending order of digest, place and name. Waits for acceptances that have
     * locked the fingerprint as a target, and makes later ones wait until the transaction ends.
     */
    readonly holdSubjects: (
      org: OrgId,
      fingerprint: Fingerprint
    ) => Effect.Effect<ReadonlyArray<EvidenceSubject>, StoreError>
    /**
     * The newest artifact record of each fingerprint in each flow, in ascending order of trail and fingerprint. With
     * `lock` it first waits for transactions that hold subjects of these fingerprints, and makes later ones wait until
     * the transaction ends.
     */
    readonly listTargets: (
      org: OrgId,
      fingerprints: ReadonlyArray<Fingerprint>,
      locking?: Locking
    ) => Effect.Effect<ReadonlyArray<EvidenceTarget>, StoreError>
    /** Adds an attestation of a document; does nothing when it is there. */
    readonly appendLink: (link: EvidenceLink) => Effect.Effect<void, StoreError>
    /** The attestations of a document, oldest first. */
    readonly listLinks: (
      key: DocumentOfOrg
    ) => Effect.Effect<ReadonlyArray<AttestationId>, StoreError>
  }
>() {}
