/** Operations of the specification that are not served yet. The list only shrinks: what is built leaves it. */
import type { OperationId } from "../SpecPaths.js"

/** Numbers of the endpoint index. */
export const NOT_BUILT_YET: ReadonlyArray<OperationId> = [
  "X1",
  "E8",
  "E9",
  "O1",
  "O1b",
  "O2",
  "O3",
  "C1",
  "C2",
  "C3",
  "C4",
  "C5",
  "C6",
  "C7",
  "C8",
  "C9",
  "C10"
]

/** Open paths. */
export const PLAIN_NOT_BUILT_YET: ReadonlyArray<string> = []
