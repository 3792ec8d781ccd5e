/** The messages between threads: files, documents and problems as plain values. */
import type { ReadEvidence } from "@attestry/core/EvidenceReader"
import type { Timestamp } from "@attestry/core/Timestamp"
import type { TrustPolicyDocument } from "@attestry/core/TrustPolicyDocument"
import type { ProblemKind } from "../../EvidenceProblem.js"

/** The start data of a worker. */
export interface ReaderEquipment {
  /** The texts of trust roots by their names. */
  readonly roots: ReadonlyMap<string, string>
  /** The most bytes of a file, packed and unpacked. */
  readonly fileBytes: number
}

/** A file to read and verify. */
export interface ReaderTask {
  readonly bytes: Uint8Array
  readonly trust: TrustPolicyDocument
  readonly now: Timestamp
}

/** The result of a task. */
export type ReaderResult =
  | { readonly _tag: "Read"; readonly evidence: ReadEvidence }
  | {
      readonly _tag: "Refused"
      readonly kind: ProblemKind
      readonly message: string
      readonly line: number | null
    }

/** A message of a worker: it is ready, or the result of a task, whose documents are packed. */
export type ReaderMessage =
  | { readonly _tag: "Ready" }
  | { readonly _tag: "Packed"; readonly parts: ReadonlyArray<Uint8Array<ArrayBuffer>> }
  | Exclude<ReaderResult, { readonly _tag: "Read" }>
