/** What an admin does to a member, and what it means for the person. */
import type { Member } from "../shared/Contract.js"

/** The roles, highest first, with what each may do. */
export const ROLES = [
  ["admin", "everything, and decides who belongs to the org"],
  ["member", "writes flows, evidence, policies and environments"],
  ["snapshotter", "reports environments"],
  ["reader", "reads everything"],
  ["none", "belongs to the org, and may do nothing by itself"]
] as const

/** A role. */
export type Role = (typeof ROLES)[number][0]

/** The words of an action. */
interface Words {
  readonly title: string
  readonly button: string
  readonly consequence: string
}

/** The actions besides a change of role. */
export const WORDS = {
  suspend: {
    title: "Suspend",
    button: "Suspend",
    consequence:
      "Keys and browser sessions open nothing in this org within a second. The role is kept, and you can restore it."
  },
  restore: {
    title: "Restore",
    button: "Restore",
    consequence: "The access of the role is back at once, with the same keys."
  },
  signOut: {
    title: "Sign out",
    button: "Sign out",
    consequence:
      "Browser sessions that are open now end in this org within a second. API keys go on working."
  },
  remove: {
    title: "Remove",
    button: "Remove",
    consequence:
      "Keys and browser sessions open nothing in this org within a second. What the person recorded stays."
  }
} as const satisfies { readonly [action: string]: Words }

/** An action besides a change of role. */
export type Action = keyof typeof WORDS

/** The actions that are possible for a member. */
export const actionsOf = ({ suspended }: Pick<Member, "suspended">): ReadonlyArray<Action> =>
  suspended === true ? ["restore", "remove"] : ["signOut", "suspend", "remove"]
