/**
 * Why a file is not read. Messages name the part of the file and the rule, never its content.
 */
import * as Data from "effect/Data"

/** The class of a problem: the content cannot be read, is too large, or is an archive. */
export type ProblemKind = "unreadable" | "too_large" | "archive"

/** A file that is not read. */
export class EvidenceProblem extends Data.TaggedError("EvidenceProblem")<{
  readonly kind: ProblemKind
  readonly message: string
  /** The line of the file in JSON lines and text formats, from 1; null otherwise. */
  readonly line: number | null
}> {}
