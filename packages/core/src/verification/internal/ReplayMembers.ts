/** Replay rules for users and their memberships. Pure. */
import { ERASED } from "../../journal/ErasedMembers.js"
import type { JournalEntry } from "../../journal/JournalEntry.js"
import { type Columns, erasedLogin } from "../AuditStore.js"
import { type Change, edit, membersOf, textOf, UNRECORDED } from "./ReplayState.js"

/** A personal value; `UNRECORDED` if it was erased. */
const personal = (value: unknown): unknown => (value === ERASED ? UNRECORDED : value)

/** The user of a membership entry. */
const userOf = ({ user_id, login, user }: Columns): Columns => {
  const { username, email, created_at } = membersOf(user)
  return {
    id: user_id,
    login: personal(login),
    display_name: personal(username),
    email: personal(email),
    created_at: personal(created_at)
  }
}

/** The name that the membership history shows. */
const shownName = ({ login, display_name }: Columns): unknown =>
  display_name === null ? login : display_name

/** Since when a membership is suspended after an entry. */
const suspendedAt = ({ at, kind }: JournalEntry, before: Columns | undefined): unknown => {
  if (kind === "membership_suspended") return at
  return kind === "membership_restored" ? null : (before?.suspended_at ?? null)
}

/** A user joins, changes role, is suspended or restored, or leaves. */
export const membership: Change = (state, entry, content) => {
  const { user_id, role, previous_role, source, event_id } = content
  const key = textOf(user_id)
  const members = state.table("membership")
  const before = previous_role === null ? undefined : members.get(key)
  const suspended_at = suspendedAt(entry, before)
  if (role === null) members.delete(key)
  else {
    members.set(key, {
      org_id: entry.org_id,
      user_id,
      role,
      created_at: previous_role === null ? entry.at : before?.created_at,
      suspended_at,
      sessions_after: before?.sessions_after ?? null
    })
  }
  const users = state.table("user")
  const user = userOf(content)
  users.set(key, { ...user, default_org_id: users.get(key)?.default_org_id ?? null })
  state.table("membership_event").set(textOf(event_id), {
    org_id: entry.org_id,
    user_id,
    role,
    previous_role,
    suspended: role !== null && suspended_at !== null,
    source,
    id: event_id,
    user: shownName(user),
    changed_by: entry.actor.name,
    created_at: entry.at
  })
}

/** The sessions of a member end in this org. */
export const signedOut: Change = (state, { at }, { user_id }) =>
  edit(state.table("membership"), textOf(user_id), (member) => ({ ...member, sessions_after: at }))

const timeKey = ({ from_at, team_id, user_id }: Columns): string =>
  `${team_id} ${user_id} ${from_at}`

/** A user comes into a team, or leaves it. */
export const teamMember: Change = (state, { org_id }, content) => {
  const { from_at, source, team_id, to_at, user_id } = content
  const time = { org_id, team_id, user_id, source, from_at, to_at }
  state.table("team_member").set(timeKey(time), time)
}

/** A team is deleted, and the times of its members end. */
export const teamDeleted: Change = (state, { at, subject }, content) => {
  state.table("team").set(subject.id, content)
  const times = state.table("team_member")
  for (const [key, time] of times) {
    if (time.team_id !== subject.id || time.to_at !== null) continue
    times.set(key, { ...time, to_at: Math.max(at, Number(time.from_at) + 1) })
  }
}

/** A user makes this org their default. */
export const defaultOrgSet: Change = (state, { org_id }, { user_id }) =>
  edit(state.table("user"), textOf(user_id), (user) => ({ ...user, default_org_id: org_id }))

/**
 * The expected default org of a user. Choosing another org adds no entry to this journal, and a choice cannot be
 * undone.
 */
const chosenOf = (expected: Columns, stored: Columns, org: string): unknown => {
  const [replayed, chosen] = [expected.default_org_id ?? null, stored.default_org_id ?? null]
  return chosen !== org && (replayed === null || chosen !== null) ? replayed : chosen
}

/**
 * A stored user, converted to the form of the journal. Another org may have erased the names of a user who has left
 * this one; the account belongs to all orgs, so this journal has no entry of that erasure.
 */
export const comparable = (
  expected: Columns,
  stored: Columns,
  { isMember, org }: { readonly org: string; readonly isMember: boolean }
): Columns => {
  const left = { login: erasedLogin(textOf(stored.id)), display_name: ERASED, email: ERASED }
  const erased = Object.entries(left).filter(([name, value]) => stored[name] === value)
  return {
    ...stored,
    ...(isMember ? {} : Object.fromEntries(erased.map(([name]) => [name, expected[name]]))),
    default_org_id: chosenOf(expected, stored, org)
  }
}
