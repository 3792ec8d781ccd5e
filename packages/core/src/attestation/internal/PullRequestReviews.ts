/**
 * The people whose approval of a pull request stands: the last review of each person that decides something approves.
 * Pure. SPEC §2.5
 */
import * as Predicate from "effect/Predicate"
import * as Person from "./PullRequestPerson.js"

type Fields = { readonly [name: string]: unknown }

/** The words of forges for an approval. */
const APPROVING: ReadonlySet<string> = new Set(["approved", "approved_with_suggestions"])

/** The words of forges for a review that refuses, or that takes an approval back. */
const REFUSING: ReadonlySet<string> = new Set([
  "changes_requested",
  "requested_changes",
  "request_changes",
  "needs_work",
  "waiting_for_author",
  "rejected",
  "dismissed",
  "unapproved"
])

/** A review that approves or refuses. */
interface Decision {
  readonly approves: boolean
  /** The instant; undefined if it is not known. */
  readonly at: number | undefined
}

const decisionOf = (state: unknown, timestamp: unknown): ReadonlyArray<Decision> => {
  const word = typeof state === "string" ? state.trim().toLowerCase().replaceAll(/[\s-]/g, "_") : ""
  const at = typeof timestamp === "number" ? timestamp : undefined
  if (APPROVING.has(word)) return [{ approves: true, at }]
  return REFUSING.has(word) ? [{ approves: false, at }] : []
}

type Entry = readonly [username: unknown, decisions: ReadonlyArray<Decision>]

/** An entry of `approvers`: without a state it approves. */
const ofApprover = (entry: unknown): Entry => {
  if (!Predicate.isRecord(entry)) return [entry, decisionOf("approved", undefined)]
  const { username, state, timestamp } = entry
  return [username, decisionOf(state ?? "approved", timestamp)]
}

const ofReview = ({ username, state, timestamp }: Fields): Entry => [
  username,
  decisionOf(state, timestamp)
]

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/**
 * Whether the last decision approves.
 *
 * WHY a refusal wins where the instants do not tell which is later: an approval that does not stand must not count.
 */
const stands = (decisions: ReadonlyArray<Decision>): boolean => {
  let approved: number | undefined
  let refused = Number.NEGATIVE_INFINITY
  let isRefused = false
  for (const { approves, at } of decisions) {
    if (approves)
      approved = Math.max(approved ?? Number.NEGATIVE_INFINITY, at ?? Number.NEGATIVE_INFINITY)
    else {
      isRefused = true
      refused = Math.max(refused, at ?? Number.POSITIVE_INFINITY)
    }
  }
  return approved !== undefined && (!isRefused || refused < approved)
}

/** The people whose approval of a pull request stands, each once. */
export const approversOf = (pull: Fields): ReadonlyArray<Person.Person> => {
  const entries = [
    ...list(pull.approvers).map(ofApprover),
    ...list(pull.reviews).filter(Predicate.isRecord).map(ofReview)
  ]
  const found = new Map<string, { person: Person.Person; decisions: Array<Decision> }>()
  for (const [username, decisions] of entries)
    for (const person of Person.ofLogin(username)) {
      const known = found.get(person.name)
      if (known === undefined) found.set(person.name, { person, decisions: [...decisions] })
      else known.decisions.push(...decisions)
    }
  return [...found.values()].flatMap(({ person, decisions }) => (stands(decisions) ? [person] : []))
}
