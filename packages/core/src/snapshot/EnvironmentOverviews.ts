/** The newest snapshots of several environments, for a board of all of them. SPEC §4.4 */

import * as Effect from "effect/Effect"
import { Reaches } from "../access/Reaches.js"
import type { Environment } from "../environment/Environment.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { DamagedRecords } from "../shared/DamagedRecords.js"
import type { EnvironmentId, OrgName } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { ReadModels } from "./ReadModels.js"
import type { RecentVerdicts } from "./SnapshotStore.js"
import * as VerdictRuns from "./VerdictRuns.js"

/** The newest snapshot of an environment. */
export interface LatestSnapshot extends Pick<RecentVerdicts, "verdictSince"> {
  readonly head: RecentVerdicts["latest"]
}

/** What a board shows of an environment beside its settings. */
export interface EnvironmentOverview {
  /** Null before the first snapshot. */
  readonly latest: LatestSnapshot | null
  /** The verdicts of the last 24 hours, oldest first, at most 48; worse ones win where some are merged. */
  readonly day: ReadonlyArray<VerdictRuns.VerdictRun>
  /** Whether evidence or settings changed after the last evaluation, which the next report makes up for. */
  readonly isStale: boolean
}

/** The length of the time that a board shows. */
const DAY_SECONDS = 86_400
/** The largest number of runs of that time. */
export const RUNS_MAX = 48

const NONE: EnvironmentOverview = { latest: null, day: [], isStale: false }

/** Use cases: overviews of environments. */
export class EnvironmentOverviews extends Effect.Service<EnvironmentOverviews>()(
  "@attestry/core/EnvironmentOverviews",
  {
    effect: Effect.gen(function* () {
      const reads = yield* ReadModels
      const environments = yield* EnvironmentStore
      const reaches = yield* Reaches
      const transaction = yield* Transaction

      const isStale =
        (stale: ReadonlySet<EnvironmentId>) =>
        ({ id, included }: Environment): boolean =>
          included === null ? stale.has(id) : included.some((member) => stale.has(member))

      /** The overviews of environments of an org, in their order. */
      const of = Effect.fn("EnvironmentOverviews.of")(function* (
        org: OrgName,
        shown: ReadonlyArray<Environment>
      ) {
        const granted = yield* reaches.authorize(org, "org.read")
        const { orgId } = granted
        const kept = yield* reaches.keepReadable(granted, {
          kind: "environment",
          things: shown,
          idOf: ({ id }) => id
        })
        if (shown.length === 0) return []
        const readable = new Set(kept.map(({ id }) => id))
        return yield* transaction.run(orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const from = Timestamp.plusSeconds(now, -DAY_SECONDS)
            const ids = shown.map(({ id }) => id)
            // WHY: a damaged snapshot must not fail a list of environments; it is logged and left out. DECISIONS.md, "A
            // damaged record never fails a list"
            const recent = yield* Effect.provideService(
              reads.recentVerdicts(orgId, ids, from),
              DamagedRecords,
              []
            )
            const members = shown.flatMap(({ included }) => included ?? [])
            const isMarked = isStale(yield* environments.listStale(orgId, [...ids, ...members]))
            return shown.map((environment): EnvironmentOverview => {
              const found = recent.get(environment.id)
              if (found === undefined || !readable.has(environment.id)) return NONE
              const { latest: head, verdictSince, runs } = found
              // WHY: a clock that went back leaves snapshots later than now.
              const to = Timestamp.fromMicros(Math.max(now, head.timestamp + 1))
              return {
                latest: { head, verdictSince },
                day: VerdictRuns.summarize(runs, { from, to }, RUNS_MAX),
                isStale: isMarked(environment)
              }
            })
          })
        )
      })

      return { of } as const
    })
  }
) {}
