/** Reads and replaces the protections of orgs. SPEC §4.28 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { AccessNotices } from "../access/AccessNotices.js"
import { CurrentActor } from "../access/Actor.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { Journals } from "../journal/Journals.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { withInput } from "../shared/FieldErrors.js"
import type { OrgName, SpaceId } from "../shared/Identifier.js"
import { Transaction } from "../shared/Transaction.js"
import { rootOf } from "../space/Space.js"
import { SpaceStore } from "../space/SpaceStore.js"
import * as SpaceTree from "../space/SpaceTree.js"
import { TeamStore } from "../team/TeamStore.js"
import { HeldChanges } from "./internal/HeldChanges.js"
import * as ProtectedPlaces from "./internal/ProtectedPlaces.js"
import * as Protection from "./Protection.js"
import { ProtectionStore } from "./ProtectionStore.js"

/** A protection with the path of its space. */
export interface NamedProtection extends Omit<Protection.Protection, "space_id"> {
  readonly space: string
}

const named = (
  tree: SpaceTree.SpaceTree,
  protections: Protection.Protections
): ReadonlyArray<NamedProtection> =>
  protections.map(({ approvals, days, kinds, space_id, team }) => ({
    kinds,
    space: SpaceTree.labelOf(tree, space_id),
    approvals,
    team,
    days
  }))

/** Use cases of protections. */
export class Protections extends Effect.Service<Protections>()("@attestry/core/Protections", {
  effect: Effect.gen(function* () {
    const store = yield* ProtectionStore
    const teams = yield* TeamStore
    const spaces = yield* SpaceStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const held = yield* HeldChanges
    const notices = yield* AccessNotices

    /** The protections of an org. */
    const get = Effect.fn("Protections.get")(function* (org: OrgName) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "protection.write")
      const tree = SpaceTree.make(orgId, yield* spaces.list(orgId))
      return named(tree, yield* store.find(orgId))
    })

    /** The problem of a team that the org does not have, at its field. */
    const teamProblems = (
      org: WriteContext.WriteContext["org"],
      given: ReadonlyArray<NamedProtection>
    ) =>
      Effect.map(
        Effect.forEach(given, ({ team: name }, index) =>
          name === null
            ? Effect.succeed([])
            : Effect.map(teams.find({ org, name }), (found) =>
                Option.isSome(found)
                  ? []
                  : [[`protections[${index}].team`, `There is no team '${name}'`] as const]
              )
        ),
        (unknown) => unknown.flat()
      )

    /** The protections by the ids of their spaces; fails with every problem by its field. */
    const read = (
      { name, tree }: { readonly name: OrgName; readonly tree: SpaceTree.SpaceTree },
      org: WriteContext.WriteContext["org"],
      given: ReadonlyArray<NamedProtection>
    ) =>
      Effect.gen(function* () {
        const unknown: Array<readonly [field: string, problem: string]> = []
        const next = given.map(({ space, ...rest }, index): Protection.Protection => {
          const found = SpaceTree.find(tree, space)
          if (Option.isNone(found))
            unknown.push([
              `protections[${index}].space`,
              withInput("There is no such space", space)
            ])
          return { ...rest, space_id: Option.getOrElse(found, () => rootOf(org)) }
        })
        const problems = {
          ...Protection.problems(next),
          ...Object.fromEntries([...unknown, ...(yield* teamProblems(org, given))])
        }
        return Object.keys(problems).length === 0
          ? next
          : yield* new Protection.InvalidProtections({ org: name, problems })
      })

    /** Replaces the protections of an org; the same ones change and record nothing. */
    const put = Effect.fn("Protections.put")(function* (
      org: OrgName,
      given: ReadonlyArray<NamedProtection>
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "protection.write")
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const writer = WriteContext.make(granted, yield* scope.now)
          // WHY before the protections: those who change spaces hold both in this order.
          const tree = SpaceTree.make(writer.org, yield* spaces.hold(writer.org, "share"))
          const next = yield* read({ name: org, tree }, writer.org, given)
          const before = yield* store.hold(writer.org, "change")
          if (CanonicalJson.equals(before, next)) return given
          const pathOf = (space: SpaceId) => ProtectedPlaces.pathOf(tree, space)
          const less = Protection.weakened({ before, after: next, pathOf })
          yield* held.check(writer, {
            kinds: [...new Set<Protection.ProtectionKind>(["sign-in", ...less.kinds])],
            subject: { type: "protections", name: org },
            at: [rootOf(writer.org), ...less.spaces],
            before: named(tree, before),
            after: given
          })
          yield* store.put(writer.org, next)
          yield* journals.record({
            ...writer,
            kind: "protections_set",
            subject: { type: "org", id: writer.org },
            content: { org_id: writer.org, protections: next }
          })
          yield* notices.add(writer.org, writer.at, {
            _tag: "AccessChange",
            change: "protections-set",
            by: writer.actor.name,
            subject: { kind: "org", id: writer.org },
            role: null,
            previous_role: null,
            eligible: false,
            settings: [],
            reason: ""
          })
          return given
        })
      )
    })

    return { get, put } as const
  })
}) {}
