/** The version of a resource at an instant. */
import * as CommitPosition from "../../shared/CommitPosition.js"
import type { Timestamp } from "../../shared/Timestamp.js"

/** The last version accepted by an instant; undefined before the first. Versions are oldest first. */
export const versionAt = <A extends CommitPosition.CommitPosition>(
  versions: ReadonlyArray<A>,
  instant: Timestamp
): A | undefined =>
  versions
    .filter((version) => CommitPosition.isVisible(version, CommitPosition.asOf(instant)))
    .at(-1)
