/** Why evidence cannot be read from this machine. */
import * as Data from "effect/Data"

/** A file, a folder or a working tree does not have the requested content. */
export class EvidenceError extends Data.TaggedError("EvidenceError")<{
  /** The file or folder. */
  readonly path: string
  readonly detail: string
  readonly cause?: unknown
}> {
  override get message(): string {
    return `${this.path}: ${this.detail}`
  }
}
