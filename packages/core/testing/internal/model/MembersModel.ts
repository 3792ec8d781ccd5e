/** The members of an org: a slow, plain model of the use cases of memberships. */
import type { BaseRole } from "@attestry/core/Role"

/** A change of a member, by login. */
export interface MemberCommand {
  readonly what: "add" | "change" | "suspend" | "restore" | "signOut" | "remove"
  readonly login: string
  readonly role: BaseRole
}

/** A member of the model. */
export interface ModelMember {
  readonly role: BaseRole
  readonly suspended: boolean
}

/** Members by login. */
export type Members = ReadonlyMap<string, ModelMember>

const isCountingAdmin = ({ role, suspended }: ModelMember): boolean =>
  role === "admin" && !suspended

/** The member after a command; none after a removal. */
const next = (member: ModelMember, { what, role }: MemberCommand): ModelMember | undefined => {
  if (what === "change") return { ...member, role }
  if (what === "suspend") return { ...member, suspended: true }
  if (what === "restore") return { ...member, suspended: false }
  return what === "remove" ? undefined : member
}

/** The members after a command, and the tag of its error; empty without one. */
export const apply = (
  members: Members,
  command: MemberCommand
): { readonly members: Members; readonly error: string } => {
  const { login, role, what } = command
  const before = members.get(login)
  if (what === "add") {
    return before === undefined
      ? { members: new Map([...members, [login, { role, suspended: false }]]), error: "" }
      : { members, error: "AlreadyMember" }
  }
  if (before === undefined) return { members, error: "NotAMember" }
  const after = next(before, command)
  const others = [...members].filter(([name]) => name !== login)
  const all = new Map(after === undefined ? others : [...others, [login, after] as const])
  const hadAdmin = [...members.values()].some(isCountingAdmin)
  const hasAdmin = [...all.values()].some(isCountingAdmin)
  return hadAdmin && !hasAdmin ? { members, error: "LastAdmin" } : { members: all, error: "" }
}
