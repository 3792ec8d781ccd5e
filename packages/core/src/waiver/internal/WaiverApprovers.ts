/**
 * Who may approve waivers, and how many people must, where a protection covers waivers. Without one the settings of the
 * org decide alone.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Access from "../../access/Access.js"
import type { GrantedWithin } from "../../access/Reaches.js"
import * as Proposers from "../../proposal/internal/Proposers.js"
import * as Proposal from "../../proposal/Proposal.js"
import * as ProtectedPlaces from "../../protection/internal/ProtectedPlaces.js"
import * as Protection from "../../protection/Protection.js"
import type * as Waiver from "../Waiver.js"
import type { WaiverSettings } from "../WaiverSettings.js"
import * as WaiverPlaces from "./WaiverPlaces.js"

/** What a protection asks for where a waiver is. */
export interface WaiverRequirement extends Protection.Requirement {
  /** The path of the space of the waiver. */
  readonly path: Protection.SpaceIds
}

type Binding = Pick<WaiverSettings, "approvals_required" | "approver_role" | "self_approval">

/** Settings under a protection: at least its approvals, by admins or its team, and never by the requester. */
export const under = <Settings extends Binding>(
  settings: Settings,
  protection: Option.Option<Protection.Requirement>
): Settings =>
  Option.match(protection, {
    onNone: () => settings,
    onSome: ({ approvals }) => ({
      ...settings,
      approvals_required: Math.max(settings.approvals_required, approvals),
      approver_role: "admin" as const,
      self_approval: false
    })
  })

/** The decisions about waivers. */
export const make = Effect.gen(function* () {
  const protections = yield* ProtectedPlaces.make
  const people = yield* Proposers.make
  const places = yield* WaiverPlaces.make

  /** What the strictest protection of waivers asks for where one is, which stays until the transaction ends. */
  const protection = (waiver: Pick<Waiver.Waiver, "org_id" | "environment_id" | "policy_name">) =>
    Effect.gen(function* () {
      const { org_id: org } = waiver
      const held = yield* protections.hold(org)
      const at = Option.getOrUndefined(yield* places.placeOf(waiver))
      const paths = (yield* protections.spacesOf(org, at)).map((space) =>
        ProtectedPlaces.pathOf(held.tree, space)
      )
      const path = Protection.commonPath(paths)
      return Option.map(
        Protection.strictest(held.protections, [{ kinds: ["waiver"], paths }]),
        (asked): WaiverRequirement => ({ ...asked, path })
      )
    })

  /** Whether a protection lets an actor approve: another person than those behind the request. */
  const isApprover = (
    { actor, org, orgId }: Access.Granted,
    waiver: Waiver.Waiver,
    asked: WaiverRequirement
  ) =>
    Effect.gen(function* () {
      const known = yield* people.approver(actor.id, { id: orgId, name: org })
      const makers = yield* people.makersOf(waiver.requester_id, orgId)
      return (
        Option.isSome(known) &&
        !makers.includes(actor.id) &&
        Proposal.isApprover(known.value, asked, asked.path)
      )
    })

  /** Why an actor may not decide about a waiver; undefined for one who may. */
  const forbiddenTo = (
    granted: GrantedWithin,
    waiver: Waiver.Waiver,
    asked: Option.Option<WaiverRequirement>
  ): ReturnType<typeof byProtection> =>
    Effect.gen(function* () {
      const { actor } = granted
      const { approver_role, requester_id, self_approval } = under(waiver, asked)
      if (actor.kind === "service-account") return "service-account" as const
      if (Option.isNone(asked) && !(yield* places.hasRole(granted, approver_role, waiver)))
        return "approver-role" as const
      if (actor.id === requester_id && !self_approval) return "own-request" as const
      return yield* byProtection(granted, waiver, asked)
    })

  const byProtection = (
    granted: GrantedWithin,
    waiver: Waiver.Waiver,
    asked: Option.Option<WaiverRequirement>
  ) =>
    Effect.map(
      Option.isNone(asked) ? Effect.succeed(true) : isApprover(granted, waiver, asked.value),
      (isAllowed): Waiver.WaiverForbidden["because"] | undefined =>
        isAllowed ? undefined : "approver-role"
    )

  return { protection, forbiddenTo } as const
})
