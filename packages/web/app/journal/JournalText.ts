/** Entries of the journal as words. */
import type { JournalEntry } from "../shared/Contract.js"

/** The members of a content that name its subject, the closest first. */
const NAMES = ["name", "identifier", "login", "attestation_name", "trail_name", "description"]

const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What an entry calls its subject; the id where it has no name for it. */
export const subjectName = ({
  subject,
  content
}: Pick<JournalEntry, "subject" | "content">): string => {
  if (!isRecord(content)) return subject.id
  for (const name of NAMES) {
    const value = content[name]
    if (typeof value === "string" && value !== "") return value
  }
  return subject.id
}

/** A kind as words: `policy_version_created` is "policy version created". */
export const kindText = (kind: string): string => kind.replaceAll("_", " ")

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The first or last second of a day in UTC; undefined for another text. */
export const secondsOf = (day: string | undefined, end: "first" | "last"): number | undefined => {
  if (day === undefined || !DAY.test(day)) return undefined
  const ms = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(ms)) return undefined
  return end === "first" ? ms / 1_000 : ms / 1_000 + 86_399.999999
}

/** Where the next page begins, by the link to it. */
export const nextBefore = (href: string | undefined): string | undefined =>
  href === undefined
    ? undefined
    : (new URLSearchParams(href.split("?")[1] ?? "").get("before") ?? undefined)
