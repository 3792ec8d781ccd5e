/**
 * Makes, decides and applies proposals. SPEC §4.28
 *
 * To propose runs the request as a dry run, so that its errors are those of the change. The last approval runs it as
 * the proposer, with the rights that the proposer has then: approval, change and entries commit together.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { CurrentActor } from "../access/Actor.js"
import { DryRuns } from "../access/DryRuns.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { leavesAt } from "../access/KeyScope.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { Holding, type PlacedChange } from "../protection/internal/HeldChanges.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import type { OrgId, OrgName, SpaceId } from "../shared/Identifier.js"
import * as DryRun from "../shared/internal/DryRun.js"
import type { Page } from "../shared/Page.js"
import * as Timestamp from "../shared/Timestamp.js"
import { type Locking, Transaction } from "../shared/Transaction.js"
import { Reevaluations } from "../snapshot/Reevaluations.js"
import * as Application from "./internal/Application.js"
import * as Endings from "./internal/Endings.js"
import * as ProposalPlaces from "./internal/ProposalPlaces.js"
import * as ProposalRecords from "./internal/ProposalRecords.js"
import * as Proposers from "./internal/Proposers.js"
import { isProposable } from "./ProposableOperation.js"
import * as Proposal from "./Proposal.js"
import * as ProposalQueries from "./ProposalStore.js"
import { type ProposalQuery, ProposalStore } from "./ProposalStore.js"
import { ProposedOperations } from "./ProposedOperations.js"

/** A proposal as it is shown. */
export type { ProposalView } from "./internal/ProposalPlaces.js"

/** The number of a proposal in an org, as requests give it. */
export interface ProposalPath {
  readonly org: OrgName
  readonly number: number
}

/** A request to propose, and why. */
export interface ProposalRequest {
  readonly request: Proposal.ProposedRequest
  readonly reason: string
}

const DAY_SECONDS = 86_400

const problemsOf = (org: OrgName, { request }: ProposalRequest) => {
  const problems: { [field: string]: string } = {}
  if (!isProposable(request.operation))
    problems.operation = `Requests of this operation cannot be proposed [input: ${request.operation.slice(0, 100)}]`
  if ((request.params.org ?? org) !== org)
    problems["params.org"] = "A change of another org cannot be proposed here"
  if (CanonicalJson.print(request).length > Proposal.REQUEST_LENGTH_MAX)
    problems.body = `The request should have at most ${Proposal.REQUEST_LENGTH_MAX} characters as JSON`
  return problems
}

/** Use cases of proposals. */
export class Proposals extends Effect.Service<Proposals>()("@attestry/core/Proposals", {
  effect: Effect.gen(function* () {
    const store = yield* ProposalStore
    const reaches = yield* Reaches
    const places = yield* ProposalPlaces.make
    const transaction = yield* Transaction
    const dryRuns = yield* DryRuns
    const reevaluations = yield* Reevaluations
    const epoch = yield* AccessEpoch
    const { digestOf, record, stateDigestOf, tell } = yield* ProposalRecords.make
    const { end, endingOf, expire } = yield* Endings.make
    const people = yield* Proposers.make
    const apply = yield* Application.make

    const viewOf = (proposal: Proposal.Proposal, now: Timestamp.Timestamp) =>
      Effect.map(places.current(proposal.org_id), (current) =>
        ProposalPlaces.viewOf(current, now)(proposal)
      )

    const reader = (org: OrgName) => reaches.authorize(org, "org.read")

    /** The proposal of that number; one that does not pass a condition is as absent. */
    const found = (
      path: ProposalPath,
      { orgId: org }: Pick<GrantedWithin, "orgId">,
      { where, ...locking }: Locking & { readonly where: Pick<ProposalQuery, "own" | "within"> }
    ) =>
      Effect.flatMap(
        store.find({ org, number: path.number }, locking),
        Either.fromOption(() => new Proposal.ProposalNotFound(path))
      ).pipe(
        Effect.filterOrFail(
          (proposal) => ProposalQueries.isSeen(where, proposal),
          () => new Proposal.ProposalNotFound(path)
        )
      )

    /** Runs a request as its dry run, and returns the changes that it would make. */
    const rehearse = (org: OrgName, request: Proposal.ProposedRequest) =>
      Effect.gen(function* () {
        const operations = yield* ProposedOperations
        const actor = yield* CurrentActor
        yield* operations.fresh(request, actor)
        const changes: Array<PlacedChange> = []
        const write = Effect.suspend(() => {
          // The transaction may run it again.
          changes.length = 0
          return operations.run(request, actor)
        })
        yield* dryRuns.run(
          org,
          Effect.provideService(write, Holding, { _tag: "Rehearsed", changes })
        )
        return ProposalRecords.plain(changes)
      })

    /** Proposes a change. Its errors are those of the change; a change that nothing protects is refused. */
    const make = Effect.fn("Proposals.make")(function* (org: OrgName, given: ProposalRequest) {
      const granted = yield* reader(org)
      const { actor, orgId } = granted
      const problems = problemsOf(org, given)
      if (Object.keys(problems).length > 0) return yield* new Proposal.InvalidProposal({ problems })
      const request = { ...given.request, params: { ...given.request.params, org } }
      const changes = yield* rehearse(org, request)
      const kinds = ProposalRecords.kindsOf(changes)
      const digest = yield* digestOf(request)
      const state_digest = yield* stateDigestOf(changes)
      return yield* transaction.run(orgId, (scope) =>
        Effect.gen(function* () {
          const writer = WriteContext.make(granted, yield* scope.now)
          const current = yield* places.current(orgId)
          const needed = ProposalPlaces.covering(current, changes)
          if (Option.isNone(needed))
            return yield* new Proposal.NothingHeld({ operation: request.operation })
          if ((yield* store.countToAdd(orgId, writer.at)) >= Proposal.OPEN_MAX)
            return yield* new Proposal.TooManyProposals({ most: Proposal.OPEN_MAX })
          const proposal = yield* store.append({
            org_id: orgId,
            request,
            digest,
            changes,
            state_digest,
            kinds,
            spaces: [...new Set(changes.flatMap(({ spaces }) => spaces))],
            reason: given.reason,
            proposer: {
              kind: actor.kind,
              id: actor.id,
              user: actor.name,
              credential: actor.key_id
            },
            barred: yield* people.barred(actor, orgId),
            made_at: writer.at,
            expires_at: Timestamp.plusSeconds(writer.at, needed.value.days * DAY_SECONDS),
            approvals: [],
            ended: null
          })
          yield* record(writer, "proposal_made", proposal)
          yield* tell(proposal, "created")
          return ProposalPlaces.viewOf(current, writer.at)(proposal)
        })
      )
    })

    /** A locked proposal where the caller reads. */
    const seen = (path: ProposalPath, granted: GrantedWithin) =>
      found(path, granted, { lock: true, where: places.readable(granted) })

    /** The caller as an approver at the end of a path, as far as its key leaves it. */
    const approverOf = (
      { actor, org, orgId }: GrantedWithin,
      { path }: Pick<Proposal.Asked, "path">
    ) =>
      Effect.map(
        people.approver(actor.id, { id: orgId, name: org }),
        (known): Proposal.Approver => {
          const nobody = { id: actor.id, spaces: new Set<SpaceId>(), teams: new Set<string>() }
          const { id, spaces, teams } = Option.getOrElse(known, () => nobody)
          const isLeft = leavesAt(actor.scope, "proposal.approve", { path })
          return { id, kind: actor.kind, teams, spaces: isLeft ? spaces : nobody.spaces }
        }
      )

    /** A locked proposal that the caller may decide about, with what its protections ask for now. */
    const toDecide = (path: ProposalPath, granted: GrantedWithin, now: Timestamp.Timestamp) =>
      Effect.gen(function* () {
        const { orgId } = granted
        const { number } = path
        const proposal = yield* seen(path, granted)
        const asked = ProposalPlaces.askedOf(yield* places.current(orgId), proposal)
        const because = Proposal.refusalOf(proposal, yield* approverOf(granted, asked), asked)
        if (because !== undefined) return yield* new Proposal.ProposalForbidden({ number, because })
        const state = Proposal.stateAt(proposal, now)
        if (!Proposal.isOpen(state)) return yield* new Proposal.ProposalDecided({ number, state })
        return { proposal, asked }
      })

    /** What the work after a change needs once it is committed: sessions and verdicts of now. */
    const afterwards = (org: OrgId) =>
      Effect.zipRight(
        epoch.advance,
        DryRun.unless(
          Effect.catchTag(reevaluations.drain(org), "StoreError", (error) =>
            Effect.logWarning("environments are still to be evaluated", error)
          )
        )
      )

    /**
     * Approves a proposal of that digest. The last approval that is needed makes the change; a change that cannot be
     * made ends the proposal, and fails.
     */
    const approve = Effect.fn("Proposals.approve")(function* (
      path: ProposalPath,
      given: { readonly digest: string; readonly comment: string }
    ) {
      const granted = yield* reader(path.org)
      const { number } = path
      const view = yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const writer = WriteContext.make(granted, yield* scope.now)
          const { asked, proposal } = yield* toDecide(path, granted, writer.at)
          if (proposal.digest !== given.digest) return yield* new Proposal.OtherDigest({ number })
          const { id: user_id, name: user } = granted.actor
          if (proposal.approvals.some((each) => each.user_id === user_id))
            return yield* new Proposal.ProposalApprovedBefore({ number })
          const { comment } = given
          const approved = Proposal.approve(proposal, { user_id, user, at: writer.at, comment })
          yield* store.decide(approved)
          yield* record(writer, "proposal_approved", approved)
          yield* tell(approved, "updated")
          const result = yield* apply(approved, { name: path.org, asked })
          if (result._tag === "Waiting") return yield* viewOf(approved, writer.at)
          const detail = result._tag === "Failed" ? result.detail : ""
          const state =
            result._tag === "Applied" ? "applied" : result._tag === "Stale" ? "stale" : "failed"
          const ended = yield* end(writer, approved, endingOf(state, writer, detail))
          return yield* viewOf(ended, writer.at)
        })
      )
      const { ended } = view.proposal
      if (ended?.state === "applied") yield* afterwards(granted.orgId)
      return ended?.state === "stale" || ended?.state === "failed"
        ? yield* new Proposal.ProposalNotApplied({
            number,
            state: ended.state,
            detail: ended.comment
          })
        : view
    })

    /** Rejects a proposal. */
    const reject = Effect.fn("Proposals.reject")(function* (path: ProposalPath, comment: string) {
      const granted = yield* reader(path.org)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const writer = WriteContext.make(granted, yield* scope.now)
          const { proposal } = yield* toDecide(path, granted, writer.at)
          const ended = yield* end(writer, proposal, endingOf("rejected", writer, comment))
          return yield* viewOf(ended, writer.at)
        })
      )
    })

    /** Withdraws a proposal: its proposer, the people behind it, and admins may. */
    const withdraw = Effect.fn("Proposals.withdraw")(function* (path: ProposalPath) {
      const granted = yield* reader(path.org)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const writer = WriteContext.make(granted, yield* scope.now)
          const { number } = path
          const proposal = yield* seen(path, granted)
          const asked = ProposalPlaces.askedOf(yield* places.current(granted.orgId), proposal)
          const isAdmin = Proposal.isAdminAt(yield* approverOf(granted, asked), asked.path)
          if (!isAdmin && Proposal.isOther(proposal, granted.actor.id))
            return yield* new Proposal.ProposalForbidden({ number, because: "not-yours" })
          const state = Proposal.stateAt(proposal, writer.at)
          if (!Proposal.isOpen(state)) return yield* new Proposal.ProposalDecided({ number, state })
          const ended = yield* end(writer, proposal, endingOf("withdrawn", writer, ""))
          return yield* viewOf(ended, writer.at)
        })
      )
    })

    /** A proposal by its number; fails for one that the caller does not see. */
    const get = Effect.fn("Proposals.get")(function* (path: ProposalPath) {
      const granted = yield* reader(path.org)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const current = yield* places.current(granted.orgId)
          const where = yield* places.visible(granted, current)
          const proposal = yield* found(path, granted, { where })
          return ProposalPlaces.viewOf(current, yield* scope.now)(proposal)
        })
      )
    })

    /** One page of the proposals that pass the query, newest first. */
    const list = Effect.fn("Proposals.list")(function* (
      org: OrgName,
      query: Pick<ProposalQuery, "states">,
      page: Page
    ) {
      const granted = yield* reader(org)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const current = yield* places.current(granted.orgId)
          const wanted = { ...query, ...(yield* places.visible(granted, current)), now }
          const { items, total } = yield* store.list(granted.orgId, wanted, page)
          return { items: items.map(ProposalPlaces.viewOf(current, now)), total }
        })
      )
    })

    return { make, approve, reject, withdraw, get, list, expire } as const
  })
}) {}
