/**
 * What is there, and what a proposal would make of it, as two texts whose lines are compared. Pure.
 *
 * Members are sorted by name, one on each line; a text of several lines has its own lines below its name.
 */
import { isRecord } from "../shared/JsonValue.js"
import * as TextDiff from "../shared/TextDiff.js"

const indented = (text: string): string => text.replace(/^/gm, "  ")

const isLong = (value: unknown): value is string =>
  typeof value === "string" && value.includes("\n")

const memberOf = ([name, value]: readonly [string, unknown]): string => {
  if (isLong(value)) return `${name}:\n${indented(value.replace(/\n$/, ""))}`
  if (Array.isArray(value) ? value.length > 0 : isRecord(value) && Object.keys(value).length > 0)
    return `${name}:\n${indented(print(value))}`
  return `${name}: ${print(value)}`
}

const membersOf = (value: { readonly [name: string]: unknown }) =>
  Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))

/** A value as lines. */
export const print = (value: unknown): string => {
  if (typeof value === "string") return value === "" ? '""' : value
  if (Array.isArray(value))
    return value.length === 0
      ? "none"
      : value.map((item) => `- ${indented(print(item)).trimStart()}`).join("\n")
  if (!isRecord(value)) return value === null || value === undefined ? "none" : String(value)
  return membersOf(value).map(memberOf).join("\n")
}

/** The members of something that was there which a change says too. */
const comparable = (before: unknown, after: unknown): unknown =>
  isRecord(before) && isRecord(after)
    ? Object.fromEntries(Object.entries(before).filter(([name]) => Object.hasOwn(after, name)))
    : before

/** The lines that a change takes away and adds; `before` is null for what is new. */
export const diffOf = (before: unknown, after: unknown): TextDiff.TextDiff =>
  TextDiff.make(before === null ? "" : print(comparable(before, after)), print(after))
