/**
 * Break-glass of an org as lists that are searched whole: what commands do, which entries they write, who is marked in
 * them, and what is told. Time is whole minutes.
 */
import type { Role } from "@attestry/core/Role"

/** Who is in the org, with base roles. */
export const BASE = {
  ada: "admin",
  bob: "admin",
  cleo: "member",
  dan: "none",
  eve: "none"
} as const
/** A person of the org. */
export type Person = keyof typeof BASE

/** The spaces of the org, each with all that are above it. */
export const SPACES = {
  "/": ["/"],
  a: ["a", "/"],
  "a/b": ["a/b", "a", "/"],
  c: ["c", "/"]
} as const
/** The path of a space. */
export type Place = keyof typeof SPACES

/** A command of a person, or time that passes. */
export type Command =
  | {
      readonly _tag: "give"
      readonly who: Person
      readonly of: Person
      readonly role: Role
      readonly space: Place
      readonly eligible: boolean
    }
  | {
      readonly _tag: "open"
      readonly who: Person
      readonly role: Role
      readonly space: Place
      readonly minutes: number
      /** Whether the key that is used is one for emergencies. */
      readonly emergency: boolean
    }
  | { readonly _tag: "end" | "close" | "review"; readonly who: Person; readonly number: number }
  /** Makes a space below another. */
  | { readonly _tag: "write"; readonly who: Person; readonly space: Place }
  | { readonly _tag: "wait"; readonly minutes: number }
  /** What the worker does. */
  | { readonly _tag: "look" }

interface Grant {
  readonly of: Person
  readonly role: Role
  readonly space: Place
  readonly eligible: boolean
  isEnded: boolean
}

interface Opening {
  readonly who: Person
  readonly role: Role
  readonly space: Place
  readonly endsAt: number
  /** How its end was recorded. */
  over: "closed" | "expired" | undefined
  isReviewed: boolean
  toldAt: number
}

/** An entry: its kind, who wrote it, and the number of the opening in whose time. */
export type Entry = readonly [kind: string, who: Person | undefined, mark: number | undefined]

/** What is known of an org. */
export interface State {
  now: number
  readonly grants: Array<Grant>
  readonly openings: Array<Opening>
  readonly entries: Array<Entry>
  readonly told: Array<string>
}

/** An org in which nothing has happened. */
export const empty = (): State => ({ now: 0, grants: [], openings: [], entries: [], told: [] })

const RANK = ["admin", "member", "snapshotter", "reader"]
const DAY = 1_440

const covers = (of: Pick<Grant, "role" | "space">, role: Role, space: Place): boolean =>
  RANK.indexOf(of.role) <= RANK.indexOf(role) && SPACES[space].some((above) => above === of.space)

const isOpen = ({ now }: State, { endsAt, over }: Opening) => over === undefined && now < endsAt

const openingOf = (state: State, who: Person): number | undefined => {
  const at = state.openings.findIndex((each) => each.who === who && isOpen(state, each))
  return at < 0 ? undefined : at + 1
}

const isAdminIn = (state: State, who: Person, space: Place): boolean =>
  BASE[who] === "admin" ||
  state.grants.some(
    (each) => each.of === who && !each.eligible && !each.isEnded && covers(each, "admin", space)
  ) ||
  state.openings.some(
    (each) => each.who === who && isOpen(state, each) && covers(each, "admin", space)
  )

const write = (state: State, kind: string, who?: Person) => {
  state.entries.push([kind, who, who === undefined ? undefined : openingOf(state, who)])
}

const tell = (state: State, opening: Opening, change: string) => {
  opening.toldAt = state.now
  state.told.push(`${state.openings.indexOf(opening) + 1} ${change}`)
}

const expire = (state: State, opening: Opening) => {
  opening.over = "expired"
  write(state, "break_glass_closed")
  tell(state, opening, "expired")
}

type Of<Tag extends Command["_tag"]> = Extract<Command, { readonly _tag: Tag }>

const give = (state: State, { eligible, of, role, space, who }: Of<"give">): string => {
  if (!isAdminIn(state, who, space)) return "denied"
  const before = state.grants.find(
    (each) => each.of === of && each.space === space && each.eligible === eligible && !each.isEnded
  )
  if (before?.role === role) return ""
  if (before !== undefined) {
    before.isEnded = true
    write(state, "grant_ended", who)
  }
  state.grants.push({ of, role, space, eligible, isEnded: false })
  write(state, "grant_given", who)
  return ""
}

const end = (state: State, who: Person, number: number): string => {
  const grant = state.grants[number - 1]
  if (grant === undefined || !isAdminIn(state, who, grant.space)) return "denied"
  if (!grant.isEnded) {
    grant.isEnded = true
    write(state, "grant_ended", who)
  }
  return ""
}

const open = (state: State, { emergency, minutes, role, space, who }: Of<"open">): string => {
  const isEligible = state.grants.some(
    (each) => each.of === who && each.eligible && !each.isEnded && covers(each, role, space)
  )
  if (!isEligible && !(emergency && BASE[who] === "admin")) return "BreakGlassForbidden"
  if (openingOf(state, who) !== undefined) return "BreakGlassOpen"
  const last = state.openings.find((each) => each.who === who && each.over === undefined)
  if (last !== undefined) expire(state, last)
  const opening = { who, role, space, over: undefined, isReviewed: false, toldAt: state.now }
  state.openings.push({ ...opening, endsAt: state.now + minutes })
  write(state, "break_glass_opened", who)
  state.told.push(`${state.openings.length} opened`)
  return ""
}

const close = (state: State, who: Person, number: number): string => {
  const opening = state.openings[number - 1]
  if (opening === undefined || (BASE[who] !== "admin" && opening.who !== who))
    return "BreakGlassNotFound"
  if (!isOpen(state, opening)) return "BreakGlassDecided"
  opening.over = "closed"
  write(state, "break_glass_closed", who)
  tell(state, opening, "closed")
  return ""
}

const review = (state: State, who: Person, number: number): string => {
  if (BASE[who] !== "admin") return "AccessDenied"
  const opening = state.openings[number - 1]
  if (opening === undefined) return "BreakGlassNotFound"
  if (opening.who === who) return "BreakGlassForbidden"
  if (isOpen(state, opening) || opening.isReviewed) return "BreakGlassDecided"
  if (opening.over === undefined) expire(state, opening)
  opening.isReviewed = true
  write(state, "break_glass_reviewed", who)
  tell(state, opening, "reviewed")
  return ""
}

const look = (state: State): string => {
  for (const each of state.openings)
    if (each.over === undefined && !isOpen(state, each)) expire(state, each)
  for (const each of state.openings)
    if (each.over !== undefined && !each.isReviewed && each.toldAt < state.now - DAY)
      tell(state, each, "waiting")
  return ""
}

/** Does a command; the tag of its failure, or `denied` where the tag says no more. */
export const apply = (state: State, command: Command): string => {
  switch (command._tag) {
    case "give":
      return give(state, command)
    case "end":
      return end(state, command.who, command.number)
    case "open":
      return open(state, command)
    case "close":
      return close(state, command.who, command.number)
    case "review":
      return review(state, command.who, command.number)
    case "write":
      if (!isAdminIn(state, command.who, command.space)) return "denied"
      write(state, "space_created", command.who)
      return ""
    case "wait":
      state.now += command.minutes
      return ""
    case "look":
      return look(state)
  }
}
