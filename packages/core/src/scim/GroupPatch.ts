/**
 * Patches of groups: names, and members by their ids. Pure and total; the work is linear in the patch and the group.
 */
import * as Either from "effect/Either"
import {
  type Fields,
  fold,
  isFields,
  memberOf,
  optionalTextOf,
  type Read,
  refuse,
  textOf
} from "./ScimJson.js"
import type { Operation } from "./ScimPatch.js"

/** The most characters of the name and of the external id of a group. */
export const NAME_LENGTH_MAX = 255
/** The most members of a group. */
export const MEMBERS_MAX = 10_000

/** What a client says about a group. */
export interface GroupInput {
  readonly displayName: string
  readonly externalId: string | null
  /** Ids of SCIM users. */
  readonly members: ReadonlySet<string>
}

/** The ids of a list of members, each `{value}` or the id itself. */
export const idsOf = (value: unknown): Read<ReadonlyArray<string>> => {
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
  const ids: Array<string> = []
  for (const each of list) {
    const id = isFields(each) ? memberOf(each, "value") : each
    if (typeof id !== "string" || id === "")
      return refuse("invalidValue", "a member must have the id of a user as its value")
    ids.push(id)
  }
  return Either.right(ids)
}

/** The group of a body. */
export const read = (body: Fields): Read<GroupInput> =>
  Either.gen(function* () {
    const displayName = yield* textOf(memberOf(body, "displayName"), "displayName", NAME_LENGTH_MAX)
    const externalId = yield* optionalTextOf(
      memberOf(body, "externalId"),
      "externalId",
      NAME_LENGTH_MAX
    )
    const members = new Set(yield* idsOf(memberOf(body, "members")))
    return members.size > MEMBERS_MAX
      ? yield* refuse("tooMany", `a group has at most ${MEMBERS_MAX} members`)
      : { displayName, externalId, members }
  })

/** Moves members as one operation says. */
const moveMembers = (members: Set<string>, { path, value, verb }: Operation): Read<void> => {
  const { part, selection } = path
  if (part !== null) return refuse("invalidPath", "members have no parts that change")
  if (selection !== null) {
    if (verb !== "remove" || fold(selection.attribute) !== "value")
      return refuse("invalidPath", 'members are selected by members[value eq "…"], to be removed')
    if (typeof selection.value === "string") members.delete(selection.value)
    return Either.void
  }
  return Either.map(idsOf(value), (ids) => {
    if (verb === "replace" || (verb === "remove" && value === undefined)) members.clear()
    for (const id of ids) {
      if (verb === "remove") members.delete(id)
      else members.add(id)
    }
  })
}

/** A group after the operations of a patch; other attributes than its names and members have no effect. */
export const apply = (group: GroupInput, operations: ReadonlyArray<Operation>): Read<GroupInput> =>
  Either.gen(function* () {
    const members = new Set(group.members)
    let { displayName, externalId } = group
    for (const operation of operations) {
      const { path, value, verb } = operation
      const name = path.extension === null ? fold(path.attribute) : ""
      if (name === "members") yield* moveMembers(members, operation)
      else if (name === "displayname")
        displayName = yield* textOf(
          verb === "remove" ? undefined : value,
          "displayName",
          NAME_LENGTH_MAX
        )
      else if (name === "externalid")
        externalId = yield* optionalTextOf(
          verb === "remove" ? null : value,
          "externalId",
          NAME_LENGTH_MAX
        )
    }
    return members.size > MEMBERS_MAX
      ? yield* refuse("tooMany", `a group has at most ${MEMBERS_MAX} members`)
      : { displayName, externalId, members }
  })
