/**
 * Makes, decides and applies proposals. SPEC §4.28
 *
 * To propose runs the request as a dry run, so that its errors are those of the change. The last approval runs it as
 * the proposer, with the rights that the proposer has then: approval, change and entries commit together.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { DryRuns } from "../access/DryRuns.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { type HeldChange, Holding } from "../protection/internal/HeldChanges.js"
import * as Protection from "../protection/Protection.js"
import { ProtectionStore } from "../protection/ProtectionStore.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import type { OrgId, OrgName } from "../shared/Identifier.js"
import * as DryRun from "../shared/internal/DryRun.js"
import type { Page } from "../shared/Page.js"
import * as Timestamp from "../shared/Timestamp.js"
import { type Locking, Transaction } from "../shared/Transaction.js"
import { Reevaluations } from "../snapshot/Reevaluations.js"
import * as Application from "./internal/Application.js"
import * as Endings from "./internal/Endings.js"
import * as ProposalRecords from "./internal/ProposalRecords.js"
import * as Proposers from "./internal/Proposers.js"
import { isProposable } from "./ProposableOperation.js"
import * as Proposal from "./Proposal.js"
import type { ProposalQuery } from "./ProposalStore.js"
import { ProposalStore } from "./ProposalStore.js"
import { ProposedOperations } from "./ProposedOperations.js"

/** A proposal with its state, and how many approvals it needs now. */
export interface ProposalView {
  readonly proposal: Proposal.Proposal
  readonly state: Proposal.ProposalState
  readonly approvals_required: number
}

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

/** What the protections ask for; for kinds that nothing protects any more, one admin who is another person. */
const requirementOf = (
  protections: Protection.Protections,
  kinds: ReadonlyArray<Protection.ProtectionKind>
): Protection.Requirement =>
  Option.getOrElse(Protection.strictest(protections, kinds), () => ({
    approvals: 1,
    team: null,
    days: Protection.DAYS_DEFAULT
  }))

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
    const protections = yield* ProtectionStore
    const transaction = yield* Transaction
    const dryRuns = yield* DryRuns
    const reevaluations = yield* Reevaluations
    const epoch = yield* AccessEpoch
    const { digestOf, record, stateDigestOf, tell } = yield* ProposalRecords.make
    const { end, endingOf, expire } = yield* Endings.make
    const people = yield* Proposers.make
    const apply = yield* Application.make

    const viewOf = (proposal: Proposal.Proposal, now: Timestamp.Timestamp) =>
      Effect.map(
        protections.find(proposal.org_id),
        (current): ProposalView => ({
          proposal,
          state: Proposal.stateAt(proposal, now),
          approvals_required: requirementOf(current, proposal.kinds).approvals
        })
      )

    const reader = (org: OrgName) =>
      Effect.flatMap(CurrentActor, (actor) => Access.authorize(actor, org, "org.read"))

    const found = (path: ProposalPath, org: OrgId, locking?: Locking) =>
      Effect.flatMap(
        store.find({ org, number: path.number }, locking),
        Either.fromOption(() => new Proposal.ProposalNotFound(path))
      )

    /** Runs a request as its dry run, and returns the changes that it would make. */
    const rehearse = (org: OrgName, request: Proposal.ProposedRequest) =>
      Effect.gen(function* () {
        const operations = yield* ProposedOperations
        const actor = yield* CurrentActor
        yield* operations.fresh(request, actor)
        const changes: Array<HeldChange> = []
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
          const needed = Protection.strictest(yield* protections.find(orgId), kinds)
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
          return yield* viewOf(proposal, writer.at)
        })
      )
    })

    /** A locked proposal that the caller may decide about, with what its protections ask for now. */
    const toDecide = (path: ProposalPath, granted: Access.Granted, now: Timestamp.Timestamp) =>
      Effect.gen(function* () {
        const { actor, orgId } = granted
        const { number } = path
        const proposal = yield* found(path, orgId, { lock: true })
        // WHY not held: a change of protections holds them alone. The change asks again when it is made.
        const requirement = requirementOf(yield* protections.find(orgId), proposal.kinds)
        const known = yield* people.approver(actor.id, { id: orgId, name: path.org })
        const approver = { id: actor.id, isAdmin: false, teams: new Set<string>() }
        const because = Proposal.refusalOf(
          proposal,
          { ...approver, ...Option.getOrUndefined(known), kind: actor.kind },
          requirement
        )
        if (because !== undefined) return yield* new Proposal.ProposalForbidden({ number, because })
        const state = Proposal.stateAt(proposal, now)
        if (!Proposal.isOpen(state)) return yield* new Proposal.ProposalDecided({ number, state })
        return { proposal, requirement }
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
          const { proposal, requirement } = yield* toDecide(path, granted, writer.at)
          if (proposal.digest !== given.digest) return yield* new Proposal.OtherDigest({ number })
          const { id: user_id, name: user } = granted.actor
          if (proposal.approvals.some((each) => each.user_id === user_id))
            return yield* new Proposal.ProposalApprovedBefore({ number })
          const { comment } = given
          const approved = Proposal.approve(proposal, { user_id, user, at: writer.at, comment })
          yield* store.decide(approved)
          yield* record(writer, "proposal_approved", approved)
          yield* tell(approved, "updated")
          const result = yield* apply(approved, { name: path.org, requirement })
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
          const proposal = yield* found(path, granted.orgId, { lock: true })
          if (granted.role !== "admin" && Proposal.isOther(proposal, granted.actor.id))
            return yield* new Proposal.ProposalForbidden({ number, because: "not-yours" })
          const state = Proposal.stateAt(proposal, writer.at)
          if (!Proposal.isOpen(state)) return yield* new Proposal.ProposalDecided({ number, state })
          const ended = yield* end(writer, proposal, endingOf("withdrawn", writer, ""))
          return yield* viewOf(ended, writer.at)
        })
      )
    })

    /** The caller as a reader: those who may approve some proposals see all, and others their own. */
    const readerOf = ({ actor, orgId }: Access.Granted, org: OrgName) =>
      Effect.gen(function* () {
        const current = yield* protections.find(orgId)
        const known = yield* people.approver(actor.id, { id: orgId, name: org })
        const isWhole =
          Access.isAllowed(actor, org, "proposal.approve") ||
          (Option.isSome(known) &&
            current.some(({ team }) => team !== null && known.value.teams.has(team)))
        return { current, which: isWhole ? {} : { proposer: actor.id } }
      })

    /** A proposal by its number; fails for one that the caller does not see. */
    const get = Effect.fn("Proposals.get")(function* (path: ProposalPath) {
      const granted = yield* reader(path.org)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const { which } = yield* readerOf(granted, path.org)
          const proposal = yield* found(path, granted.orgId)
          if ((which.proposer ?? proposal.proposer.id) !== proposal.proposer.id)
            return yield* new Proposal.ProposalNotFound(path)
          return yield* viewOf(proposal, yield* scope.now)
        })
      )
    })

    /** One page of the proposals that pass the query, newest first. */
    const list = Effect.fn("Proposals.list")(function* (
      org: OrgName,
      query: Omit<ProposalQuery, "now" | "proposer">,
      page: Page
    ) {
      const granted = yield* reader(org)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const { current, which } = yield* readerOf(granted, org)
          const wanted = { ...query, ...which, now }
          const { items, total } = yield* store.list(granted.orgId, wanted, page)
          return {
            items: items.map(
              (proposal): ProposalView => ({
                proposal,
                state: Proposal.stateAt(proposal, now),
                approvals_required: requirementOf(current, proposal.kinds).approvals
              })
            ),
            total
          }
        })
      )
    })

    return { make, approve, reject, withdraw, get, list, expire } as const
  })
}) {}
