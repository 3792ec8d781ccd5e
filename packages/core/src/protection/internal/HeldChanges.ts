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
import type { ThingKind } from "../../space/ThingPlace.js"
import * as Protection from "../Protection.js"
import { ChangeHeld, type ProtectionKind, type Requirement } from "../Protection.js"
import * as ProtectedPlaces from "./ProtectedPlaces.js"

/** A change that can be protected. */
export interface HeldChange {
  /** The strictest protection that covers one of them applies. */
  readonly kinds: ReadonlyArray<ProtectionKind>
  readonly subject: { readonly type: string; readonly name: string }
  /** What is there now, in a form that JSON has; null for what is new. */
  readonly before: unknown
  /** What will be there. */
  readonly after: unknown
  /** Where it is made: in spaces, or at a thing; absent for a change of the whole org. */
  readonly at?: ProtectedPlaces.ChangePlace
}

/** A change with the ids of the spaces where it is made. */
export interface PlacedChange extends Omit<HeldChange, "at"> {
  readonly spaces: ReadonlyArray<SpaceId>
}

/** A move of things, or of a space with what is in it. */
export interface HeldMove extends Omit<HeldChange, "at" | "kinds"> {
  /** The kinds of what moves. */
  readonly things: ReadonlyArray<ThingKind>
  readonly from: ReadonlyArray<SpaceId>
  readonly to: SpaceId
  /** The space that moves. */
  readonly moved?: SpaceId
}

/** The permission that changes of a kind need. */
const PERMISSIONS: { readonly [kind in ProtectionKind]: Permission } = {
  policy: "policy.write",
  control: "control.write",
  attachment: "environment.write",
  "allow-list": "allow-list.write",
  override: "attestation.write",
  waiver: "waiver.approve",
  trust: "trust-policy.write",
  access: "grant.write",
  "sign-in": "sign-in.write"
}

/** How the changes of the current write are treated. */
export type HoldingMode =
  | { readonly _tag: "Direct" }
  /** They are collected. */
  | { readonly _tag: "Rehearsed"; readonly changes: Array<PlacedChange> }
  /** They are collected, and made where the approvals are enough. */
  | {
      readonly _tag: "Approved"
      readonly changes: Array<PlacedChange>
      /** Whether those who have approved are enough people who may do so at the end of a path. */
      readonly isEnough: (requirement: Requirement, path: Protection.SpaceIds) => boolean
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
    const places = yield* ProtectedPlaces.make
    const glasses = yield* BreakGlassStore
    const spaces = yield* SpaceStore

    /** Whether the break-glass of a person lets a change through. */
    const isThroughGlass = Effect.fnUntraced(function* (
      { actor, at, org }: WriteContext,
      change: PlacedChange
    ) {
      if (actor.kind !== "user") return false
      const opening = yield* glasses.findAt(org, actor.id, at)
      if (Option.isNone(opening)) return false
      const needed = change.kinds.map((kind) => PERMISSIONS[kind])
      if (!BreakGlass.permits(opening.value, needed)) return false
      const space = opening.value.space_id
      if (space === rootOf(org)) return true
      const within = SpaceTree.within(SpaceTree.make(org, yield* spaces.list(org)), space)
      return change.spaces.every((each) => within.has(each))
    })

    const held = ({ kinds }: PlacedChange, { approvals }: Requirement) =>
      new ChangeHeld({ kinds, approvals })

    /** Fails if the change needs the approval of other people. INVARIANT: called in the transaction of the change. */
    const check = Effect.fnUntraced(function* (
      writer: WriteContext,
      { at, kinds, ...seen }: HeldChange
    ) {
      const mode = yield* Holding
      const { org } = writer
      const isFree = writer.actor.kind === "system"
      if (mode._tag === "Direct" && isFree) return
      // WHY before its place is read: a move waits for those who hold the spaces.
      const { protections, tree } = yield* mode._tag === "Direct"
        ? places.holdNamed(org)
        : places.hold(org)
      const change = { ...seen, kinds, spaces: yield* places.spacesOf(org, at) }
      if (mode._tag !== "Direct") mode.changes.push(change)
      if (mode._tag === "Rehearsed" || isFree) return
      const paths = change.spaces.map((space) => ProtectedPlaces.pathOf(tree, space))
      const requirement = Protection.strictest(protections, [{ kinds, paths }])
      if (Option.isNone(requirement)) return
      if (mode._tag === "Direct")
        return (yield* isThroughGlass(writer, change))
          ? undefined
          : yield* held(change, requirement.value)
      if (mode.isEnough(requirement.value, Protection.commonPath(paths))) return
      mode.missing.isHeld = true
      return yield* held(change, requirement.value)
    })

    /**
     * As `check`, for a move: a change of access at both ends, and of every kind for which a protection is left behind.
     * The caller holds the spaces to change them.
     */
    const checkMove = Effect.fnUntraced(function* (
      writer: WriteContext,
      { from, moved, things: kinds, to, ...change }: HeldMove
    ) {
      const { protections, tree } = yield* places.hold(writer.org)
      const target = ProtectedPlaces.pathOf(tree, to)
      const left = from.flatMap((space) =>
        Protection.leaving(protections, {
          kinds,
          from: ProtectedPlaces.pathOf(tree, space),
          to: target
        })
      )
      return yield* check(writer, {
        ...change,
        kinds: [...new Set<ProtectionKind>(["access", ...left])],
        at: [...from, to, ...(moved === undefined ? [] : [moved])]
      })
    })

    return { check, checkMove } as const
  })
}) {}
