/** Tags of flows, environments, controls and repositories: text by key. */
import * as Schema from "effect/Schema"
import * as Dictionary from "./Dictionary.js"
import { NAME_LENGTH_MAX } from "./Identifier.js"

/** The pattern of the key of a tag. */
export const TAG_KEY_PATTERN = "^[a-zA-Z0-9][a-zA-Z0-9\\-_.~]*$"

/** The key of a tag. */
export const TagKey = Schema.String.pipe(
  Schema.maxLength(NAME_LENGTH_MAX),
  Schema.pattern(new RegExp(TAG_KEY_PATTERN))
)

/** Tags by key. */
export const Tags = Dictionary.make({
  key: TagKey,
  value: Schema.String,
  members: { type: "string" }
}).annotations({ identifier: "Tags" })
/** Tags by key. */
export type Tags = typeof Tags.Type

/** Tags to set, and keys to remove; removing an absent key does nothing. */
export interface TagChange {
  readonly set: Tags
  readonly remove: ReadonlyArray<string>
}

/** The tags after a change; a key that is both set and removed is removed. */
export const apply = (tags: Tags, { set, remove }: TagChange): Tags =>
  Object.fromEntries(
    [...new Map([...Object.entries(tags), ...Object.entries(set)])].filter(
      ([key]) => !remove.includes(key)
    )
  )

/** Whether there is a tag, with the value where one is given. */
export const has = (tags: Tags, key: string, value?: string): boolean =>
  Object.entries(tags).some(
    ([name, text]) => name === key && (value === undefined || text === value)
  )

/** Whether two sets of tags are equal. */
export const equals = (left: Tags, right: Tags): boolean => {
  const entries = Object.entries(left)
  return (
    entries.length === Object.keys(right).length &&
    entries.every(([key, value]) => Object.hasOwn(right, key) && right[key] === value)
  )
}

/** What a filter asks for: `key`, or `key:value`. */
export const filterOf = (filter: string): { readonly key: string; readonly value?: string } => {
  const cut = filter.indexOf(":")
  return cut < 0 ? { key: filter } : { key: filter.slice(0, cut), value: filter.slice(cut + 1) }
}

/** Whether tags match a filter; an empty one matches nothing. */
export const matches = (tags: Tags, filter: string): boolean => {
  const { key, value } = filterOf(filter)
  return has(tags, key, value)
}

/** One tag: its key and its value. */
export const Tag = Schema.Struct({ key: Schema.String, value: Schema.String }).annotations({
  identifier: "Tag"
})
/** One tag: its key and its value. */
export type Tag = typeof Tag.Type

/** The distinct tags of some records, in any order. */
export const distinct = (records: Iterable<{ readonly tags: Tags }>): ReadonlyArray<Tag> => {
  const valuesOf = new Map<string, Set<string>>()
  for (const { tags } of records) {
    for (const [key, value] of Object.entries(tags)) {
      const values = valuesOf.get(key) ?? new Set()
      valuesOf.set(key, values.add(value))
    }
  }
  return Array.from(valuesOf, ([key, values]) =>
    Array.from(values, (value) => ({ key, value }))
  ).flat()
}

/** Tags by key, then by value. */
export const sorted = (tags: ReadonlyArray<Tag>): ReadonlyArray<Tag> =>
  [...tags].sort((left, right) => {
    if (left.key !== right.key) return left.key < right.key ? -1 : 1
    return left.value < right.value ? -1 : left.value > right.value ? 1 : 0
  })
