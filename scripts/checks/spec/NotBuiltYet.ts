/** Operations of the specification that are not served yet. The list only shrinks: what is built leaves it. */
import type { OperationId } from "../SpecPaths.js"

/** Numbers of the endpoint index. */
export const NOT_BUILT_YET: ReadonlyArray<OperationId> = [
  "H1",
  "H2",
  "H3",
  "H4",
  "H5",
  "J1",
  "J2",
  "J3",
  "J4",
  "J5"
]

/** Open paths. */
export const PLAIN_NOT_BUILT_YET: ReadonlyArray<string> = []
