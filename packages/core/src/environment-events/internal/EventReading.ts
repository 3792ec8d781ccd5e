/** Reads the event log of an environment in batches, as events with names. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { EnvironmentRef } from "../../environment/Environment.js"
import type { EnvironmentEvent } from "../../environment/EnvironmentEvent.js"
import type { EnvironmentName, FlowId, FlowName } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import * as DeploymentDiff from "../../snapshot/DeploymentDiff.js"
import * as FlowMask from "../../snapshot/FlowMask.js"
import { repoNames } from "../../snapshot/FlowView.js"
import { ProvenanceStore } from "../../snapshot/ProvenanceStore.js"
import { isEvent } from "../../snapshot/SnapshotAnnotation.js"
import type { Span } from "../../snapshot/SnapshotRange.js"
import {
  type EventPosition,
  SnapshotStore,
  type StoredEvent
} from "../../snapshot/SnapshotStore.js"

/** The most events of one batch. */
export const BATCH = 2_000

/** A part of the event log, in one direction. */
export interface EventReading {
  readonly ref: EnvironmentRef
  readonly environment: EnvironmentName
  readonly span: Span
  readonly newestFirst: boolean
  /** The number of events to skip. */
  readonly skip: number
  /** The number of events to read at a time, at most `BATCH`. */
  readonly atMost: number
  /** The flows that are left out; none where it is absent. */
  readonly hiddenIn?: (
    flows: ReadonlyMap<FlowId, FlowName>
  ) => Effect.Effect<FlowMask.HiddenFlows | undefined, StoreError>
}

const toEvent =
  (
    environment: EnvironmentName,
    names: ReadonlyMap<FlowId, FlowName>,
    hidden: FlowMask.HiddenFlows | undefined
  ) =>
  ({
    index,
    timestamp,
    snapshotVerdict,
    annotation,
    row: whole
  }: StoredEvent): EnvironmentEvent => {
    const row: StoredEvent["row"] & FlowMask.PartlyHidden =
      hidden === undefined ? whole : FlowMask.flows(hidden, whole)
    const primary = FlowMask.primaryOf(row)
    return {
      environment,
      snapshotIndex: index,
      at: timestamp,
      kind: isEvent(annotation.type) ? annotation.type : "changed",
      name: row.name,
      fingerprint: row.fingerprint,
      was: annotation.was,
      now: annotation.now,
      verdict: row.verdict,
      snapshotVerdict,
      flowNames: row.flows.map(({ flow_id }) => names.get(flow_id) ?? ""),
      repoNames: repoNames(row.flows),
      gitCommit: primary?.git_commit ?? null,
      commitUrl: primary?.commit_url ?? null,
      diffUrl:
        primary === undefined || primary.previous === null
          ? null
          : DeploymentDiff.diffUrl({
              repo: primary.repo,
              previous: primary.previous.git_commit,
              current: primary.git_commit
            }),
      ...(row.hidden === undefined ? {} : { hidden: row.hidden })
    }
  }

/** Reads events; each batch is read on demand. */
export const make: Effect.Effect<
  (reading: EventReading) => Stream.Stream<EnvironmentEvent, StoreError>,
  never,
  SnapshotStore | ProvenanceStore
> = Effect.map(
  Effect.all([SnapshotStore, ProvenanceStore]),
  ([store, provenance]) =>
    ({ ref, environment, span, newestFirst, skip: leftOut, atMost, hiddenIn }) =>
      Stream.paginateChunkEffect(Option.none<EventPosition>(), (after) =>
        Effect.gen(function* () {
          const skip = Option.isNone(after) ? leftOut : 0
          const limit = Math.min(BATCH, atMost)
          const found = yield* store.events(ref, { span, skip, after, limit, newestFirst })
          const flows = new Set(found.flatMap(({ row }) => row.flows.map(({ flow_id }) => flow_id)))
          const names = yield* provenance.flowNames(ref.org, [...flows])
          const hidden = hiddenIn === undefined ? undefined : yield* hiddenIn(names)
          const last = found.at(-1)
          return [
            Chunk.unsafeFromArray(found.map(toEvent(environment, names, hidden))),
            last === undefined || found.length < limit
              ? Option.none()
              : Option.some(Option.some({ index: last.index, position: last.position }))
          ] as const
        })
      )
)
