/** What held or stood at an instant, of what was written with its place in the order of knowledge. */
import * as Knowledge from "../../shared/Knowledge.js"
import type { Timestamp } from "../../shared/Timestamp.js"

/** The last of versions, oldest first, that was accepted by an instant; undefined where none was. */
export const versionAt = <A extends Knowledge.Knowledge>(
  versions: ReadonlyArray<A>,
  instant: Timestamp
): A | undefined =>
  versions.filter((version) => Knowledge.isVisible(version, Knowledge.asOf(instant))).at(-1)
