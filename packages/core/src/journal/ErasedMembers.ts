/**
 * Members of contents that can be erased, and their replacements: a mark in the journal, and a value of the same form
 * in records and responses, whose schemas require one.
 */
import type { Json } from "../shared/CanonicalJson.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import * as PersonalNames from "./internal/PersonalNames.js"
import type { JournalEntry } from "./JournalEntry.js"

/** An erased value is replaced by an object with this one member: the digest of what was there. */
export const MARK = "_erased"

/** The names of members that can be erased: those of the format of the evidence log, which never change within it. */
export const PERSONAL: ReadonlySet<string> = new Set([
  "author",
  "author_username",
  "signer_username",
  "username",
  "login",
  "email",
  "emails",
  "approvers",
  "reviews",
  "approved_by",
  "message",
  "title",
  "comment",
  "reason",
  "description",
  "annotations",
  "user_data",
  "external_urls",
  "issue_fields",
  "webhook"
])

/** What stands for an erased member in records, whose schemas want a text, a list or an object. */
const LISTS: ReadonlySet<string> = new Set(["emails", "approvers", "reviews"])

/** Personal members whose form the reporter chooses. A text is found in them at any depth. */
export const FREE_FORM: ReadonlySet<string> = new Set([
  "annotations",
  "user_data",
  "external_urls",
  "issue_fields"
])

/** The text in the place of an erased one. */
export const ERASED = "**ERASED**"

/** Whether a value is what is left of an erased one. */
export const isMark = (value: Json): boolean =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).join() === MARK &&
  /^[A-Za-z0-9_-]{43}$/.test(String(Object.values(value)[0]))

const standInOf = (name: string): Json => (LISTS.has(name) ? [] : FREE_FORM.has(name) ? {} : ERASED)

/** A content with what records have in the place of erased members. */
export const withStandIns = (value: Json): Json => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) {
    const kept = value.map(withStandIns)
    return kept.every((each, at) => each === value[at]) ? value : kept
  }
  let isSame = true
  const members = Object.entries(value).map(([name, member]) => {
    const kept = PERSONAL.has(name) && isMark(member) ? standInOf(name) : withStandIns(member)
    isSame &&= kept === member
    return [name, kept] as const
  })
  // WHY the same object: almost nothing is ever erased.
  return isSame ? value : Object.fromEntries(members)
}

/** What records have of a content: plain names, and stand-ins in the place of erased members. */
export const contentOf = ({ kind, content }: Pick<JournalEntry, "kind" | "content">): unknown =>
  // INVARIANT: the content of an entry is JSON.
  PersonalNames.reveal(kind, withStandIns(JSON.parse(content)))

/** An entry whose content is as answers show it. */
export const shown = (entry: JournalEntry): JournalEntry =>
  PersonalNames.has(entry.kind) || entry.content.includes(`{"${MARK}":`)
    ? { ...entry, content: CanonicalJson.print(contentOf(entry)) }
    : entry
