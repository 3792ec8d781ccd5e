/** Saves, versions and reads policies. SPEC §4.6 */

import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { Journals } from "../journal/Journals.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import { beside, show } from "../shared/DamagedRecords.js"
import * as DryRun from "../shared/DryRun.js"
import {
  type EnvironmentName,
  type OrgId,
  type OrgName,
  PolicyId,
  type PolicyName
} from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import * as KeyedMutex from "../shared/internal/KeyedMutex.js"
import { Transaction } from "../shared/Transaction.js"
import * as Upsert from "../shared/Upsert.js"
import type { WriteOutcome } from "../shared/WriteOutcome.js"
import { Reevaluations } from "../snapshot/Reevaluations.js"
import { ControlCatalog } from "./internal/ControlCatalog.js"
import * as PolicyControls from "./internal/PolicyControls.js"
import * as WeakerVersion from "./internal/WeakerVersion.js"
import * as Policy from "./Policy.js"
import * as PolicyDocument from "./PolicyDocument.js"
import * as PolicyEvent from "./PolicyEvent.js"
import { PolicyStore } from "./PolicyStore.js"

/** A policy with its history and the environments that it is attached to. */
export interface PolicyView {
  readonly policy: Policy.Policy
  /** Oldest first. */
  readonly versions: ReadonlyArray<Policy.PolicyVersionRecord>
  /** Oldest first. */
  readonly events: ReadonlyArray<PolicyEvent.PolicyEvent>
  /** By name. */
  readonly consumers: ReadonlyArray<EnvironmentName>
}

/** A parsed draft. */
interface ReadDraft extends Policy.PolicyDraft, Pick<Policy.Policy, "reads"> {
  readonly document: PolicyDocument.PolicyDocument
  /** The number of environments that its version made pending. */
  readonly consumers: { count: number }
  readonly org: OrgName
  /** The version that the text was compared with before the transaction; undefined where that was not asked. */
  readonly comparedWith: number | undefined
}

const versionOf = (
  writer: WriteContext.WriteContext,
  { id, version }: Policy.Policy,
  { comment, document, policy_yaml }: ReadDraft
): Policy.PolicyVersionRecord => ({
  org_id: writer.org,
  policy_id: id,
  version,
  comment,
  policy_yaml,
  dump: PolicyDocument.dump(document),
  created_by: writer.actor.name,
  timestamp: writer.at
})

/** Use cases of policies. */
export class Policies extends Effect.Service<Policies>()("@attestry/core/Policies", {
  effect: Effect.gen(function* () {
    const store = yield* PolicyStore
    const journals = yield* Journals
    const transaction = yield* Transaction
    const ids = yield* IdGenerator
    const controls = yield* ControlCatalog
    const reevaluations = yield* Reevaluations
    const turns = KeyedMutex.make()

    const record =
      (writer: WriteContext.WriteContext, kind: PolicyEvent.PolicyEventType, policy: PolicyId) =>
      (content: object) =>
        journals.record({ ...writer, kind, subject: { type: "policy", id: policy }, content })

    /** A version may name only controls that exist when it is saved. An archived control has left the catalog. */
    const checkControls = (org: OrgId, { document, policy_yaml }: ReadDraft) => {
      const named = PolicyDocument.controlsReferenced(document)
      return named.length === 0
        ? Effect.succeed(document)
        : Effect.flatMap(controls.refused(org, named), (refused) =>
            PolicyControls.check(policy_yaml, document, refused)
          )
    }

    const tell = ({ id, name, version }: Policy.Policy, result: WriteOutcome["result"]) =>
      CurrentOutcome.setOutcome({ type: "policy", id, name, result, version })

    const insert = (writer: WriteContext.WriteContext, draft: ReadDraft) =>
      Effect.gen(function* () {
        yield* checkControls(writer.org, draft)
        const policy: Policy.Policy = {
          org_id: writer.org,
          id: PolicyId.make(yield* ids.next),
          name: draft.name,
          description: draft.description,
          version: 1,
          policy_yaml: draft.policy_yaml,
          reads: draft.reads,
          created_by: writer.actor.name,
          created_at: writer.at,
          last_modified_at: writer.at
        }
        const { comment } = draft
        const created = yield* store.insert(policy, versionOf(writer, policy, draft))
        if (created) yield* record(writer, "policy_created", policy.id)({ ...policy, comment })
        yield* tell(policy, "created")
        return created
      })

    const update =
      (writer: WriteContext.WriteContext, draft: ReadDraft) => (current: Policy.Policy) =>
        Effect.gen(function* () {
          draft.consumers.count = 0
          const { isDescribed, isVersion, next } = Policy.revise(current, draft, writer.at)
          if (isVersion) {
            yield* checkControls(writer.org, draft)
            // WHY again: a version that came meanwhile is another one than the text was compared with.
            if (draft.unless === "weaker" && draft.comparedWith !== current.version)
              yield* WeakerVersion.refuse(draft.org, current, draft.document)
            const made = versionOf(writer, next, draft)
            draft.consumers.count = yield* store.addVersion(next, made)
            const { comment, policy_yaml, version } = made
            const content = { version, comment, policy_yaml }
            yield* record(writer, "policy_version_created", next.id)(content)
          } else if (isDescribed) yield* store.update(next)
          if (isDescribed) {
            const { description } = next
            yield* record(writer, "policy_description_changed", next.id)({ description })
          }
          const result = isVersion || isDescribed ? "updated" : "unchanged"
          yield* tell(next, result)
          return result
        })

    /**
     * WHY no failure of the caller: the version is saved, and every read of one of the environments evaluates
     * it first. WHY not in a dry run: compiled versions are cached, and the version of a dry run never exists.
     */
    const evaluateConsumers = (org: OrgId) =>
      DryRun.unless(
        Effect.catchTag(reevaluations.drain(org), "StoreError", (error) =>
          Effect.logWarning("environments are still to be evaluated", error)
        )
      )

    /**
     * Refuses a text that is weaker than the latest version, and answers its number. WHY before the transaction: a
     * comparison can take a second.
     */
    const compareWithLatest = (
      org: OrgName,
      orgId: OrgId,
      { name, policy_yaml }: Policy.PolicyDraft
    ) =>
      Effect.gen(function* () {
        const found = yield* transaction.run(orgId, () => store.findByName({ org: orgId, name }))
        if (Option.isNone(found) || found.value.policy_yaml === policy_yaml) return undefined
        const document = yield* PolicyDocument.parse(policy_yaml)
        yield* WeakerVersion.refuse(org, found.value, document)
        return found.value.version
      })

    /**
     * Creates or updates the policy; a different text adds a version. Concurrent calls all succeed: different
     * texts get numbers without a gap, identical ones share one. SPEC §3.2
     */
    const put = Effect.fn("Policies.put")(function* (org: OrgName, draft: Policy.PolicyDraft) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "policy.write")
      const document = yield* PolicyDocument.parse(draft.policy_yaml)
      const consumers = { count: 0 }
      const reads = PolicyDocument.flowParts(document)
      const comparedWith =
        draft.unless === "weaker" ? yield* compareWithLatest(org, granted.orgId, draft) : undefined
      const readDraft = { ...draft, document, reads, consumers, org, comparedWith }
      const saved = transaction.run(granted.orgId, (scope) =>
        Effect.flatMap(scope.now, (now) => {
          const writer = WriteContext.make(granted, now)
          return Upsert.put({
            find: store.lockByName({ org: writer.org, name: draft.name }),
            insert: insert(writer, readDraft),
            update: update(writer, readDraft)
          })
        })
      )
      const outcome = yield* turns(`${granted.orgId} ${draft.name}`, saved)
      if (consumers.count > 0) yield* evaluateConsumers(granted.orgId)
      return outcome
    })

    /** The views of policies, in the same order. */
    const views = (org: OrgId, policies: ReadonlyArray<Policy.Policy>) =>
      Effect.gen(function* () {
        const shown = policies.map(({ id }) => id)
        const versions = Arr.groupBy(
          yield* beside(store.listVersions(org, shown)),
          ({ policy_id }) => policy_id
        )
        const histories = yield* journals.histories(org, { type: "policy", ids: shown })
        const consumers = Arr.groupBy(
          yield* store.listConsumers(org, shown),
          ({ policy_id }) => policy_id
        )
        return yield* show(policies, (policy): PolicyView | undefined => {
          const own = versions[policy.id] ?? []
          const history = histories.get(policy.id)
          if (own.length !== policy.version || history === undefined) return undefined
          return {
            policy,
            versions: own,
            events: PolicyEvent.fromEntries(history),
            consumers: (consumers[policy.id] ?? []).map(({ environment }) => environment)
          }
        })
      })

    /** The policy of that name with its history; fails when there is none. */
    const get = Effect.fn("Policies.get")(function* (org: OrgName, name: PolicyName) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      // WHY a transaction: versions, events and consumers are of one instant.
      return yield* transaction.run(orgId, () =>
        Effect.gen(function* () {
          const found = yield* store.findByName({ org: orgId, name })
          const [view] = yield* views(orgId, Option.toArray(found))
          return view ?? (yield* new Policy.PolicyNotFound({ org, policy: name }))
        })
      )
    })

    /** Every policy with its history, by name. */
    const list = Effect.fn("Policies.list")(function* (org: OrgName) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      return yield* transaction.run(orgId, () =>
        Effect.flatMap(store.list(orgId), (policies) => views(orgId, policies))
      )
    })

    return { put, get, list } as const
  })
}) {}
