/**
 * A slow plain check of a journal: that no protected change was made without enough other people.
 *
 * It reads entries in their order and keeps what was in force before each: roles, the team and protections. Only the
 * kinds of changes are known that the law makes: policies, memberships, people of one team, and protections.
 */
import type { JournalEntry } from "@attestry/core/JournalEntry"
import type { Protection } from "@attestry/core/Protection"

interface Content {
  readonly protections?: ReadonlyArray<Protection>
  readonly login?: string
  readonly role?: string | null
  readonly previous_role?: string | null
  readonly proposal?: { readonly number: number; readonly approved_by: ReadonlyArray<string> }
}

const RANK = ["reader", "snapshotter", "member", "admin"]

/** What is asked for of a change. */
interface Requirement {
  readonly approvals: number
  /** The team whose people count beside admins. */
  readonly team: string | null
}

/** The strictest protection that covers one of some kinds: with more approvals, else without a team. */
const strictest = (
  protections: ReadonlyArray<Protection>,
  kinds: ReadonlyArray<string>
): Requirement | undefined => {
  const covering = protections.filter((each) => each.kinds.some((kind) => kinds.includes(kind)))
  const approvals = Math.max(0, ...covering.map((each) => each.approvals))
  const asked = covering.filter((each) => each.approvals === approvals)
  const team = asked.some((each) => each.team === null) ? null : (asked[0]?.team ?? null)
  return approvals === 0 ? undefined : { approvals, team }
}

/** Whether less is asked for than before. */
const isWeaker = (next: Requirement | undefined, now: Requirement | undefined): boolean =>
  now !== undefined &&
  (next === undefined ||
    next.approvals < now.approvals ||
    (next.team !== null && next.team !== now.team))

const ALL = [
  "policy",
  "control",
  "attachment",
  "allow-list",
  "override",
  "waiver",
  "access",
  "sign-in"
]

/** The kinds of a change; empty for one that is not held. */
const kindsOf = (
  { kind, actor }: JournalEntry,
  { previous_role, protections, role }: Content,
  now: ReadonlyArray<Protection>
): ReadonlyArray<string> => {
  if (actor.kind === "system") return []
  switch (kind) {
    case "policy_created":
    case "policy_version_created":
      return ["policy"]
    case "membership_added":
    case "team_member_added":
      return ["access"]
    case "membership_changed":
      return RANK.indexOf(role ?? "") > RANK.indexOf(previous_role ?? "") ? ["access"] : []
    case "protections_set":
      return [
        "sign-in",
        ...ALL.filter((each) =>
          isWeaker(strictest(protections ?? [], [each]), strictest(now, [each]))
        )
      ]
    default:
      return []
  }
}

/** The entries of a journal that need more people than have approved them, in words. */
export const violations = (
  entries: ReadonlyArray<JournalEntry>,
  contentOf: (entry: JournalEntry) => unknown
): ReadonlyArray<string> => {
  const found: Array<string> = []
  const roles = new Map<string, string>()
  const team = new Set<string>()
  let protections: ReadonlyArray<Protection> = []
  for (const entry of entries) {
    const content = contentOf(entry) as Content
    const asked = strictest(protections, kindsOf(entry, content, protections))
    const people = new Set(
      (content.proposal?.approved_by ?? []).filter(
        (name) =>
          name !== entry.actor.name &&
          roles.has(name) &&
          (roles.get(name) === "admin" || (asked?.team !== null && team.has(name)))
      )
    )
    if (asked !== undefined && people.size < asked.approvals)
      found.push(
        `${entry.sequence} ${entry.kind} by ${entry.actor.name}: ${people.size} of ${asked.approvals}`
      )
    if (entry.kind === "protections_set") protections = content.protections ?? []
    if (entry.kind.startsWith("membership_") && content.login !== undefined)
      roles.set(content.login, content.role ?? "")
    if (entry.kind === "team_member_added" && content.login !== undefined) team.add(content.login)
    if (entry.kind === "team_member_removed") team.delete(content.login ?? "")
  }
  return found
}
