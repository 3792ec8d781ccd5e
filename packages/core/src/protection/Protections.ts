/** Reads and replaces the protections of orgs. SPEC §4.28 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { Journals } from "../journal/Journals.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import type { OrgName } from "../shared/Identifier.js"
import { Transaction } from "../shared/Transaction.js"
import { TeamStore } from "../team/TeamStore.js"
import { HeldChanges } from "./internal/HeldChanges.js"
import * as Protection from "./Protection.js"
import { ProtectionStore } from "./ProtectionStore.js"

/** Use cases of protections. */
export class Protections extends Effect.Service<Protections>()("@attestry/core/Protections", {
  effect: Effect.gen(function* () {
    const store = yield* ProtectionStore
    const teams = yield* TeamStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const held = yield* HeldChanges

    /** The protections of an org. */
    const get = Effect.fn("Protections.get")(function* (org: OrgName) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "protection.write")
      return yield* store.find(orgId)
    })

    /** Problems of protections by field: those of their form, and teams that the org does not have. */
    const problemsOf = (org: WriteContext.WriteContext["org"], next: Protection.Protections) =>
      Effect.map(
        Effect.forEach(next, ({ team: name }, index) =>
          name === null
            ? Effect.succeed([])
            : Effect.map(teams.find({ org, name }), (found) =>
                Option.isSome(found)
                  ? []
                  : [[`protections[${index}].team`, `There is no team '${name}'`] as const]
              )
        ),
        (unknown) => ({ ...Protection.problems(next), ...Object.fromEntries(unknown.flat()) })
      )

    /** Replaces the protections of an org; the same ones change and record nothing. */
    const put = Effect.fn("Protections.put")(function* (
      org: OrgName,
      next: Protection.Protections
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "protection.write")
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const writer = WriteContext.make(granted, yield* scope.now)
          const problems = yield* problemsOf(writer.org, next)
          if (Object.keys(problems).length > 0)
            return yield* new Protection.InvalidProtections({ org, problems })
          const before = yield* store.hold(writer.org, "change")
          if (CanonicalJson.equals(before, next)) return next
          yield* held.check(writer, {
            kinds: Protection.kindsOfReplacement(before, next),
            subject: { type: "protections", name: org },
            before,
            after: next
          })
          yield* store.put(writer.org, next)
          yield* journals.record({
            ...writer,
            kind: "protections_set",
            subject: { type: "org", id: writer.org },
            content: { org_id: writer.org, protections: next }
          })
          return next
        })
      )
    })

    return { get, put } as const
  })
}) {}
