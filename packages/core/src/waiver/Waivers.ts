/**
 * Requests, approves, rejects and revokes waivers, and records their ends.
 *
 * The start and the revocation of a waiver make the environments that it reaches pending, as a new version of a policy
 * does. Its end is an instant of their evaluation, which needs no write.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { Reaches } from "../access/Reaches.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { Journals } from "../journal/Journals.js"
import { PolicyStore } from "../policy/PolicyStore.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { setOutcome } from "../shared/CurrentOutcome.js"
import type { EnvironmentName, OrgId, OrgName } from "../shared/Identifier.js"
import * as DryRun from "../shared/internal/DryRun.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { Reevaluations } from "../snapshot/Reevaluations.js"
import * as WaiverApprovers from "./internal/WaiverApprovers.js"
import * as WaiverPlaces from "./internal/WaiverPlaces.js"
import { WaiverRecords } from "./internal/WaiverRecords.js"
import { WaiverTerms } from "./internal/WaiverTerms.js"
import * as Waiver from "./Waiver.js"
import type { WaiverRequest } from "./WaiverRequest.js"
import * as WaiverSettings from "./WaiverSettings.js"
import * as WaiverState from "./WaiverState.js"
import { WaiverStore } from "./WaiverStore.js"

/** A waiver with its state and the name of its environment. */
export interface WaiverView {
  readonly waiver: Waiver.Waiver
  readonly state: WaiverState.WaiverState
  /** The current name, also of an archived environment; null for a waiver of every environment. */
  readonly environment: EnvironmentName | null
}

/** The number of a waiver in an org, as requests give it. */
export interface WaiverPath {
  readonly org: OrgName
  readonly number: number
}

/** The actor of ends that time alone brings. */
const SYSTEM = { kind: "system", id: "waivers", name: "waivers" } as const

/** Use cases of waivers. */
export class Waivers extends Effect.Service<Waivers>()("@attestry/core/Waivers", {
  effect: Effect.gen(function* () {
    const store = yield* WaiverStore
    const reaches = yield* Reaches
    const places = yield* WaiverPlaces.make
    const policies = yield* PolicyStore
    const environments = yield* EnvironmentStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const reevaluations = yield* Reevaluations
    const records = yield* WaiverRecords
    const terms = yield* WaiverTerms
    const approvers = yield* WaiverApprovers.make
    const held = yield* HeldChanges

    /** WHY no failure of the caller: the change is saved, and every read of the environments evaluates them first. */
    const evaluateMarked = (org: OrgId) =>
      DryRun.unless(
        Effect.catchTag(reevaluations.drain(org), "StoreError", (error) =>
          Effect.logWarning("environments are still to be evaluated", error)
        )
      )

    const viewOf = (waiver: Waiver.Waiver, now: Timestamp) =>
      Effect.gen(function* () {
        const { environment_id: id, org_id: org } = waiver
        const names = id === null ? undefined : yield* environments.names(org, [id])
        return {
          waiver,
          state: WaiverState.stateAt(waiver, now),
          environment: id === null ? null : (names?.get(id) ?? null)
        } satisfies WaiverView
      })

    /** Runs a change and evaluates the environments that it has made pending. */
    const changing = <E, R>(
      org: OrgId,
      work: (
        now: Timestamp
      ) => Effect.Effect<readonly [waiver: Waiver.Waiver, isMarked: boolean], E, R>
    ) =>
      Effect.gen(function* () {
        const [view, isMarked] = yield* transaction.run(org, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const [waiver, isMarked] = yield* work(now)
            return [yield* viewOf(waiver, now), isMarked] as const
          })
        )
        if (isMarked) yield* evaluateMarked(org)
        return view
      })

    const tell = ({ number, policy_name }: Waiver.Waiver, result: "created" | "updated") =>
      setOutcome({ type: "waiver", id: String(number), name: policy_name, result })

    const settingsOf = (org: OrgId) =>
      Effect.map(
        store.findSettings(org),
        Option.getOrElse(() => WaiverSettings.DEFAULTS)
      )

    /** Requests a waiver; it is active at once where the org requires no approval. */
    const request = Effect.fn("Waivers.request")(function* (org: OrgName, given: WaiverRequest) {
      const granted = yield* reaches.authorize(org, "waiver.request")
      return yield* changing(granted.orgId, (now) =>
        Effect.gen(function* () {
          const writer = WriteContext.make(granted, now)
          const own = yield* settingsOf(writer.org)
          const agreed = yield* terms.read(granted, given, { now, settings: own })
          const protection = yield* approvers.protection({ ...agreed, org_id: writer.org })
          const settings = WaiverApprovers.under(own, protection)
          const isActive = settings.approvals_required === 0
          const waiver = yield* store.append({
            org_id: writer.org,
            ...agreed,
            approvals_required: settings.approvals_required,
            approver_role: settings.approver_role,
            self_approval: settings.self_approval,
            requested_by: writer.actor.name,
            requester_id: granted.actor.id,
            requested_at: now,
            approvals: [],
            rejected: null,
            revoked: null,
            activated_at: isActive ? now : null,
            settled: null
          })
          yield* records.record(writer, waiver, "requested")
          if (isActive) yield* records.record(writer, waiver, "activated")
          yield* tell(waiver, "created")
          return [waiver, isActive && (yield* records.markPending(waiver))] as const
        })
      )
    })

    /** Locks the policy of a waiver and the waiver. */
    const locked = ({ number, org }: WaiverPath, orgId: OrgId) =>
      Effect.gen(function* () {
        const missing = () => new Waiver.WaiverNotFound({ org, number })
        const seen = yield* Effect.flatMap(
          store.find({ org: orgId, number }),
          Either.fromOption(missing)
        )
        // WHY the policy first: locks are taken in the order policy, waiver, environment.
        yield* policies.findByName({ org: orgId, name: seen.policy_name }, { lock: true })
        return yield* Effect.flatMap(
          store.find({ org: orgId, number }, { lock: true }),
          Either.fromOption(missing)
        )
      })

    /** Runs a decision of an approver on a locked request. */
    const deciding = <E>(
      path: WaiverPath,
      decide: (
        writer: WriteContext.WriteContext,
        waiver: Waiver.Waiver,
        decision: Omit<Waiver.Decision, "comment"> & { readonly needed: number }
      ) => Effect.Effect<readonly [waiver: Waiver.Waiver, isMarked: boolean], E>
    ) =>
      Effect.gen(function* () {
        const granted = yield* reaches.authorize(path.org, "waiver.approve")
        return yield* changing(granted.orgId, (now) =>
          Effect.gen(function* () {
            const writer = WriteContext.make(granted, now)
            const waiver = yield* locked(path, granted.orgId)
            yield* places.permit(granted, waiver)
            const { number } = waiver
            const protection = yield* approvers.protection(waiver)
            const because = yield* approvers.forbiddenTo(granted, waiver, protection)
            if (because !== undefined) return yield* new Waiver.WaiverForbidden({ number, because })
            const state = WaiverState.stateAt(waiver, now)
            if (state !== "requested") return yield* new Waiver.WaiverDecided({ number, state })
            const { id: user_id, name: user } = granted.actor
            const { approvals_required: needed } = WaiverApprovers.under(waiver, protection)
            const decided = yield* decide(writer, waiver, { user_id, user, at: now, needed })
            yield* tell(decided[0], "updated")
            return decided
          })
        )
      })

    /** Approves a request; the last approval that it needs makes it count. */
    const approve = Effect.fn("Waivers.approve")((path: WaiverPath, comment: string) =>
      deciding(path, (writer, waiver, { needed, ...decision }) =>
        Effect.gen(function* () {
          const { number } = waiver
          if (waiver.approvals.some(({ user_id }) => user_id === decision.user_id))
            return yield* new Waiver.WaiverApprovedBefore({ number })
          const next = Waiver.approve(waiver, { ...decision, comment }, needed)
          yield* store.decide(next)
          yield* records.record(writer, next, "approved")
          if (next.activated_at === null) return [next, false] as const
          yield* records.record(writer, next, "activated")
          return [next, yield* records.markPending(next)] as const
        })
      )
    )

    /** Rejects a request. */
    const reject = Effect.fn("Waivers.reject")((path: WaiverPath, comment: string) =>
      deciding(path, (writer, waiver, { needed: _needed, ...decision }) =>
        Effect.gen(function* () {
          const next = { ...waiver, rejected: { ...decision, comment } }
          yield* store.decide(next)
          yield* records.record(writer, next, "rejected")
          return [next, false] as const
        })
      )
    )

    /** Revokes a waiver that has not ended, or withdraws a request. */
    const revoke = Effect.fn("Waivers.revoke")(function* (path: WaiverPath, reason: string) {
      const granted = yield* reaches.authorize(path.org, "waiver.request")
      return yield* changing(granted.orgId, (now) =>
        Effect.gen(function* () {
          const writer = WriteContext.make(granted, now)
          const waiver = yield* locked(path, granted.orgId)
          yield* places.permit(granted, waiver)
          const { number, owner_id, requester_id } = waiver
          const { id: user_id, name: user } = granted.actor
          const isTheirs = user_id === requester_id || user_id === owner_id
          if (!isTheirs && !(yield* places.hasRole(granted, "admin", waiver)))
            return yield* new Waiver.WaiverForbidden({ number, because: "not-yours" })
          const state = WaiverState.stateAt(waiver, now)
          if (!WaiverState.isOpen(state)) return yield* new Waiver.WaiverDecided({ number, state })
          const next = { ...waiver, revoked: { user_id, user, at: now, reason } }
          yield* store.decide(next)
          yield* records.record(writer, next, "revoked")
          yield* tell(next, "updated")
          const isMarked = state !== "requested" && (yield* records.markPending(next))
          return [next, isMarked] as const
        })
      )
    })

    /**
     * Records the ends of waivers that have expired or lapsed by an instant, each once; how many it has recorded. Runs
     * in any process at any time: a second call finds nothing to record.
     */
    const settle = Effect.fn("Waivers.settle")(function* (org: OrgId, now: Timestamp) {
      const ended = yield* store.listUnsettled(org, now)
      const settled = yield* Effect.forEach(ended, (seen) =>
        transaction.run(org, (scope) =>
          Effect.gen(function* () {
            const found = yield* store.find(Waiver.keyOf(seen), { lock: true })
            const ending = Option.isNone(found) ? null : WaiverState.endingAt(found.value, now)
            if (Option.isNone(found) || ending === null) return false
            const next = { ...found.value, settled: ending }
            yield* store.decide(next)
            yield* records.record({ org, actor: SYSTEM, at: yield* scope.now }, next, ending)
            return true
          })
        )
      )
      return settled.filter((isNew) => isNew).length
    })

    /** The settings of an org. */
    const settings = Effect.fn("Waivers.settings")(function* (org: OrgName) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      return yield* settingsOf(orgId)
    })

    /** Replaces the settings of an org; they bind requests that are made afterwards. */
    const putSettings = Effect.fn("Waivers.putSettings")(function* (
      org: OrgName,
      next: WaiverSettings.WaiverSettings
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "waiver.settings")
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const writer = WriteContext.make(granted, yield* scope.now)
          const before = yield* settingsOf(granted.orgId)
          if (CanonicalJson.equals(before, next)) return next
          if (WaiverSettings.asksLess(next, before))
            yield* held.check(writer, {
              kinds: ["waiver"],
              subject: { type: "waiver-settings", name: org },
              before,
              after: next
            })
          yield* store.putSettings(granted.orgId, next)
          yield* journals.record({
            ...writer,
            kind: "waiver_settings_changed",
            subject: { type: "org", id: granted.orgId },
            content: { org_id: granted.orgId, ...next }
          })
          return next
        })
      )
    })

    return { request, approve, reject, revoke, settle, settings, putSettings } as const
  })
}) {}
