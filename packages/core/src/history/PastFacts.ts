/** The facts that policies evaluate, as of an instant: of the running rows of a snapshot. SPEC §4.5 */
import * as Effect from "effect/Effect"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { isKnown } from "../artifact/Fingerprint.js"
import type { EnvironmentName, OrgName } from "../shared/Identifier.js"
import * as Knowledge from "../shared/Knowledge.js"
import * as Page from "../shared/Page.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import type { SnapshotFacts } from "../snapshot/ArtifactFacts.js"
import type { SnapshotExpression } from "../snapshot/SnapshotExpression.js"
import { isAllowed } from "../snapshot/SnapshotRows.js"
import { Snapshots } from "../snapshot/Snapshots.js"
import * as AsOf from "./AsOf.js"
import * as FactTimeline from "./FactTimeline.js"
import * as FingerprintHistory from "./FingerprintHistory.js"
import { HistoryStore } from "./HistoryStore.js"

/** One page of the running rows of a snapshot, with the facts of an instant. */
export interface PastSnapshotFacts extends SnapshotFacts {
  readonly asOf: Timestamp
}

/** Use cases of facts as of an instant. */
export class PastFacts extends Effect.Service<PastFacts>()("@attestry/core/PastFacts", {
  effect: Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const history = yield* HistoryStore
    const transaction = yield* Transaction

    /** One page of the running rows of a snapshot, each with the facts that were known by an instant. */
    const list = Effect.fn("PastFacts.list")(function* (
      org: OrgName,
      of: {
        readonly environment: EnvironmentName
        readonly expression: SnapshotExpression
        readonly asOf: AsOf.AsOf
      },
      page: Page.Page
    ) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const found = yield* snapshots.get(org, of.environment, of.expression)
      const { index, members, policies, timestamp } = found.snapshot
      const running = found.rows.filter(({ annotation }) => annotation.type !== "exited")
      const { items, total } = Page.slice(running, page)
      const known = [...new Set(items.map(({ fingerprint }) => fingerprint).filter(isKnown))]
      return yield* transaction.run(orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const asOf = AsOf.instantOf(of.asOf, now)
          if (asOf < timestamp) return yield* new AsOf.SnapshotAfterAsOf({ index, timestamp, asOf })
          const knowledge = asOf >= now ? Knowledge.everything : Knowledge.asOf(asOf)
          const historyOf = FingerprintHistory.group(
            known.length === 0 ? FingerprintHistory.EMPTY : yield* history.evidence(orgId, known)
          )
          const rows = items.map((row) => ({
            environment: row.environment,
            isAllowed: isAllowed(row),
            facts: {
              artifact: { name: row.name, fingerprint: row.fingerprint },
              flows: FactTimeline.make(historyOf(row.fingerprint))
                .at(knowledge)
                .map(({ view }) => view)
            }
          }))
          return {
            environment: found.environment.name,
            isLogical: members !== null,
            index,
            timestamp,
            policies: policies.map(({ name, version }) => ({ name, version })),
            rows: { items: rows, total },
            asOf
          } satisfies PastSnapshotFacts
        })
      )
    })

    return { list } as const
  })
}) {}
