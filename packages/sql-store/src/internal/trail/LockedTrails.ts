/**
 * Locks the trail of a report, and reads with it everything that the report is decided by.
 *
 * Reports of an org that arrive together are batched (`GroupCommit`).
 */
import { ArtifactFact } from "@attestry/core/Artifact"
import { AttestationFact } from "@attestry/core/Attestation"
import { Flow } from "@attestry/core/Flow"
import { FlowId, TrailId } from "@attestry/core/Identifier"
import type { TrailOfFlow, TrailStore } from "@attestry/core/TrailStore"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AwaitedArtifacts from "../evidence/AwaitedArtifacts.js"
import * as WatchedFlows from "../notification/WatchedFlows.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as LockedTrail from "./LockedTrail.js"
import { TrailRow, toTrail } from "./TrailRow.js"

type LockWithFlow = Context.Tag.Service<TrailStore>["lockWithFlow"]

/** A trail by the name of its flow and its own. */
type Path = Omit<Parameters<LockWithFlow>[0], "org">

const { id: _flowId, ...flowFields } = Flow.fields
const { id: _trailId, ...rowFields } = TrailRow.fields

/**
 * A row of `lock_trails`; it has the flow only with the first trail of each flow.
 *
 * INVARIANT: it names every column, so that a row is its own decoded form.
 */
export const Locked = Schema.Struct({
  document: Schema.NullOr(
    Schema.Struct({
      sequence: Schema.Int,
      /** Whether the flow has flow notifications. */
      is_watched: Schema.Boolean,
      /** Whether documents are about the artifact that the caller reports. */
      is_awaited: Schema.Boolean,
      flow: Schema.NullOr(
        Schema.Struct({ ...flowFields, flow_id: FlowId, active_minute: Schema.Int })
      ),
      trail: Schema.Struct({ ...rowFields, trail_id: TrailId, ordinal: Schema.Int }),
      artifacts: Schema.Array(ArtifactFact),
      attestations: Schema.Array(AttestationFact)
    })
  )
})

/** A locked trail, and what was read with it. */
interface LockedTrailRow {
  readonly found: TrailOfFlow
  readonly state: LockedTrail.LockedTrail
  readonly isWatched: boolean
  readonly isAwaited: boolean
}

/** The locked trails in the order of the request. */
const lockedTrails = (
  rows: ReadonlyArray<typeof Locked.Type>
): ReadonlyArray<Option.Option<LockedTrailRow>> => {
  const flows = new Map<FlowId, Flow>()
  return rows.map(({ document }) => {
    if (document === null) return Option.none()
    if (document.flow !== null) {
      const { flow_id, active_minute: _minute, ...flow } = document.flow
      flows.set(flow_id, { ...flow, id: flow_id })
    }
    const flow = flows.get(document.trail.flow_id)
    if (flow === undefined) return Option.none()
    const state = {
      artifacts: [...document.artifacts],
      attestations: [...document.attestations],
      ordinal: document.trail.ordinal,
      sequence: document.sequence
    }
    const trail = toTrail(document.trail, document.trail.trail_id)
    const { is_watched: isWatched, is_awaited: isAwaited } = document
    return Option.some({ found: { flow, trail }, state, isWatched, isAwaited })
  })
}

const readRows = TenantQueries.decoderOf(Locked)

/** Locks trails, in batches. */
export const make: Effect.Effect<LockWithFlow, never, SqlClient.SqlClient | TenantTransaction> =
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { batchedLock } = yield* TenantTransaction
    const lock = yield* batchedLock({
      operation: "TrailStore.lockWithFlow",
      keyOf: ({ flow, name }: Path) => `${flow}/${name}`,
      compile: (_, paths, { waits }) =>
        sql`select document from lock_trails(${JSON.stringify(paths)}::json, ${waits})`,
      read: (found) => Effect.map(readRows(found), lockedTrails)
    })
    return ({ org, ...path }) =>
      Effect.flatMap(lock(org, path), (locked) => {
        if (Option.isNone(locked)) return Effect.succeedNone
        const { found, state, isWatched, isAwaited } = locked.value
        const { fingerprint } = path
        return LockedTrail.set(found.trail.id, state).pipe(
          Effect.zipRight(WatchedFlows.set(found.flow.id, isWatched)),
          Effect.zipRight(
            fingerprint === undefined ? Effect.void : AwaitedArtifacts.set(fingerprint, isAwaited)
          ),
          Effect.as(Option.some(found))
        )
      })
  })
