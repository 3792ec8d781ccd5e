/** Reads the history of environments part by part, and replays each part. */

import { type Environment, ref as refOf } from "@attestry/core/Environment"
import { HistoryStore } from "@attestry/core/HistoryStore"
import type { EnvironmentName } from "@attestry/core/Identifier"
import * as Slices from "@attestry/core/Slices"
import type { Span } from "@attestry/core/SnapshotRange"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import type { WholeWindow } from "@attestry/core/TimeWindow"
import * as Effect from "effect/Effect"
import * as PolicyBacktest from "../PolicyBacktest.js"
import * as LogicalParts from "./LogicalParts.js"
import * as PartReader from "./PartReader.js"

/** An environment whose history is replayed. */
export interface BacktestEnvironment extends PartReader.Source {
  readonly settings: PartReader.ReplaySettings
  readonly name: EnvironmentName
  readonly isArchived: boolean
  readonly window: WholeWindow
  readonly parts: ReadonlyArray<Span>
  /** The number of snapshots. */
  readonly count: number
  /** The members of a logical environment that were read; null for a physical one. */
  readonly members: LogicalParts.Members | null
}

/** Reads and replays parts of histories. */
export class HistoryParts extends Effect.Service<HistoryParts>()(
  "@attestry/policy-lab/HistoryParts",
  {
    effect: Effect.gen(function* () {
      const snapshots = yield* SnapshotStore
      const recorded = yield* HistoryStore
      const read = yield* PartReader.make
      const logical = yield* LogicalParts.make(read)

      /** The snapshots of a window, cut into parts; the history of an archived environment ends with it. */
      const prepare = (
        environment: Environment,
        { window: asked, ...settings }: PartReader.ReplaySettings & { readonly window: WholeWindow }
      ) =>
        Effect.gen(function* () {
          const { archived_at: end, included, name } = environment
          const ref = refOf(environment)
          const window = { ...asked, to: end !== null && end < asked.to ? end : asked.to }
          const first = Math.max(1, yield* snapshots.indexAt(ref, window.from))
          const last = window.to <= window.from ? 0 : yield* snapshots.indexAt(ref, window.to)
          const parts =
            last < first
              ? []
              : included === null
                ? yield* recorded.rowParts(ref, { first, last })
                : LogicalParts.cut({ first, last })
          const count = parts.reduce((sum, part) => sum + part.last - part.first + 1, 0)
          return {
            ...PartReader.source(ref),
            settings,
            name,
            isArchived: end !== null,
            window,
            parts,
            count,
            members: included === null ? null : { sources: new Map() }
          } satisfies BacktestEnvironment
        })

      const physical = (environment: BacktestEnvironment, { span, ...place }: LogicalParts.Place) =>
        Effect.gen(function* () {
          const { settings, window } = environment
          const { heads, next, context, hidden, rows } = yield* read(environment, span, settings)
          const begin = heads[0]?.timestamp ?? window.from
          const part = {
            heads,
            rows,
            hidden,
            from: Timestamp.fromMicros(Math.max(begin, window.from)),
            to: next === null || next > window.to ? window.to : next,
            ...place
          }
          return PolicyBacktest.ofPhysical(part, context)
        })

      /** Replays one part of an environment. */
      const replay = (environment: BacktestEnvironment, at: number) =>
        Effect.gen(function* () {
          const { members, parts } = environment
          const span = parts[at] ?? { first: 1, last: 0 }
          const place = { span, isFirst: at === 0, isLast: at === parts.length - 1 }
          const part =
            members === null
              ? yield* physical(environment, place)
              : yield* logical({ ...environment, members }, place)
          return yield* Slices.run(() => PolicyBacktest.replaying(part))
        })

      return { prepare, replay } as const
    })
  }
) {}
