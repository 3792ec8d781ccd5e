/** Says on the standard error that answers leave out what is not in the spaces of the caller. SPEC §4.33 */
import * as Json from "../shared/Json.js"
import type { Output } from "../shared/Output.js"

/** The header of answers to who reads a part of an org. */
export const HEADER = "attestry-view"

/** At most so many spaces are named. */
const NAMED_MAX = 5

/** The paths of spaces that are below no other one of them. */
const topsOf = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`))).sort()

/** The line; without spaces where they are not known. */
export const lineOf = (spaces: unknown): string => {
  const paths = Json.objects(Json.object(spaces).spaces).flatMap(({ path }) =>
    typeof path === "string" ? [path] : []
  )
  const tops = topsOf(paths)
  const more = tops.length - NAMED_MAX
  const named = `${tops.slice(0, NAMED_MAX).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
  return (
    `you see only what is in your spaces${tops.length === 0 ? "" : `: ${named}`}. ` +
    "Lists and totals leave out the rest; verdicts do not"
  )
}

/** Tells it once; `read` reads the spaces of the caller. */
export const make = (
  output: Pick<Output, "warn">
): ((read: () => Promise<unknown>) => Promise<void>) => {
  let hasWarned = false
  return async (read) => {
    if (hasWarned) return
    hasWarned = true
    // WHY no failure: the answer is there, and the line is true without the names.
    output.warn(lineOf(await read().catch(() => undefined)))
  }
}
