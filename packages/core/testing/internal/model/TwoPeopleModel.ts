/**
 * A slow plain check of a journal: that no protected change was made without enough other people.
 *
 * It reads entries in their order and keeps what was in force before each: roles, grants, the team, spaces, places and
 * protections. Only the kinds of changes are known that the law makes: policies, memberships, people of one team,
 * grants, moves of policies and of spaces, and protections.
 */
import type { JournalEntry } from "@attestry/core/JournalEntry"
import type { Protection } from "@attestry/core/Protection"

interface Content {
  readonly protections?: ReadonlyArray<Protection>
  readonly user_id?: string
  readonly login?: string
  readonly role?: string | null
  readonly previous_role?: string | null
  readonly id?: string
  readonly parent_id?: string
  readonly space_id?: string
  readonly subject?: { readonly id: string }
  readonly thing_id?: string
  readonly from?: string
  readonly to?: string
  readonly proposal?: { readonly number: number; readonly approved_by: ReadonlyArray<string> }
}

const RANK = ["none", "reader", "snapshotter", "member", "admin"]

/** What is in force. */
interface Known {
  readonly root: string
  readonly roles: Map<string, string>
  readonly names: Map<string, string>
  /** The spaces in which people are admins by grants, by their names. */
  readonly grants: Map<string, Set<string>>
  readonly team: Set<string>
  readonly parents: Map<string, string>
  readonly places: Map<string, string>
  protections: ReadonlyArray<Protection>
}

/** A space and all above it. */
const above = (known: Known, space: string): ReadonlyArray<string> =>
  space === known.root ? [space] : [space, ...above(known, known.parents.get(space) ?? known.root)]

/** What is asked for of a change. */
interface Requirement {
  readonly approvals: number
  /** The team whose people count beside admins. */
  readonly team: string | null
}

/** A change: its kinds, and where it is made. */
interface Change {
  readonly kinds: ReadonlyArray<string>
  readonly spaces: ReadonlyArray<string>
}

/** The strictest protection that covers a change: with more approvals, else without a team. */
const strictest = (
  known: Known,
  protections: ReadonlyArray<Protection>,
  { kinds, spaces }: Change
): Requirement | undefined => {
  const covering = protections.filter(
    (each) =>
      each.kinds.some((kind) => kinds.includes(kind)) &&
      spaces.some((space) => above(known, space).includes(each.space_id))
  )
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

/** The changes that other protections are, each at its space. */
const replaced = (known: Known, after: ReadonlyArray<Protection>): ReadonlyArray<Change> => [
  { kinds: ["sign-in"], spaces: [known.root] },
  ...[known.root, ...known.parents.keys()].flatMap((space) =>
    ALL.map((kind): Change => ({ kinds: [kind], spaces: [space] })).filter((change) =>
      isWeaker(strictest(known, after, change), strictest(known, known.protections, change))
    )
  )
]

/** The changes that a move is: of access at both ends, and of what is protected where it was and not where it goes. */
const moved = (known: Known, kinds: ReadonlyArray<string>, from: string, to: string) => {
  const left = known.protections.filter(
    ({ space_id }) => above(known, from).includes(space_id) && !above(known, to).includes(space_id)
  )
  return [
    { kinds: ["access"], spaces: [from, to] },
    {
      kinds: kinds.filter((kind) => left.some((each) => each.kinds.some((own) => own === kind))),
      spaces: [from]
    }
  ]
}

/** The changes of an entry; none for one that is not held. */
const changesOf = (
  known: Known,
  { kind, actor, subject }: JournalEntry,
  content: Content
): ReadonlyArray<Change> => {
  if (actor.kind === "system") return []
  const { root } = known
  const { from = root, id = "", parent_id = root, previous_role, role, to = root } = content
  switch (kind) {
    case "policy_created":
    case "policy_version_created":
      return [{ kinds: ["policy"], spaces: [known.places.get(subject.id) ?? root] }]
    case "membership_added":
    case "team_member_added":
      return [{ kinds: ["access"], spaces: [root] }]
    case "membership_changed":
      return RANK.indexOf(role ?? "") > RANK.indexOf(previous_role ?? "")
        ? [{ kinds: ["access"], spaces: [root] }]
        : []
    case "grant_given":
      return [{ kinds: ["access"], spaces: [content.space_id ?? root] }]
    case "thing_placed":
      return moved(known, ["policy", "waiver"], from, to)
    case "space_changed":
      return moved(known, ALL, known.parents.get(id) ?? root, parent_id)
    case "protections_set":
      return replaced(known, content.protections ?? [])
    default:
      return []
  }
}

/** Takes an entry into what is in force. */
const apply = (known: Known, { kind }: JournalEntry, content: Content): void => {
  const { grants, names, parents, places, roles, team } = known
  const { id = "", login = "", parent_id = known.root, role, user_id = "" } = content
  if (kind === "protections_set") known.protections = content.protections ?? []
  if (kind.startsWith("membership_") && login !== "") {
    roles.set(login, role ?? "")
    names.set(user_id, login)
  }
  if (kind === "team_member_added") team.add(login)
  if (kind === "team_member_removed") team.delete(login)
  if (kind === "space_created" || kind === "space_changed") parents.set(id, parent_id)
  if (kind === "thing_placed") places.set(content.thing_id ?? "", content.to ?? known.root)
  if (kind === "grant_given" && role === "admin") {
    const name = names.get(content.subject?.id ?? "") ?? ""
    grants.set(name, new Set([...(grants.get(name) ?? []), content.space_id ?? ""]))
  }
}

/** Whether a person may approve what is asked for in all of some spaces. */
const mayApprove = (known: Known, name: string, asked: Requirement, spaces: Change["spaces"]) =>
  known.roles.has(name) &&
  (known.roles.get(name) === "admin" ||
    (asked.team !== null && known.team.has(name)) ||
    [...(known.grants.get(name) ?? [])].some((own) =>
      spaces.every((space) => above(known, space).includes(own))
    ))

/** The entries of a journal that need more people than have approved them, in words. */
export const violations = (
  entries: ReadonlyArray<JournalEntry>,
  contentOf: (entry: JournalEntry) => unknown
): ReadonlyArray<string> => {
  const found: Array<string> = []
  const known: Known = {
    root: entries[0]?.org_id ?? "",
    roles: new Map(),
    names: new Map(),
    grants: new Map(),
    team: new Set(),
    parents: new Map(),
    places: new Map(),
    protections: []
  }
  for (const entry of entries) {
    const content = contentOf(entry) as Content
    for (const change of changesOf(known, entry, content)) {
      const asked = strictest(known, known.protections, change)
      if (asked === undefined) continue
      const people = new Set(
        (content.proposal?.approved_by ?? []).filter(
          (name) => name !== entry.actor.name && mayApprove(known, name, asked, change.spaces)
        )
      )
      if (people.size < asked.approvals)
        found.push(
          `${entry.sequence} ${entry.kind} by ${entry.actor.name}: ${people.size} of ${asked.approvals}`
        )
    }
    apply(known, entry, content)
  }
  return found
}
