/** Reads policies with their versions, events and consumers. SPEC §4.6 */

import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { GrantedWithin } from "../../access/Reaches.js"
import * as ReadableEnvironments from "../../environment/internal/ReadableEnvironments.js"
import { Journals } from "../../journal/Journals.js"
import { beside, show } from "../../shared/DamagedRecords.js"
import type * as Policy from "../Policy.js"
import * as PolicyEvent from "../PolicyEvent.js"
import { PolicyStore } from "../PolicyStore.js"
import type { PolicyView } from "../PolicyView.js"

/** Reads the views of policies. */
export const make = Effect.gen(function* () {
  const store = yield* PolicyStore
  const journals = yield* Journals
  const readableNames = yield* ReadableEnvironments.make

  /** The views of policies, in the same order; environments that the caller does not read are left out. */
  return (granted: GrantedWithin, policies: ReadonlyArray<Policy.Policy>) =>
    Effect.gen(function* () {
      const org = granted.orgId
      const shown = policies.map(({ id }) => id)
      const versions = Arr.groupBy(
        yield* beside(store.listVersions(org, { policies: shown })),
        ({ policy_id }) => policy_id
      )
      const histories = yield* journals.histories(org, { type: "policy", ids: shown })
      const consumers = Arr.groupBy(
        yield* store.listConsumers(org, shown),
        ({ policy_id }) => policy_id
      )
      const events = new Map(
        [...histories].map(([id, entries]) => [id, PolicyEvent.fromEntries(entries)])
      )
      const isReadable = yield* readableNames(granted, [
        ...[...events.values()].flat().flatMap(({ data }) => data.environment ?? []),
        ...Object.values(consumers).flatMap((all) => all.map(({ environment }) => environment))
      ])
      return yield* show(policies, (policy): PolicyView | undefined => {
        const own = versions[policy.id] ?? []
        const history = events.get(policy.id)
        if (own.length !== policy.version || history === undefined) return undefined
        return {
          policy,
          versions: own,
          events: history.filter(
            ({ data }) => data.environment === undefined || isReadable(data.environment)
          ),
          consumers: (consumers[policy.id] ?? [])
            .map(({ environment }) => environment)
            .filter(isReadable)
        }
      })
    })
})
