/**
 * Port: reads and verifies evidence files.
 *
 * Results depend on the bytes, the trust policy, the trust roots and the time alone. Reading is bounded in time and
 * memory, and opens no connection. The default refuses every file; `@attestry/evidence-intake` provides a reader.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { OrgId } from "../shared/Identifier.js"
import type { TrustPolicyDocument } from "../trust-policy/TrustPolicyDocument.js"
import type { EvidenceFacts, ScanFinding, Subject, VexStatement } from "./EvidenceFacts.js"
import type { EvidenceVerification } from "./EvidenceVerification.js"

/** A component with a purl. */
export interface ReadComponent {
  /** Normalised by the rules of its type, without qualifiers and subpath. */
  readonly purl: string
  readonly type: string
  /** With its namespace. */
  readonly name: string
  readonly version: string | null
}

/** A document of a file, read and verified. */
export interface ReadDocument {
  /** The line of the file in JSON lines, from 1; null otherwise. */
  readonly line: number | null
  readonly facts: EvidenceFacts
  /** All subjects, each once. */
  readonly subjects: ReadonlyArray<Subject>
  readonly verification: EvidenceVerification
  /** The build level of the rule that applied; null without one. */
  readonly buildLevel: number | null
  /** The type of the predicate of a statement; null for other documents. */
  readonly predicateType: string | null
  /** The components of a bill of materials with a purl, or the images that provenance names; each once. */
  readonly components: ReadonlyArray<ReadComponent>
  /** All findings of a scan. */
  readonly findings: ReadonlyArray<ScanFinding>
  /** All statements of VEX. */
  readonly statements: ReadonlyArray<VexStatement>
}

/** A line of a file that was passed over. */
export interface IgnoredLine {
  readonly line: number
  readonly reason: string
}

/** A file that was read and verified. */
export interface ReadEvidence {
  readonly documents: ReadonlyArray<ReadDocument>
  readonly ignored: ReadonlyArray<IgnoredLine>
}

/** The file has content that cannot be read. */
export class EvidenceUnreadable extends Schema.TaggedError<EvidenceUnreadable>()(
  "EvidenceUnreadable",
  {
    problem: Schema.String,
    /** The line of the file, from 1; null if the problem has none. */
    line: Schema.NullOr(Schema.Int)
  }
) {
  override get message(): string {
    return `the file cannot be read: ${this.problem}`
  }
}

/** The file, or what it unpacks to, is larger than is read. */
export class EvidenceTooLarge extends Schema.TaggedError<EvidenceTooLarge>()("EvidenceTooLarge", {
  problem: Schema.String
}) {
  override get message(): string {
    return `the file is too large: ${this.problem}`
  }
}

/** The file is an archive of other files. */
export class EvidenceIsArchive extends Schema.TaggedError<EvidenceIsArchive>()(
  "EvidenceIsArchive",
  {}
) {
  override get message(): string {
    return "the file is an archive"
  }
}

/** Every reader is busy, and too many files wait. */
export class EvidenceReadersBusy extends Schema.TaggedError<EvidenceReadersBusy>()(
  "EvidenceReadersBusy",
  {}
) {
  override get message(): string {
    return "every reader of evidence files is busy"
  }
}

/** Why a file is not read. */
export type EvidenceReadError =
  | EvidenceUnreadable
  | EvidenceTooLarge
  | EvidenceIsArchive
  | EvidenceReadersBusy

/** A file to read, by the trust policy of its org. */
export interface ReadRequest {
  readonly org: OrgId
  readonly bytes: Uint8Array
  readonly trust: TrustPolicyDocument
}

/** A reader of evidence files. The files of one org do not delay those of other orgs for long. */
export interface EvidenceReading {
  /** The version of the reader, which is kept with documents. */
  readonly version: string
  readonly read: (request: ReadRequest) => Effect.Effect<ReadEvidence, EvidenceReadError>
}

const noReader: EvidenceReading = {
  version: "none",
  read: () =>
    Effect.fail(
      new EvidenceUnreadable({ problem: "This deployment reads no evidence files", line: null })
    )
}

/** Port: the reader of evidence files. */
export class EvidenceReader extends Context.Reference<EvidenceReader>()(
  "@attestry/core/EvidenceReader",
  { defaultValue: (): EvidenceReading => noReader }
) {}
