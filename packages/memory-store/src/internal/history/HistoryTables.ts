/** Tables of history, and the commit position of each write; writers take turns. */

import type { CommitPosition } from "@attestry/core/CommitPosition"
import type { Evaluation } from "@attestry/core/EvaluationTimeline"
import type { FlowVersion, StoredTrailEvent } from "@attestry/core/FingerprintHistory"
import type {
  AllowedPeriod,
  EnvironmentVersion,
  PolicyAttachment,
  SnapshotEvaluation
} from "@attestry/core/HistoryStore"
import type { Timestamp } from "@attestry/core/Timestamp"
import type { ValidityPeriod } from "@attestry/core/ValidityPeriod"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { type MemoryState, type MemoryTable, table } from "../shared/MemoryState.js"

/** Events on trails, by org and trail. */
export const trailEvents = table<ReadonlyArray<StoredTrailEvent>>("trail_event")
/** Versions of flows, by org and flow. */
export const flowVersions = table<ReadonlyArray<FlowVersion>>("flow_version")
/** Versions of the settings of environments, by org and environment. */
export const environmentVersions = table<ReadonlyArray<EnvironmentVersion>>("environment_version")
/** Evaluations of all rows, by org and environment. */
export const evaluations = table<ReadonlyArray<Evaluation>>("environment_evaluation")
/** Snapshots as evaluations, by org and environment. */
export const snapshotEvaluations = table<ReadonlyArray<SnapshotEvaluation>>("numbered_snapshot")
/** Periods of allow-lists, by org and environment. */
export const allowedPeriods = table<ReadonlyArray<AllowedPeriod>>("allow_list_period")
/** Periods of attached policies, by org and environment. */
export const attachments = table<ReadonlyArray<PolicyAttachment>>("policy_attachment")

const numbers = table<number>("commit_position_sequence")
const LAST = "last"

/** The highest commit position; 0 before the first. */
export const lastNumber = (state: MemoryState): Effect.Effect<number> =>
  Effect.map(state.read(numbers), (rows) => Option.getOrElse(HashMap.get(rows, LAST), () => 0))

/** Draws the commit position of a write at an instant. */
export const draw = (state: MemoryState, at: Timestamp): Effect.Effect<CommitPosition> =>
  state.modify(numbers, (rows) => {
    const position = Option.getOrElse(HashMap.get(rows, LAST), () => 0) + 1
    return [{ position, at }, HashMap.set(rows, LAST, position)]
  })

/** The list under a key, or an empty one. */
export const listOf = <A>(
  state: MemoryState,
  source: MemoryTable<ReadonlyArray<A>>,
  at: string
): Effect.Effect<ReadonlyArray<A>> =>
  Effect.map(state.read(source), (rows) => Option.getOrElse(HashMap.get(rows, at), () => []))

/** Replaces the list under a key. */
export const change = <A>(
  state: MemoryState,
  target: MemoryTable<ReadonlyArray<A>>,
  { at, next }: { readonly at: string; readonly next: (list: ReadonlyArray<A>) => ReadonlyArray<A> }
): Effect.Effect<void> =>
  state.modify(target, (rows) => [
    undefined,
    HashMap.set(rows, at, next(Option.getOrElse(HashMap.get(rows, at), () => [])))
  ])

/** Ends the periods that a test selects. */
export const ending =
  <A extends ValidityPeriod>(to: CommitPosition, isMeant: (period: A) => boolean) =>
  (list: ReadonlyArray<A>): ReadonlyArray<A> =>
    list.map((period) => (period.to === null && isMeant(period) ? { ...period, to } : period))
