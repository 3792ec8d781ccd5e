/**
 * The snapshots of logical environments: which snapshot of each member counts. DECISION D4.16, D4.17
 *
 * A logical environment has no rows of its own; its rows are read through its members.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Writer } from "../access/Writer.js"
import * as Environment from "../environment/Environment.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { LogicalHistory } from "../environment/LogicalHistory.js"
import { Journals } from "../journal/Journals.js"
import * as Verdict from "../shared/Verdict.js"
import type { SnapshotHead } from "./Snapshot.js"
import type { SnapshotCounts } from "./SnapshotCounts.js"
import { type LogicalDraft, SnapshotStore } from "./SnapshotStore.js"
import * as SnapshotTimeline from "./SnapshotTimeline.js"

const sum = (heads: ReadonlyArray<SnapshotHead>): SnapshotCounts =>
  heads.reduce(
    (total, { counts }) => ({
      true: total.true + counts.true,
      false: total.false + counts.false,
      null: total.null + counts.null
    }),
    { true: 0, false: 0, null: 0 }
  )

/** Makes the snapshots of logical environments. */
export class LogicalSnapshots extends Effect.Service<LogicalSnapshots>()(
  "@attestry/core/LogicalSnapshots",
  {
    effect: Effect.gen(function* () {
      const store = yield* SnapshotStore
      const environments = yield* EnvironmentStore
      const journals = yield* Journals

      /** The latest snapshot of each member that has one; archived members contribute nothing. */
      const membersOf = ({ org_id: org, included }: Environment.Environment) =>
        Effect.gen(function* () {
          const present = new Set((yield* environments.list(org)).map(({ id }) => id))
          const found = yield* Effect.forEach(
            (included ?? []).filter((id) => present.has(id)),
            (id) =>
              Effect.map(
                store.latest({ org, environment: id }),
                Option.map((head) => ({ id, head }))
              )
          )
          return found.flatMap(Option.toArray)
        })

      /** Appends the next snapshot of a logical environment; the caller holds its lock. */
      const append = (writer: Writer, environment: Environment.Environment) =>
        Effect.gen(function* () {
          const ref = Environment.ref(environment)
          const latest = yield* store.latest(ref)
          const members = yield* membersOf(environment)
          const heads = members.map(({ head }) => head)
          const draft: LogicalDraft = {
            index: Option.match(latest, { onNone: () => 1, onSome: ({ index }) => index + 1 }),
            timestamp: SnapshotTimeline.nextTimestamp(
              writer.at,
              Option.map(latest, ({ timestamp }) => timestamp)
            ),
            verdict: Verdict.minimum(heads.map(({ verdict }) => verdict)),
            counts: sum(heads),
            members: members.map(({ id, head }) => ({ environment_id: id, index: head.index }))
          }
          yield* store.appendLogical(ref, draft)
          yield* environments.change(ref, { at: draft.timestamp, verdict: draft.verdict })
          yield* journals.record({
            ...writer,
            kind: "snapshot_created",
            subject: { type: "environment", id: environment.id },
            content: draft
          })
        })

      /** Lets every logical environment that holds this one follow its new snapshot. */
      const memberChanged = (writer: Writer, member: Environment.Environment) =>
        Effect.flatMap(environments.lockGroupsOf(Environment.ref(member)), (groups) =>
          Effect.forEach(groups, (group) => append(writer, group), { discard: true })
        )

      return { append, memberChanged } as const
    })
  }
) {}

/** The port through which environments tell that members have changed. */
export const layerHistory: Layer.Layer<LogicalHistory, never, LogicalSnapshots> = Layer.effect(
  LogicalHistory,
  Effect.map(LogicalSnapshots, ({ append }) => ({ membersChanged: append }))
)
