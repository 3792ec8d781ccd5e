/**
 * Holds protected changes back. A use case asks here before it makes a change that can be protected, inside the
 * transaction of the change, and says what is there before and after.
 *
 * A change that is sent directly fails where a protection covers it. A proposal collects its changes and fails nowhere,
 * because it stores nothing; and the change of an approved proposal is made if enough people have approved it by the
 * protections of that moment. Commands of the operator are not held: their actor is the system.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { WriteContext } from "../../access/internal/WriteContext.js"
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

    const requirementOf = ({ org }: Pick<WriteContext, "org">, { kinds }: HeldChange) =>
      Effect.map(store.hold(org, "share"), (protections) => strictest(protections, kinds))

    const held = ({ kinds }: HeldChange, { approvals }: Requirement) =>
      new ChangeHeld({ kinds, approvals })

    /** Fails if the change needs the approval of other people. INVARIANT: called in the transaction of the change. */
    const check = Effect.fnUntraced(function* (
      writer: Pick<WriteContext, "org" | "actor">,
      change: HeldChange
    ) {
      const mode = yield* Holding
      if (mode._tag !== "Direct") mode.changes.push(change)
      if (mode._tag === "Rehearsed" || writer.actor.kind === "system") return
      const requirement = yield* requirementOf(writer, change)
      if (Option.isNone(requirement)) return
      if (mode._tag === "Direct") return yield* held(change, requirement.value)
      if (mode.isEnough(requirement.value)) return
      mode.missing.isHeld = true
      return yield* held(change, requirement.value)
    })

    return { check } as const
  })
}) {}
