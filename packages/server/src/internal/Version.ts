/** The version of this program in its package.json. */
import { createRequire } from "node:module"
import * as Predicate from "effect/Predicate"

/** The version, such as `1.4.0`. */
export const read = (): string => {
  const found: unknown = createRequire(import.meta.url)("../../package.json")
  return Predicate.hasProperty(found, "version") ? String(found.version) : "unknown"
}
