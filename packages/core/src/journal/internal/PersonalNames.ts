/**
 * Names of people in the contents of entries, in a form from which they can be erased. Pure. DECISIONS.md, "Personal
 * members can be erased"
 *
 * A content that says who made something, for example in `created_by`, is recorded with an object in the place of the
 * name, whose member has a personal name (`ErasedMembers.PERSONAL`). Contents that were recorded before have the plain
 * name there and keep it. Records and answers have the plain name.
 */
import * as Predicate from "effect/Predicate"

/** The steps from a content to a name; `*` is each element of a list. */
type Place = ReadonlyArray<string>

const TYPE: ReadonlyArray<Place> = [["created_by"], ["versions", "*", "created_by"]]
const ALLOWED: ReadonlyArray<Place> = [["created_by"], ["owner"]]
const CONTROL: ReadonlyArray<Place> = [
  ["control", "created_by"],
  ["entry", "user"]
]

const INVITATION: ReadonlyArray<Place> = [
  ["display_name"],
  ["created_by"],
  ["accepted_by"],
  ["revoked_by"]
]

const WAIVER: ReadonlyArray<Place> = [
  ["owner"],
  ["requested_by"],
  ["approvals", "*", "user"],
  ["rejected", "user"],
  ["revoked", "user"]
]

const PROPOSAL: ReadonlyArray<Place> = [
  ["proposer", "user"],
  ["approvals", "*", "user"],
  ["ended", "user"]
]

const GLASS: ReadonlyArray<Place> = [["opened_by"], ["closed_by", "user"], ["reviewed", "user"]]

/** Where contents have names, by the kind of the entry. */
const PLACES = new Map<string, ReadonlyArray<Place>>([
  ["agent_accounts_changed", [["accounts", "*"]]],
  ["artifact_allowed", ALLOWED],
  ["artifact_allowed_again", ALLOWED],
  ["artifact_approval_reported", [["approval", "created_by"], ["reviewer"]]],
  ["attestation_type_archived", TYPE],
  ["attestation_type_created", TYPE],
  ["attestation_type_updated", TYPE],
  ["break_glass_closed", GLASS],
  ["break_glass_opened", GLASS],
  ["break_glass_reviewed", GLASS],
  ["control_archived", CONTROL],
  ["control_created", CONTROL],
  ["control_edited", CONTROL],
  ["control_tagged", CONTROL],
  ["control_unarchived", CONTROL],
  ["evidence_accepted", [["accepted_by"]]],
  ["invitation_accepted", INVITATION],
  ["invitation_made", INVITATION],
  ["invitation_revoked", INVITATION],
  ["policy_created", [["created_by"]]],
  ["proposal_applied", PROPOSAL],
  ["proposal_approved", PROPOSAL],
  ["proposal_expired", PROPOSAL],
  ["proposal_failed", PROPOSAL],
  ["proposal_made", PROPOSAL],
  ["proposal_rejected", PROPOSAL],
  ["proposal_stale", PROPOSAL],
  ["proposal_withdrawn", PROPOSAL],
  ["trail_reported", [["created_by"]]],
  ["trail_updated", [["trail", "created_by"]]],
  ["waiver_activated", WAIVER],
  ["waiver_approved", WAIVER],
  ["waiver_expired", WAIVER],
  ["waiver_lapsed", WAIVER],
  ["waiver_rejected", WAIVER],
  ["waiver_requested", WAIVER],
  ["waiver_revoked", WAIVER]
])

/** How the name of a reviewer begins that no account of the org has. */
const EXTERNAL = "external://"

const concealed = (name: unknown): unknown => {
  if (typeof name !== "string") return name
  return name.startsWith(EXTERNAL)
    ? { approved_by: name.slice(EXTERNAL.length) }
    : { username: name }
}

const revealed = (value: unknown): unknown => {
  if (!Predicate.isRecord(value)) return value
  if (typeof value.username === "string") return value.username
  return typeof value.approved_by === "string" ? `${EXTERNAL}${value.approved_by}` : value
}

/** A value with another one at a place; a place that it does not have changes nothing. */
const changed = (value: unknown, place: Place, change: (name: unknown) => unknown): unknown => {
  const [first, ...rest] = place
  if (first === undefined) return change(value)
  if (first === "*") {
    return Array.isArray(value) ? value.map((each: unknown) => changed(each, rest, change)) : value
  }
  return Predicate.isRecord(value) && Object.hasOwn(value, first)
    ? { ...value, [first]: changed(value[first], rest, change) }
    : value
}

const changedAll = (kind: string, content: unknown, change: (name: unknown) => unknown): unknown =>
  (PLACES.get(kind) ?? []).reduce((value, place) => changed(value, place, change), content)

/** Whether contents of entries of a kind have names. */
export const has = (kind: string): boolean => PLACES.has(kind)

/** A content as it is recorded. */
export const conceal = (kind: string, content: unknown): unknown =>
  changedAll(kind, content, concealed)

/** A recorded content with plain names. */
export const reveal = (kind: string, content: unknown): unknown =>
  changedAll(kind, content, revealed)
