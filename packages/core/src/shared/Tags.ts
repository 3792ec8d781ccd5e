/** Tags: text notes by key that people put on resources to find and group them. */
import * as Schema from "effect/Schema"
import * as Dictionary from "./Dictionary.js"

/** The pattern of a tag's key. */
export const TAG_KEY_PATTERN = "^[a-zA-Z0-9][a-zA-Z0-9\\-_\\.~]*$"

/** Tags by key. */
export const Tags = Dictionary.make({
  key: Schema.String.pipe(Schema.maxLength(255), Schema.pattern(new RegExp(TAG_KEY_PATTERN))),
  value: Schema.String,
  members: { type: "string" }
}).annotations({ identifier: "Tags" })
/** Tags by key. */
export type Tags = typeof Tags.Type

/** Tags to set, whether or not they are there, and keys to remove. */
export interface TagChange {
  readonly set: Tags
  readonly remove: ReadonlyArray<string>
}

/** The tags after a change; a key that is both set and removed is removed. */
export const change = (tags: Tags, { set, remove }: TagChange): Tags => {
  const next = new Map([...Object.entries(tags), ...Object.entries(set)])
  for (const key of remove) next.delete(key)
  return Object.fromEntries([...next].sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** Whether two sets of tags are equal. */
export const equals = (left: Tags, right: Tags): boolean => {
  const entries = Object.entries(left)
  return (
    entries.length === Object.keys(right).length &&
    entries.every(([key, value]) => Object.hasOwn(right, key) && right[key] === value)
  )
}

/** Whether tags fit a filter: `key`, or `key:value`; an empty filter fits nothing. */
export const matches = (tags: Tags, filter: string): boolean => {
  const cut = filter.indexOf(":")
  const key = cut < 0 ? filter : filter.slice(0, cut)
  return Object.hasOwn(tags, key) && (cut < 0 || tags[key] === filter.slice(cut + 1))
}
