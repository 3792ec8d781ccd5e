/** Why evidence could not be gathered from this machine. */
import * as Data from "effect/Data"

/** A file, a folder or a working tree does not hold what was asked of it. */
export class EvidenceError extends Data.TaggedError("EvidenceError")<{
  /** The file or folder that it is about. */
  readonly path: string
  readonly detail: string
  readonly cause?: unknown
}> {
  override get message(): string {
    return `${this.path}: ${this.detail}`
  }
}
