/** The size limit of a schema: compiling takes more than linear time in the number of nested schemas. */

/** The largest number of objects in a schema. */
export const OBJECTS_MAX = 5_000
/** The largest number of nested schemas with an id. */
export const ADDRESSES_MAX = 20

interface Size {
  objects: number
  addresses: number
}

const add = (size: Size, value: unknown): void => {
  if (typeof value !== "object" || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) add(size, item)
    return
  }
  size.objects += 1
  if ("$id" in value) size.addresses += 1
  for (const member of Object.values(value)) add(size, member)
}

/** Why a schema is too large, or `null`. */
export const check = (schema: unknown): string | null => {
  const size: Size = { objects: 0, addresses: 0 }
  add(size, schema)
  if (size.objects > OBJECTS_MAX) return `Schema should have at most ${OBJECTS_MAX} objects`
  return size.addresses > ADDRESSES_MAX
    ? `Schema should have at most ${ADDRESSES_MAX} addresses (\`$id\`)`
    : null
}
