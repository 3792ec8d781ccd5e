/** Journal entries in words. */
import type { Journal, JournalEntry } from "../shared/Contract.js"
import { isRecord } from "../shared/JsonValue.js"

/** The members that may name the subject, in order of preference. */
const NAMES = ["name", "identifier", "login"]

/** The members that may name the object of the action, in order of preference. */
const DETAILS = ["attestation_name", "artifact_name", "description"]

/** Pairs of members: an id, and the name that belongs to it. */
const PAIRS: ReadonlyArray<readonly [id: string, name: string]> = [
  ["environment_id", "environment_name"],
  ["flow_id", "flow_name"],
  ["trail_id", "trail_name"]
]

type Named = Pick<JournalEntry, "subject" | "content">

const textOf = (content: unknown, member: string): string | undefined => {
  const value = isRecord(content) && Object.hasOwn(content, member) ? content[member] : undefined
  return typeof value === "string" && value !== "" ? value : undefined
}

const firstOf = (content: unknown, members: ReadonlyArray<string>): string | undefined => {
  for (const member of members) {
    const text = textOf(content, member)
    if (text !== undefined) return text
  }
  return undefined
}

/**
 * The name of the subject. WHY not of an attestation: the subject is its trail, and the name is the attestation's
 * own.
 */
const ownName = (content: unknown): string | undefined =>
  textOf(content, "attestation_id") === undefined ? firstOf(content, NAMES) : undefined

/** Names by id, collected from entries: the name of an id is often in another entry. */
export const namesOf = (entries: ReadonlyArray<Named>): ReadonlyMap<string, string> =>
  new Map(
    entries.flatMap(({ subject, content }) => {
      const own = ownName(content)
      const pairs = PAIRS.flatMap(([id, name]) => {
        const [known, called] = [textOf(content, id), textOf(content, name)]
        return known === undefined || called === undefined ? [] : [[known, called] as const]
      })
      return own === undefined ? pairs : [...pairs, [subject.id, own] as const]
    })
  )

/** Names by id: from entries, overridden by the current names in the answer. */
export const namesIn = (
  entries: ReadonlyArray<Named>,
  names: Journal["names"] = {}
): ReadonlyMap<string, string> =>
  new Map([
    ...namesOf(entries),
    ...Object.entries(names).map(
      ([id, { name, flow_name }]) =>
        [id, flow_name === undefined ? name : `${flow_name} › ${name}`] as const
    )
  ])

/** The name of an entry's subject; its id if no name is known. */
export const subjectName = (
  { subject, content }: Named,
  names: ReadonlyMap<string, string> = new Map()
): string => ownName(content) ?? names.get(subject.id) ?? subject.id

/** The object of the action, if the content names one: an attestation, an artifact or a snapshot. */
export const detailOf = ({ content }: Named): string | undefined => {
  const isAttestation = textOf(content, "attestation_id") !== undefined
  const named = firstOf(content, isAttestation ? ["name"] : DETAILS)
  if (named !== undefined) return named
  if (!isRecord(content)) return undefined
  const { report, index } = content
  return textOf(report, "filename") ?? (typeof index === "number" ? `snapshot ${index}` : undefined)
}

/** A kind in words: `policy_version_created` is "policy version created". */
export const kindText = (kind: string): string => kind.replaceAll("_", " ")

/** The parameter `before` of the link to the next page. */
export const nextBefore = (href: string | undefined): string | undefined =>
  href === undefined
    ? undefined
    : (new URLSearchParams(href.split("?")[1] ?? "").get("before") ?? undefined)
