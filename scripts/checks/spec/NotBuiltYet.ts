/** Operations of the specification that are not served yet. The list only shrinks: what is built leaves it. */
import type { OperationId } from "../SpecPaths.js"

/** Numbers of the endpoint index. */
export const NOT_BUILT_YET: ReadonlyArray<OperationId> = [
  "L1",
  "L2",
  "L3",
  "X1",
  "E2",
  "E4",
  "E5",
  "E6",
  "E7",
  "E8",
  "E9",
  "E10",
  "E11",
  "P1",
  "P3",
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
  "C10",
  "D1",
  "D2"
]

/** Open paths. */
export const PLAIN_NOT_BUILT_YET: ReadonlyArray<string> = []
