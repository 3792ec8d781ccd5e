/** Reads parts of the history of a logical environment, with those of its members. */

import * as EnvironmentMoments from "@attestry/core/EnvironmentMoments"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import type { Evaluation } from "@attestry/core/EvaluationTimeline"
import { HistoryStore, type MemberIndexes } from "@attestry/core/HistoryStore"
import type { EnvironmentId } from "@attestry/core/Identifier"
import type { VersionKey } from "@attestry/core/PolicySets"
import type { Span } from "@attestry/core/SnapshotRange"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import type { StoreError } from "@attestry/core/StoreError"
import * as Timestamp from "@attestry/core/Timestamp"
import type { WholeWindow } from "@attestry/core/TimeWindow"
import * as Effect from "effect/Effect"
import type * as PolicyBacktest from "../PolicyBacktest.js"
import * as PartReader from "./PartReader.js"

/** The number of snapshots of a part. */
export const PART = 128

/** The members that were read, the evaluations of all rows, and the moments of the environment. */
export interface Members {
  readonly sources: Map<EnvironmentId, PartReader.Source>
  evaluations?: ReadonlyArray<Evaluation>
  momentAt?: EnvironmentMoments.MomentAt
}

/** A logical environment that is replayed. */
interface LogicalSource extends PartReader.Source {
  readonly settings: PartReader.ReplaySettings
  readonly window: WholeWindow
  readonly members: Members
}

/** The position of a part in its history. */
export interface Place {
  readonly span: Span
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** Cuts a span into parts; their ends do not depend on its beginning. */
export const cut = ({ first, last }: Span): ReadonlyArray<Span> => {
  const parts: Array<Span> = []
  for (let begin = first; begin <= last; ) {
    const end = Math.min(last, Math.ceil(begin / PART) * PART)
    parts.push({ first: begin, last: end })
    begin = end + 1
  }
  return parts
}

const spanOf = (indexes: ReadonlyArray<number | null>): Span => {
  const found = indexes.filter((index) => index !== null)
  return { first: Math.min(...found), last: Math.max(...found) }
}

const versionsOf = (heads: ReadonlyArray<PolicyBacktest.ReplayHead>): ReadonlyArray<VersionKey> =>
  [
    ...new Map(
      heads.flatMap(({ policies }) => policies.map((each) => [`${each.id} ${each.version}`, each]))
    ).values()
  ].map(({ id, name, version }) => ({ id, name, version }))

/** Makes the reader of parts of logical environments. */
export const make = (read: Effect.Effect.Success<typeof PartReader.make>) =>
  Effect.gen(function* () {
    const snapshots = yield* SnapshotStore
    const environments = yield* EnvironmentStore
    const history = yield* HistoryStore
    const momentsOf = yield* EnvironmentMoments.make

    const headsOf = ({ ref, window }: LogicalSource, span: Span) =>
      Effect.map(snapshots.heads(ref, span), (found) => {
        const next = found[0]?.next_timestamp ?? null
        const heads = found
          .map(
            ({ index, policies, timestamp, verdict }): PolicyBacktest.ReplayHead => ({
              index,
              timestamp,
              verdict,
              policies
            })
          )
          .reverse()
        return {
          heads,
          from: Timestamp.fromMicros(Math.max(heads[0]?.timestamp ?? window.from, window.from)),
          to: next === null || next > window.to ? window.to : next
        }
      })

    /** The members in the snapshot before a span, and in each of its snapshots. */
    const membersOf = ({ ref }: LogicalSource, { first, last }: Span) =>
      Effect.map(history.memberIndexes(ref, { first: first - 1, last }), (found) => {
        const byIndex = new Map(found.map(({ index, members }) => [index, members]))
        const none: MemberIndexes["members"] = new Map()
        const at = (index: number) => byIndex.get(index) ?? none
        const inside = Array.from({ length: last - first + 1 }, (_, place) => at(first + place))
        return { before: at(first - 1), inside }
      })

    const sourceOf = ({ members, ref: { org } }: LogicalSource, id: EnvironmentId) => {
      const source = members.sources.get(id) ?? PartReader.source({ org, environment: id })
      members.sources.set(id, source)
      return source
    }

    /** The evaluations by the environment's own policies, and its moments; each is read once. */
    const onceOf = ({ members, ref }: LogicalSource) =>
      Effect.gen(function* () {
        members.evaluations ??= yield* history.evaluations(ref)
        members.momentAt ??= yield* momentsOf(ref)
        return { all: members.evaluations, momentAt: members.momentAt }
      })

    /** Reads a part. */
    return (
      environment: LogicalSource,
      { span, ...place }: Place
    ): Effect.Effect<PolicyBacktest.ReplayPart, StoreError> =>
      Effect.gen(function* () {
        const { from, heads, to } = yield* headsOf(environment, span)
        const { before, inside } = yield* membersOf(environment, span)
        const ids = [...new Set(inside.flatMap((each) => [...each.keys()]))]
        const names = yield* environments.names(environment.ref.org, ids)
        const more = versionsOf(heads)
        const { all, momentAt } = yield* onceOf(environment)
        const members = yield* Effect.forEach(ids, (id) =>
          Effect.gen(function* () {
            const indexes = inside.map((each) => each.get(id) ?? null)
            const part = yield* read(sourceOf(environment, id), spanOf(indexes), {
              ...environment.settings,
              more
            })
            return {
              ...part,
              membership: { name: names.get(id) ?? "", indexes },
              before: before.get(id) ?? null
            } satisfies PolicyBacktest.MemberPart
          })
        )
        const evaluations = all.filter(({ at, index }) => index >= span.first && at < to)
        return { heads, members, evaluations, momentAt, from, to, ...place }
      })
  })
