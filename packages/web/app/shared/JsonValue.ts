/** Safe reads of values that may have any shape: pipelines choose the shape of their attachments. */

/** Whether a value is an object and not a list. */
export const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The members of an object; none of anything else. */
export const membersOf = (value: unknown): ReadonlyMap<string, unknown> =>
  isRecord(value) ? new Map(Object.entries(value)) : new Map()

/** The member of an object. */
export const member = (value: unknown, name: string): unknown => membersOf(value).get(name)

/** The items of an array; none of anything else. */
export const itemsOf = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : []

/** A text that is not empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

/** A number; 0 for anything else. */
export const numberOf = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) ? value : 0

/** The sum of one member over all items. */
export const sumOf = (items: ReadonlyArray<unknown>, name: string): number =>
  items.reduce<number>((sum, item) => sum + numberOf(member(item, name)), 0)

/** Whether there is something to show: neither null nor empty. */
export const isFilled = (value: unknown): boolean => {
  if (value === null || value === undefined || value === "") return false
  if (Array.isArray(value)) return value.length > 0
  return typeof value === "object" ? Object.keys(value).length > 0 : true
}
