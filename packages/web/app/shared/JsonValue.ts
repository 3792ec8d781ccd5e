/** Safe access to JSON values of any shape, such as the attachments that pipelines send. */

/** Whether a value is an object and not an array. */
export const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The members of an object; empty for any other value. */
export const membersOf = (value: unknown): ReadonlyMap<string, unknown> =>
  isRecord(value) ? new Map(Object.entries(value)) : new Map()

export const member = (value: unknown, name: string): unknown => membersOf(value).get(name)

/** The items of an array; empty for any other value. */
export const itemsOf = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : []

/** A non-empty string; undefined for any other value. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

/** A number; 0 for any other value. */
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
