/** What the protections of now ask for of proposals, and which proposals a caller sees. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../../access/Access.js"
import * as Reach from "../../access/Reach.js"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import * as ProtectedPlaces from "../../protection/internal/ProtectedPlaces.js"
import * as Protection from "../../protection/Protection.js"
import { ProtectionStore } from "../../protection/ProtectionStore.js"
import type { OrgId } from "../../shared/Identifier.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import { SpaceStore } from "../../space/SpaceStore.js"
import * as SpaceTree from "../../space/SpaceTree.js"
import * as Proposal from "../Proposal.js"
import type { ProposalQuery } from "../ProposalStore.js"
import * as Proposers from "./Proposers.js"

/** A proposal with its state, and what it needs now. */
export interface ProposalView {
  readonly proposal: Proposal.Proposal
  readonly state: Proposal.ProposalState
  readonly approvals_required: number
  /** The path of the lowest space that all its changes are in. */
  readonly space: string
}

/** What the strictest protection asks for of changes; none where nothing covers them. */
export const covering = (
  { protections, tree }: ProtectedPlaces.HeldProtections,
  changes: ReadonlyArray<Proposal.ProposedChange>
): Option.Option<Protection.Requirement> =>
  Protection.strictest(
    protections,
    changes.map(({ kinds, spaces }) => ({
      kinds,
      paths: spaces.map((space) => ProtectedPlaces.pathOf(tree, space))
    }))
  )

/** What is asked for of a proposal; where nothing covers it any more, one admin who is another person. */
export const askedOf = (
  current: ProtectedPlaces.HeldProtections,
  { changes, spaces }: Proposal.Proposal
): Proposal.Asked => ({
  ...Option.getOrElse(covering(current, changes), () => ({
    approvals: 1,
    team: null,
    days: Protection.DAYS_DEFAULT
  })),
  path: Protection.commonPath(spaces.map((space) => ProtectedPlaces.pathOf(current.tree, space)))
})

/** A proposal as it is shown at an instant. */
export const viewOf =
  (current: ProtectedPlaces.HeldProtections, now: Timestamp) =>
  (proposal: Proposal.Proposal): ProposalView => {
    const { approvals, path } = askedOf(current, proposal)
    const { tree } = current
    return {
      proposal,
      state: Proposal.stateAt(proposal, now),
      approvals_required: approvals,
      space: SpaceTree.labelOf(tree, path[path.length - 1] ?? tree.root)
    }
  }

/** The reads of proposals by place. */
export const make = Effect.gen(function* () {
  const protections = yield* ProtectionStore
  const spaces = yield* SpaceStore
  const reaches = yield* Reaches
  const people = yield* Proposers.make

  /**
   * The protections and the spaces of now. WHY not held: a change of protections holds them alone. The change asks
   * again when it is made.
   */
  const current = (org: OrgId) =>
    Effect.all({
      protections: protections.find(org),
      tree: Effect.map(spaces.list(org), (found) => SpaceTree.make(org, found))
    })

  /** The condition that a proposal is where the caller reads. */
  const readable = ({ readable }: GrantedWithin): Pick<ProposalQuery, "within"> => {
    const within = Reach.spaceIdsOf(readable)
    return within === undefined ? {} : { within }
  }

  /** Where the caller may approve by a role; undefined for the whole org. */
  const approvable = ({ actor, org }: GrantedWithin) =>
    Access.isAllowed(actor, org, "proposal.approve")
      ? Effect.succeed(undefined)
      : reaches.authorize(org, "proposal.approve").pipe(
          Effect.map(({ reach }) => Reach.spaceIdsOf(reach)),
          Effect.catchTag("AccessDenied", () => Effect.succeed([]))
        )

  /**
   * The condition that the caller sees a proposal: where the caller reads, those whose place is one where the caller
   * may approve by a role, those that a team of the caller may approve, and the caller's own.
   */
  const visible = (granted: GrantedWithin, { protections: all }: ProtectedPlaces.HeldProtections) =>
    Effect.gen(function* () {
      const { actor, org, orgId } = granted
      const within = readable(granted)
      const decidable = yield* approvable(granted)
      if (decidable === undefined) return within
      const known = yield* people.approver(actor.id, { id: orgId, name: org })
      const isOfTeam =
        Option.isSome(known) && all.some(({ team }) => team !== null && known.value.teams.has(team))
      return isOfTeam ? within : { ...within, own: { proposer: actor.id, spaces: decidable } }
    })

  return { current, readable, visible } as const
})
