/** Tables of what was known when, and the number that orders them: one for each write, because writers take turns. */
import type { FlowVersion, TrailMark } from "@attestry/core/FingerprintHistory"
import type {
  Allowance,
  EnvironmentVersion,
  Held,
  NumberedSnapshot,
  PolicyAttachment
} from "@attestry/core/HistoryStore"
import type { Judging } from "@attestry/core/JudgingTimeline"
import type { Knowledge } from "@attestry/core/Knowledge"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { type MemoryState, type MemoryTable, table } from "../shared/MemoryState.js"

/** Marks of events, by org and trail. */
export const marks = table<ReadonlyArray<TrailMark>>("trail_knowledge")
/** Versions of flows, by org and flow. */
export const flowVersions = table<ReadonlyArray<FlowVersion>>("flow_version")
/** Versions of the settings of environments, by org and environment. */
export const environmentVersions = table<ReadonlyArray<EnvironmentVersion>>("environment_version")
/** Judgings of all rows, by org and environment. */
export const judgings = table<ReadonlyArray<Judging>>("judging")
/** Snapshots as judgings, by org and environment. */
export const numberedSnapshots = table<ReadonlyArray<NumberedSnapshot>>("numbered_snapshot")
/** What was allowed, by org and environment. */
export const allowances = table<ReadonlyArray<Allowance>>("allowance")
/** What was attached, by org and environment. */
export const attachments = table<ReadonlyArray<PolicyAttachment>>("policy_attachment")

const numbers = table<number>("knowledge_sequence")
const LAST = "last"

/** The highest number that was drawn; 0 before the first. */
export const lastNumber = (state: MemoryState): Effect.Effect<number> =>
  Effect.map(state.read(numbers), (rows) => Option.getOrElse(HashMap.get(rows, LAST), () => 0))

/** The place of a write at an instant in the order of knowledge. */
export const draw = (state: MemoryState, at: Timestamp): Effect.Effect<Knowledge> =>
  state.modify(numbers, (rows) => {
    const known = Option.getOrElse(HashMap.get(rows, LAST), () => 0) + 1
    return [{ known, at }, HashMap.set(rows, LAST, known)]
  })

/** The list under a key; empty where there is none. */
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

/** Ends what holds and is meant. */
export const ending =
  <A extends Held>(to: Knowledge, isMeant: (held: A) => boolean) =>
  (list: ReadonlyArray<A>): ReadonlyArray<A> =>
    list.map((held) => (held.to === null && isMeant(held) ? { ...held, to } : held))
