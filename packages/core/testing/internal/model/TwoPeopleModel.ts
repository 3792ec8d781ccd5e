/**
 * A slow plain check of a journal: that no protected change was made without enough other people.
 *
 * It reads entries in their order and keeps what was in force before each: roles and protections. Only the kinds of
 * changes are known that the law makes: policies, memberships and protections.
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

const most = (protections: ReadonlyArray<Protection>, kind: string): number =>
  Math.max(
    0,
    ...protections
      .filter(({ kinds }) => kinds.some((each) => each === kind))
      .map(({ approvals }) => approvals)
  )

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

/** How many approvals a change needs. */
const needed = (
  { kind, actor }: JournalEntry,
  { login: _login, previous_role, protections, role }: Content,
  now: ReadonlyArray<Protection>
): number => {
  if (actor.kind === "system") return 0
  switch (kind) {
    case "policy_created":
    case "policy_version_created":
      return most(now, "policy")
    case "membership_added":
      return most(now, "access")
    case "membership_changed":
      return RANK.indexOf(role ?? "") > RANK.indexOf(previous_role ?? "") ? most(now, "access") : 0
    case "protections_set":
      return Math.max(
        most(now, "sign-in"),
        ...ALL.filter((each) => most(protections ?? [], each) < most(now, each)).map((each) =>
          most(now, each)
        )
      )
    default:
      return 0
  }
}

/** The entries of a journal that need more people than have approved them, in words. */
export const violations = (
  entries: ReadonlyArray<JournalEntry>,
  contentOf: (entry: JournalEntry) => unknown
): ReadonlyArray<string> => {
  const found: Array<string> = []
  const roles = new Map<string, string>()
  let protections: ReadonlyArray<Protection> = []
  for (const entry of entries) {
    const content = contentOf(entry) as Content
    const people = new Set(
      (content.proposal?.approved_by ?? []).filter(
        (name) => name !== entry.actor.name && roles.get(name) === "admin"
      )
    )
    const asked = needed(entry, content, protections)
    if (people.size < asked)
      found.push(
        `${entry.sequence} ${entry.kind} by ${entry.actor.name}: ${people.size} of ${asked}`
      )
    if (entry.kind === "protections_set") protections = content.protections ?? []
    if (entry.kind.startsWith("membership_") && content.login !== undefined)
      roles.set(content.login, content.role ?? "")
  }
  return found
}
