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
  "H1",
  "H2",
  "H3",
  "H4",
  "H5",
  "J1",
  "J2",
  "J3",
  "J4",
  "J5",
  "D1",
  "D2"
]

/** Open paths. */
export const PLAIN_NOT_BUILT_YET: ReadonlyArray<string> = []
