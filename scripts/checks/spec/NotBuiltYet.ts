/** Operations of the specification that are not served yet. The list only shrinks: what is built leaves it. */
import type { OperationId } from "../SpecPaths.js"

/** Numbers of the endpoint index. */
export const NOT_BUILT_YET: ReadonlyArray<OperationId> = []

/** Open paths. */
export const PLAIN_NOT_BUILT_YET: ReadonlyArray<string> = []
