/** Saves, versions and reads policies. SPEC §4.6 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as WriteContext from "../access/internal/WriteContext.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import * as ControlRefusal from "../control/ControlRefusal.js"
import { ControlStore } from "../control/ControlStore.js"
import { Journals } from "../journal/Journals.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import {
  type OrgId,
  type OrgName,
  PolicyId,
  type PolicyName,
  type SpaceId
} from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import * as DryRun from "../shared/internal/DryRun.js"
import * as KeyedMutex from "../shared/internal/KeyedMutex.js"
import { Transaction } from "../shared/Transaction.js"
import * as Upsert from "../shared/Upsert.js"
import type { WriteOutcome } from "../shared/WriteOutcome.js"
import { Reevaluations } from "../snapshot/Reevaluations.js"
import { Placements } from "../space/Placements.js"
import * as PolicyControls from "./internal/PolicyControls.js"
import * as PolicyViews from "./internal/PolicyViews.js"
import * as Policy from "./Policy.js"
import * as PolicyDocument from "./PolicyDocument.js"
import type * as PolicyEvent from "./PolicyEvent.js"
import { PolicyStore } from "./PolicyStore.js"

/**
 * Compares a text with the latest version of its policy; its failure refuses the text. It runs before the transaction,
 * and again inside if another version came meanwhile.
 */
export type VersionCheck<E> = (
  latest: Policy.Policy,
  document: PolicyDocument.PolicyDocument
) => Effect.Effect<void, E>

/** A parsed draft. */
interface ReadDraft<E> extends Policy.PolicyDraft, Pick<Policy.Policy, "reads"> {
  readonly document: PolicyDocument.PolicyDocument
  /** The number of environments that its version made pending. */
  readonly consumers: { count: number }
  readonly check: VersionCheck<E> | undefined
  /** The version that was checked before the transaction; undefined for none. */
  readonly checkedWith: number | undefined
}

const versionOf = (
  writer: WriteContext.WriteContext,
  { id, version }: Policy.Policy,
  { comment, document, policy_yaml }: ReadDraft<unknown>
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

const tell = ({ id, name, version }: Policy.Policy, result: WriteOutcome["result"]) =>
  CurrentOutcome.setOutcome({ type: "policy", id, name, result, version })

const POLICY = { kind: "policy", idOf: ({ id }: Policy.Policy) => id } as const

/** Use cases of policies. */
export class Policies extends Effect.Service<Policies>()("@attestry/core/Policies", {
  effect: Effect.gen(function* () {
    const store = yield* PolicyStore
    const journals = yield* Journals
    const transaction = yield* Transaction
    const ids = yield* IdGenerator
    const controls = yield* ControlStore
    const reevaluations = yield* Reevaluations
    const held = yield* HeldChanges
    const reaches = yield* Reaches
    const placements = yield* Placements
    const views = yield* PolicyViews.make
    const turns = KeyedMutex.make()

    /**
     * Fails if the text of a policy, or its description, may not be changed without other people. Instead of a policy
     * before, a new one has the space that it goes to.
     */
    const checkHeld = (
      writer: WriteContext.WriteContext,
      before: Policy.Policy | SpaceId,
      after: Pick<Policy.Policy, "name" | "description" | "policy_yaml">
    ) => {
      const shown = ({ description, policy_yaml }: typeof after) => ({ description, policy_yaml })
      return held.check(writer, {
        kinds: ["policy"],
        subject: { type: "policy", name: after.name },
        ...(typeof before === "string"
          ? { at: before, before: null }
          : {
              at: { kind: "policy", id: before.id } as const,
              before: { ...shown(before), version: before.version }
            }),
        after: shown(after)
      })
    }

    const record =
      (writer: WriteContext.WriteContext, kind: PolicyEvent.PolicyEventType, policy: PolicyId) =>
      (content: object) =>
        journals.record({ ...writer, kind, subject: { type: "policy", id: policy }, content })

    /**
     * A version may name only controls that exist when it is saved, and that its author reads. An archived control has
     * left the catalog.
     */
    const checkControls = (granted: GrantedWithin, { document, policy_yaml }: ReadDraft<unknown>) =>
      Effect.gen(function* () {
        const named = PolicyDocument.controlsReferenced(document)
        if (named.length === 0) return document
        const refused = new Map(yield* ControlRefusal.refused(controls, granted.orgId, named))
        const readable = yield* reaches.keepReadable(granted, {
          kind: "control",
          things: named,
          idOf: (each) => each
        })
        for (const each of named) if (!readable.includes(each)) refused.set(each, "unknown")
        return yield* PolicyControls.check(policy_yaml, document, refused)
      })

    const insert = <E>(
      granted: GrantedWithin,
      writer: WriteContext.WriteContext,
      draft: ReadDraft<E>
    ) =>
      Effect.gen(function* () {
        const space = yield* placements.choose(granted, { ...draft, kind: "policy" })
        yield* checkControls(granted, draft)
        yield* checkHeld(writer, space, draft)
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
        if (created) {
          yield* record(writer, "policy_created", policy.id)({ ...policy, comment })
          yield* placements.put(writer, { kind: "policy", id: policy.id, name: policy.name }, space)
        }
        yield* tell(policy, "created")
        return created
      })

    const update =
      <E>(granted: GrantedWithin, writer: WriteContext.WriteContext, draft: ReadDraft<E>) =>
      (current: Policy.Policy) =>
        Effect.gen(function* () {
          yield* reaches.permitTaken(granted, { kind: "policy", id: current.id })
          draft.consumers.count = 0
          const { isDescribed, isVersion, next } = Policy.revise(current, draft, writer.at)
          if (isDescribed || isVersion) yield* checkHeld(writer, current, next)
          if (isVersion) {
            yield* checkControls(granted, draft)
            // WHY again: a version that came meanwhile is another one than the text was checked against.
            if (draft.check !== undefined && draft.checkedWith !== current.version)
              yield* draft.check(current, draft.document)
            const made = versionOf(writer, next, draft)
            draft.consumers.count = yield* store.update(next, made)
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
     * Checks a text against the latest version, and answers its number. WHY before the transaction: a comparison can
     * take a second.
     */
    const checkLatest = <E>(
      granted: GrantedWithin,
      { name, policy_yaml }: Policy.PolicyDraft,
      { check, document }: Pick<ReadDraft<E>, "check" | "document">
    ) =>
      Effect.gen(function* () {
        if (check === undefined) return undefined
        const org = granted.orgId
        const found = yield* transaction.run(org, () => store.findByName({ org, name }))
        if (Option.isSome(found))
          yield* reaches.permitTaken(granted, { kind: "policy", id: found.value.id })
        if (Option.isNone(found) || found.value.policy_yaml === policy_yaml) return undefined
        yield* check(found.value, document)
        return found.value.version
      })

    /**
     * Creates or updates the policy; a different text adds a version. Concurrent calls all succeed: different
     * texts get numbers without a gap, identical ones share one. A check may refuse a new version. SPEC §3.2
     */
    const put = <E = never>(
      org: OrgName,
      draft: Policy.PolicyDraft,
      check?: VersionCheck<E> | undefined
    ) =>
      Effect.gen(function* () {
        const granted = yield* reaches.authorize(org, "policy.write")
        const document = yield* PolicyDocument.parse(draft.policy_yaml)
        const consumers = { count: 0 }
        const reads = PolicyDocument.readParts(document)
        const checkedWith = yield* checkLatest(granted, draft, { check, document })
        // Due instants before the new version are evaluated without it.
        yield* evaluateConsumers(granted.orgId)
        const readDraft = { ...draft, document, reads, consumers, check, checkedWith }
        const saved = transaction.run(granted.orgId, (scope) =>
          Effect.flatMap(scope.now, (now) => {
            const writer = WriteContext.make(granted, now)
            return Upsert.put({
              find: store.findByName({ org: writer.org, name: draft.name }, { lock: true }),
              insert: insert(granted, writer, readDraft),
              update: update(granted, writer, readDraft)
            })
          })
        )
        const outcome = yield* turns(`${granted.orgId} ${draft.name}`, saved)
        if (consumers.count > 0) yield* evaluateConsumers(granted.orgId)
        return outcome
      }).pipe(Effect.withSpan("Policies.put"))

    /** The policy of that name with its history; fails when there is none. */
    const get = Effect.fn("Policies.get")(function* (org: OrgName, name: PolicyName) {
      const granted = yield* reaches.authorize(org, "org.read")
      // WHY a transaction: versions, events and consumers are of one instant.
      return yield* transaction.run(granted.orgId, () =>
        Effect.gen(function* () {
          const notFound = () => new Policy.PolicyNotFound({ org, policy: name })
          const found = yield* store.findByName({ org: granted.orgId, name })
          const policy = yield* reaches.permitFound(granted, found, { ...POLICY, notFound })
          return (yield* views(granted, [policy]))[0] ?? (yield* notFound())
        })
      )
    })

    /** Every policy that the caller reads with its history, by name. */
    const list = Effect.fn("Policies.list")(function* (org: OrgName) {
      const granted = yield* reaches.authorize(org, "org.read")
      return yield* transaction.run(granted.orgId, () =>
        store.list(granted.orgId).pipe(
          Effect.flatMap((all) =>
            reaches.keepReadable(granted, { kind: "policy", things: all, idOf: ({ id }) => id })
          ),
          Effect.flatMap((policies) => views(granted, policies))
        )
      )
    })

    return { put, get, list } as const
  })
}) {}
