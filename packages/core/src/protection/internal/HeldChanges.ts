/**
 * Holds protected changes back. A use case asks here before it makes a change, inside the transaction of the change. A
 * change that is sent directly fails where a protection covers it; a proposal collects its changes; that of an approved
 * proposal is made by the protections of that moment. The operator is not held, nor are people at the place of their
 * break-glass.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import type { Permission } from "../../access/Permission.js"
import * as BreakGlass from "../../break-glass/BreakGlass.js"
import { BreakGlassStore } from "../../break-glass/BreakGlassStore.js"
import type { SpaceId } from "../../shared/Identifier.js"
import { rootOf } from "../../space/Space.js"
import { SpaceStore } from "../../space/SpaceStore.js"
import * as SpaceTree from "../../space/SpaceTree.js"
import type { PlacedThing } from "../../space/ThingPlace.js"
import { ChangeHeld, type ProtectionKind, type Requirement, strictest } from "../Protection.js"
import { ProtectionStore } from "../ProtectionStore.js"

/** A change that can be protected. */
export interface HeldChange {
  /** The strictest protection that covers one of them applies. */
  readonly kinds: ReadonlyArray<ProtectionKind>
  readonly subject: { readonly type: string; readonly name: string }
  /** What is there now, in a form that JSON has; null for what is new. */
  readonly before: unknown
  /** What will be there. */
  readonly after: unknown
  /** Where it is made: in a space, or at a thing; absent for a change of the whole org. */
  readonly at?: SpaceId | PlacedThing
}

/** The permission that changes of a kind need. */
const PERMISSIONS: { readonly [kind in ProtectionKind]: Permission } = {
  policy: "policy.write",
  control: "control.write",
  attachment: "environment.write",
  "allow-list": "allow-list.write",
  override: "attestation.write",
  waiver: "waiver.approve",
  access: "grant.write",
  "sign-in": "sign-in.write"
}

/** How the changes of the current write are treated. */
export type HoldingMode =
  | { readonly _tag: "Direct" }
  /** They are collected. */
  | { readonly _tag: "Rehearsed"; readonly changes: Array<HeldChange> }
  /** They are collected, and made where the approvals are enough. */
  | {
      readonly _tag: "Approved"
      readonly changes: Array<HeldChange>
      readonly isEnough: (requirement: Requirement) => boolean
      /** Is set when approvals were not enough. */
      readonly missing: { isHeld: boolean }
    }

/** How the changes of the current write are treated. */
export class Holding extends Context.Reference<Holding>()("@attestry/core/Holding", {
  defaultValue: (): HoldingMode => ({ _tag: "Direct" })
}) {}

/** Holds protected changes back. */
export class HeldChanges extends Effect.Service<HeldChanges>()("@attestry/core/HeldChanges", {
  effect: Effect.gen(function* () {
    const store = yield* ProtectionStore
    const glasses = yield* BreakGlassStore
    const spaces = yield* SpaceStore

    const requirementOf = ({ org }: Pick<WriteContext, "org">, { kinds }: HeldChange) =>
      Effect.map(store.hold(org, "share"), (protections) => strictest(protections, kinds))

    /** The space of a change. */
    const spaceOf = ({ org }: Pick<WriteContext, "org">, { at }: HeldChange) => {
      if (at === undefined) return Effect.succeed(rootOf(org))
      if (typeof at === "string") return Effect.succeed(at)
      return Effect.map(
        spaces.placesOf(org, { kind: at.kind, ids: [at.id] }),
        (found) => found.get(at.id) ?? rootOf(org)
      )
    }

    /** Whether the break-glass of a person lets a change through. */
    const isThroughGlass = Effect.fnUntraced(function* (writer: WriteContext, change: HeldChange) {
      const { actor, at, org } = writer
      if (actor.kind !== "user") return false
      const opening = yield* glasses.findAt(org, actor.id, at)
      if (Option.isNone(opening)) return false
      const needed = change.kinds.map((kind) => PERMISSIONS[kind])
      if (!BreakGlass.permits(opening.value, needed)) return false
      const space = opening.value.space_id
      if (space === rootOf(org)) return true
      const tree = SpaceTree.make(org, yield* spaces.list(org))
      return SpaceTree.within(tree, space).has(yield* spaceOf(writer, change))
    })

    const held = ({ kinds }: HeldChange, { approvals }: Requirement) =>
      new ChangeHeld({ kinds, approvals })

    /** Fails if the change needs the approval of other people. INVARIANT: called in the transaction of the change. */
    const check = Effect.fnUntraced(function* (writer: WriteContext, change: HeldChange) {
      const mode = yield* Holding
      const { at: _place, ...seen } = change
      if (mode._tag !== "Direct") mode.changes.push(seen)
      if (mode._tag === "Rehearsed" || writer.actor.kind === "system") return
      const requirement = yield* requirementOf(writer, change)
      if (Option.isNone(requirement)) return
      if (mode._tag === "Direct")
        return (yield* isThroughGlass(writer, change))
          ? undefined
          : yield* held(change, requirement.value)
      if (mode.isEnough(requirement.value)) return
      mode.missing.isHeld = true
      return yield* held(change, requirement.value)
    })

    return { check } as const
  })
}) {}
