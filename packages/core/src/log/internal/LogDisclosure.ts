/**
 * The part of entries that callers other than admins see: no credentials, no personal data, and no target addresses.
 */

import type { Json } from "../../shared/CanonicalJson.js"
import type { Concealed } from "../LogEntry.js"

/** Subjects whose entries only admins see. */
const CLOSED: ReadonlySet<string> = new Set([
  "api_key",
  "break_glass",
  "grant",
  "invitation",
  "proposal",
  "service_account",
  "signing-secret",
  "space",
  "team",
  "user"
])

/** Subjects whose entries have the check value of a secret. */
const CHECKED: ReadonlySet<string> = new Set(["api_key", "invitation"])

/** Members that contain target addresses. */
const ADDRESSES: ReadonlySet<string> = new Set(["webhook", "email", "emails"])

const REDACTED = "**REDACTED**"

/** Whether only admins see the content of entries about a subject. */
export const isClosed = (subject: { readonly type: string }): boolean => CLOSED.has(subject.type)

/** The content of an entry without the check value of a secret, which no caller sees. */
export const withoutCheck = (subject: { readonly type: string }, value: Json): Json => {
  if (!CHECKED.has(subject.type) || typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== "details"))
}

/** The disclosures of an entry without the check value of a secret. */
export const withoutCheckDisclosure = (
  subject: { readonly type: string },
  concealed: ReadonlyArray<Concealed>
): ReadonlyArray<Concealed> =>
  CHECKED.has(subject.type) ? concealed.filter(({ pointer }) => pointer !== "/details") : concealed

/** Replaces the addresses in a content. */
export const redacted = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(redacted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      ADDRESSES.has(name) ? REDACTED : redacted(member)
    ])
  )
}

/** Whether a pointer is of an address, or of a member inside of one. */
export const isAddress = (pointer: string): boolean =>
  pointer.split("/").some((step) => ADDRESSES.has(step))

/** The disclosures of an entry without addresses, and without members inside them. */
export const withoutAddresses = (concealed: ReadonlyArray<Concealed>): ReadonlyArray<Concealed> =>
  concealed.filter(({ pointer }) => !isAddress(pointer))
