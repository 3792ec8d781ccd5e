/** The history of an environment in columns. SPEC §4.5 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Reaches } from "../access/Reaches.js"
import * as Environment from "../environment/Environment.js"
import { UpToDateEnvironments } from "../environment/UpToDateEnvironments.js"
import type { EnvironmentName, OrgName } from "../shared/Identifier.js"
import { Transaction } from "../shared/Transaction.js"
import { ReadModels } from "./ReadModels.js"
import { SnapshotStore } from "./SnapshotStore.js"
import * as TimelineColumns from "./TimelineColumns.js"

/** Use cases: timelines of environments. */
export class Timelines extends Effect.Service<Timelines>()("@attestry/core/Timelines", {
  effect: Effect.gen(function* () {
    const store = yield* SnapshotStore
    const reads = yield* ReadModels
    const transaction = yield* Transaction
    const settled = yield* UpToDateEnvironments
    const reaches = yield* Reaches

    /** The timeline of a window, with the place of the first and of the latest snapshot. */
    const get = Effect.fn("Timelines.get")(function* (
      org: OrgName,
      name: EnvironmentName,
      query: TimelineColumns.TimelineQuery
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      return yield* settled.read(granted, name, (environment) =>
        transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const ref = Environment.ref(environment)
            const now = yield* scope.now
            const latest = Option.getOrNull(yield* store.latest(ref))
            const [first = null] = yield* store.heads(ref, { first: 1, last: 1 })
            const times = { now, latest: latest?.timestamp ?? now }
            const window = TimelineColumns.windowOf(query, times)
            const to = TimelineColumns.endOf(window)
            const history = yield* reads.timelineSnapshots(ref, { from: window.from, to })
            const parts = TimelineColumns.partsOf(history, window)
            return TimelineColumns.timelineOf(parts, window, { first, latest })
          })
        )
      )
    })

    return { get } as const
  })
}) {}
