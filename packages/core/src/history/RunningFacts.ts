/** Reads the facts about the running rows of a snapshot, now or as of an instant. SPEC §4.5 */
import * as Effect from "effect/Effect"
import { Reaches } from "../access/Reaches.js"
import { isKnown } from "../artifact/Fingerprint.js"
import type { EnvironmentName, OrgName } from "../shared/Identifier.js"
import * as Page from "../shared/Page.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { ArtifactFacts, type SnapshotFacts, shownFacts } from "../snapshot/ArtifactFacts.js"
import * as MaskedFlows from "../snapshot/internal/MaskedFlows.js"
import type { SnapshotExpression } from "../snapshot/SnapshotExpression.js"
import { isAllowed } from "../snapshot/SnapshotRows.js"
import type * as AsOf from "./AsOf.js"
import * as FactTimeline from "./FactTimeline.js"
import * as FingerprintHistory from "./FingerprintHistory.js"
import { HistoryStore } from "./HistoryStore.js"
import * as SnapshotsThen from "./internal/SnapshotsThen.js"

/** One page of running rows; has the instant if the read is as of one. */
export interface RunningSnapshotFacts extends SnapshotFacts {
  readonly asOf?: Timestamp
}

/** Use cases of the facts of running rows. */
export class RunningFacts extends Effect.Service<RunningFacts>()("@attestry/core/RunningFacts", {
  effect: Effect.gen(function* () {
    const facts = yield* ArtifactFacts
    const snapshotThen = yield* SnapshotsThen.make
    const history = yield* HistoryStore
    const reaches = yield* Reaches
    const hiddenOf = yield* MaskedFlows.make

    /** One page of the running rows of a snapshot with their facts, now or as of an instant. */
    const list = Effect.fn("RunningFacts.list")(function* (
      org: OrgName,
      of: {
        readonly environment: EnvironmentName
        readonly expression: SnapshotExpression
        readonly asOf?: AsOf.AsOf | undefined
      },
      page: Page.Page
    ) {
      const { asOf: instant, ...wanted } = of
      if (instant === undefined) {
        const found: RunningSnapshotFacts = yield* facts.list(org, wanted, page)
        return found
      }
      const granted = yield* reaches.authorize(org, "org.read")
      const { found, bound, asOf } = yield* snapshotThen(granted, { ...wanted, asOf: instant })
      const { index, members, policies, timestamp } = found.snapshot
      const running = found.rows.filter(({ annotation }) => annotation.type !== "exited")
      const { items, total } = Page.slice(running, page)
      const known = [...new Set(items.map(({ fingerprint }) => fingerprint).filter(isKnown))]
      const historyOf = FingerprintHistory.group(
        known.length === 0
          ? FingerprintHistory.EMPTY
          : yield* history.evidence(granted.orgId, { fingerprints: known })
      )
      const withFlows = items.map((row) => ({
        row,
        flows: FactTimeline.make(historyOf(row.fingerprint)).at(bound)
      }))
      const hidden = yield* hiddenOf(
        granted,
        withFlows.flatMap(({ flows }) =>
          flows.map(({ flow_id, view }) => [flow_id, view.flow_name] as const)
        )
      )
      const rows = withFlows.map(({ flows, row }) => ({
        environment: row.environment,
        isAllowed: isAllowed(row),
        facts: shownFacts(hidden, {
          artifact: { name: row.name, fingerprint: row.fingerprint },
          flows: flows.map(({ view }) => view)
        })
      }))
      return {
        environment: found.environment.name,
        isLogical: members !== null,
        index,
        timestamp,
        policies: policies.map(({ name, version }) => ({ name, version })),
        rows: { items: rows, total },
        asOf
      } satisfies RunningSnapshotFacts
    })

    return { list } as const
  })
}) {}
