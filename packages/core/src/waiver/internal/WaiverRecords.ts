/**
 * Records changes of waivers: journal entries, notifications, and the mark of environments whose verdicts may change.
 *
 * For use cases that hold the lock of the waiver, and of its policy where the change starts or ends its effect.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import { Journals } from "../../journal/Journals.js"
import { PolicyStore } from "../../policy/PolicyStore.js"
import { SnapshotListener } from "../../snapshot/internal/SnapshotListener.js"
import type { Waiver } from "../Waiver.js"
import { kindOf, type WaiverChange } from "../WaiverChange.js"
import * as WaiverMatch from "../WaiverMatch.js"
import { stateAt } from "../WaiverState.js"
import { WaiverStore } from "../WaiverStore.js"

/** Records changes of waivers. */
export class WaiverRecords extends Effect.Service<WaiverRecords>()("@attestry/core/WaiverRecords", {
  effect: Effect.gen(function* () {
    const store = yield* WaiverStore
    const policies = yield* PolicyStore
    const environments = yield* EnvironmentStore
    const journals = yield* Journals
    const listener = yield* SnapshotListener

    /** The active environments that a waiver reaches: consumers of its policy. */
    const reachedBy = (waiver: Waiver) =>
      Effect.gen(function* () {
        const { environment_id: only, org_id: org, policy_name: name } = waiver
        const policy = yield* policies.findByName({ org, name })
        if (Option.isNone(policy)) return []
        const found = yield* only === null ? environments.list(org) : environments.list(org, [only])
        return found.filter(
          (environment) =>
            environment.archived_at === null &&
            environment.policies.includes(policy.value.id) &&
            WaiverMatch.isFor(waiver, environment.id)
        )
      })

    /** Appends the entry of a change, and tells the environments that the waiver reaches. */
    const record = (writer: WriteContext, waiver: Waiver, change: WaiverChange) =>
      Effect.gen(function* () {
        const { sequence } = yield* journals.record({
          ...writer,
          kind: kindOf(change),
          subject: { type: "waiver", id: String(waiver.number) },
          content: waiver
        })
        const state = stateAt(waiver, writer.at)
        for (const environment of yield* reachedBy(waiver))
          yield* listener.waiverChanged({
            writer,
            environment,
            waiver: { ...waiver, state },
            change,
            sequence
          })
      })

    /** Marks the environments whose verdicts a waiver can change; returns whether there are any to evaluate at once. */
    const markPending = (waiver: Waiver) =>
      Effect.gen(function* () {
        const { environment_id, org_id: org, policy_name: name } = waiver
        const policy = yield* policies.findByName({ org, name })
        if (Option.isNone(policy)) return false
        const marked = yield* store.markConsumers(org, policy.value.id, environment_id)
        return marked.length > 0
      })

    return { record, markPending } as const
  })
}) {}
