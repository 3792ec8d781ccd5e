/** AC-14: each member of a masked answer equals that of the whole one, or is null, empty or absent beside `hidden`. */

/** Members that are made anew: the description of a reason, and the link to a page that names the primary flow. */
const MADE_ANEW = new Set(["description", "html_url"])

/** Members that tell when they were asked. */
const CLOCKS = new Set(["duration", "as_of"])

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0)

/** What of a list is left is in the order of the whole one. */
const isPart = (
  masked: ReadonlyArray<unknown>,
  whole: ReadonlyArray<unknown>,
  isHidden: boolean
): boolean => {
  let at = 0
  return masked.every((item) => {
    while (at < whole.length && !isMaskOf(item, whole[at], isHidden)) at++
    return at++ < whole.length
  })
}

/** Whether a masked answer says nothing that the whole one does not say. */
export const isMaskOf = (masked: unknown, whole: unknown, isHidden = false): boolean => {
  if (Array.isArray(masked) && Array.isArray(whole))
    return masked.length === whole.length
      ? isPart(masked, whole, isHidden)
      : isHidden && isPart(masked, whole, isHidden)
  if (isObject(masked) && isObject(whole)) {
    const within = isHidden || masked.hidden !== undefined
    return [...new Set([...Object.keys(masked), ...Object.keys(whole)])].every(
      (name) =>
        name === "hidden" ||
        CLOCKS.has(name) ||
        (masked.hidden !== undefined && MADE_ANEW.has(name)) ||
        isMaskOf(masked[name], whole[name], within)
    )
  }
  return JSON.stringify(masked) === JSON.stringify(whole) || (isHidden && isEmpty(masked))
}
