/** Entries of the journal as words. */
import type { Journal, JournalEntry } from "../shared/Contract.js"
import { isRecord } from "../shared/JsonValue.js"

/** The members of a content that name its subject, the closest first. */
const NAMES = ["name", "identifier", "login"]

/** The members of a content that name the action on the subject, the closest first. */
const DETAILS = ["attestation_name", "artifact_name", "description"]

/** Pairs of an id and the name that belongs to it, as contents have them beside each other. */
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

/** The name of a subject. WHY not of an attestation: its trail is the subject, and the name is its own. */
const ownName = (content: unknown): string | undefined =>
  textOf(content, "attestation_id") === undefined ? firstOf(content, NAMES) : undefined

/** The names of ids according to entries: an entry often has an id whose name is in another one. */
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

/** The names of ids: from entries, replaced by the present names of the answer. */
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

/** The name of an entry's subject, or its id if no entry has the name. */
export const subjectName = (
  { subject, content }: Named,
  names: ReadonlyMap<string, string> = new Map()
): string => ownName(content) ?? names.get(subject.id) ?? subject.id

/** The object of the action, if the content names it: an attestation, an artifact, a snapshot. */
export const detailOf = ({ content }: Named): string | undefined => {
  const isAttestation = textOf(content, "attestation_id") !== undefined
  const named = firstOf(content, isAttestation ? ["name"] : DETAILS)
  if (named !== undefined) return named
  if (!isRecord(content)) return undefined
  const { report, index } = content
  return textOf(report, "filename") ?? (typeof index === "number" ? `snapshot ${index}` : undefined)
}

/** A kind as words: `policy_version_created` is "policy version created". */
export const kindText = (kind: string): string => kind.replaceAll("_", " ")

/** Where the next page begins, by the link to it. */
export const nextBefore = (href: string | undefined): string | undefined =>
  href === undefined
    ? undefined
    : (new URLSearchParams(href.split("?")[1] ?? "").get("before") ?? undefined)
