/** Reads and replaces the placement rules of an org. SPEC §4.30 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { Journals } from "../journal/Journals.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { withInput } from "../shared/FieldErrors.js"
import { type OrgId, OrgName } from "../shared/Identifier.js"
import { Transaction } from "../shared/Transaction.js"
import { OrgSpaces } from "../space/internal/OrgSpaces.js"
import type { PlacementRule } from "../space/PlacementRule.js"
import { SpaceStore } from "../space/SpaceStore.js"
import * as SpaceTree from "../space/SpaceTree.js"

/** A placement rule with the path of its space. */
export interface NamedRule extends Omit<PlacementRule, "space_id"> {
  readonly space: string
}

/** Placement rules that cannot be set, with a sentence for each field. */
export class InvalidPlacementRules extends Schema.TaggedError<InvalidPlacementRules>()(
  "InvalidPlacementRules",
  { org: OrgName, problems: Schema.Record({ key: Schema.String, value: Schema.String }) }
) {
  override get message(): string {
    return "the placement rules cannot be set"
  }
}

/** Use cases of placement rules. */
export class PlacementRules extends Effect.Service<PlacementRules>()(
  "@attestry/core/PlacementRules",
  {
    effect: Effect.gen(function* () {
      const store = yield* SpaceStore
      const spaces = yield* OrgSpaces
      const transaction = yield* Transaction
      const journals = yield* Journals
      const epoch = yield* AccessEpoch
      const held = yield* HeldChanges

      const granted = (org: OrgName) =>
        Effect.flatMap(CurrentActor, (actor) => Access.authorize(actor, org, "placement.write"))

      const named = (tree: SpaceTree.SpaceTree, rules: ReadonlyArray<PlacementRule>) =>
        rules.map(
          ({ kind, name, space_id }): NamedRule => ({
            kind,
            name,
            space: SpaceTree.labelOf(tree, space_id)
          })
        )

      const read = (org: OrgName, tree: SpaceTree.SpaceTree, rules: ReadonlyArray<NamedRule>) =>
        Effect.gen(function* () {
          const problems: Record<string, string> = {}
          const found = rules.flatMap(
            ({ kind, name, space }, index): ReadonlyArray<PlacementRule> => {
              const id = SpaceTree.find(tree, space)
              if (Option.isSome(id)) return [{ kind, name, space_id: id.value }]
              problems[`rules[${index}].space`] = withInput("There is no such space", space)
              return []
            }
          )
          return Object.keys(problems).length === 0
            ? found
            : yield* new InvalidPlacementRules({ org, problems })
        })

      /** The placement rules of an org, in their order. */
      const get = Effect.fn("PlacementRules.get")(function* (org: OrgName) {
        const { orgId } = yield* granted(org)
        return named(yield* spaces.of(orgId), yield* store.findRules(orgId))
      })

      const replace = (
        org: OrgName,
        writer: WriteContext.WriteContext,
        next: ReadonlyArray<NamedRule>
      ) =>
        Effect.gen(function* () {
          const orgId: OrgId = writer.org
          const tree = SpaceTree.make(orgId, yield* store.hold(orgId, "change"))
          const rules = yield* read(org, tree, next)
          const before = yield* store.findRules(orgId)
          if (CanonicalJson.equals(before, rules)) return next
          yield* held.check(writer, {
            kinds: ["access"],
            subject: { type: "placement-rules", name: org },
            before: named(tree, before),
            after: next
          })
          yield* store.putRules(orgId, rules)
          yield* journals.record({
            ...writer,
            kind: "placement_rules_set",
            subject: { type: "org", id: orgId },
            content: { org_id: orgId, rules }
          })
          return next
        })

      /** Replaces the placement rules of an org; the same ones change and record nothing. */
      const put = Effect.fn("PlacementRules.put")(function* (
        org: OrgName,
        next: ReadonlyArray<NamedRule>
      ) {
        const access = yield* granted(org)
        return yield* transaction
          .run(access.orgId, (scope) =>
            Effect.flatMap(scope.now, (now) => replace(org, WriteContext.make(access, now), next))
          )
          .pipe(Effect.zipLeft(epoch.advance))
      })

      return { get, put } as const
    })
  }
) {}
