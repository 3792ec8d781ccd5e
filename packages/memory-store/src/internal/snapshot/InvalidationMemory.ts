/** `Invalidation` in memory: scans the running artifacts of every environment. */
import type { OrgId } from "@attestry/core/Identifier"
import { Invalidation } from "@attestry/core/Invalidation"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { artifacts } from "../artifact/ArtifactStoreMemory.js"
import { environments } from "../environment/EnvironmentRowsMemory.js"
import * as HistoryTables from "../history/HistoryTables.js"
import { policies } from "../policy/PolicyStoreMemory.js"
import { key, MemoryState } from "../shared/MemoryState.js"
import { histories } from "./SnapshotStoreMemory.js"

/** `Invalidation` in memory. */
export const layer: Layer.Layer<Invalidation, never, MemoryState> = Layer.effect(
  Invalidation,
  Effect.map(MemoryState, (state) => {
    const mark = (
      org: OrgId,
      fingerprints: ReadonlyArray<string>,
      isMeant: (environment: string) => boolean
    ) =>
      Effect.flatMap(state.read(histories), (all) =>
        state.modify(environments, (rows) => [
          undefined,
          HashMap.map(rows, (stored, at) => {
            const running = Option.getOrElse(HashMap.get(all, at), () => []).at(-1)?.running ?? []
            return stored.environment.org_id === org &&
              isMeant(stored.environment.id) &&
              running.some((row) => fingerprints.includes(row.fingerprint))
              ? { ...stored, reportDigests: Option.none() }
              : stored
          })
        ])
      )

    return {
      invalidateRunning: (org, fingerprints, { trail_id, sequence, template_id, status, at }) =>
        Effect.gen(function* () {
          yield* mark(org, fingerprints, () => true)
          const known = yield* HistoryTables.draw(state, at)
          yield* HistoryTables.change(state, HistoryTables.trailEvents, {
            at: key(org, trail_id),
            next: (list) => [...list, { ...known, sequence, template_id, status }]
          })
        }),
      invalidateReaders: (org, flow, part) =>
        Effect.gen(function* () {
          const known = Array.from(HashMap.values(yield* state.read(artifacts))).flat()
          const fingerprints = known.flatMap((record) =>
            record.org_id === org && record.flow_id === flow ? [record.fingerprint] : []
          )
          const reading = new Set(
            Array.from(HashMap.values(yield* state.read(policies))).flatMap(({ id, reads }) =>
              reads.includes(part) ? [id] : []
            )
          )
          const readers = Array.from(
            HashMap.values(yield* state.read(environments)),
            ({ environment }) => environment
          ).filter((environment) => environment.policies.some((id) => reading.has(id)))
          const meant = new Set<string>(
            readers.flatMap(({ id, included }) => [id, ...(included ?? [])])
          )
          yield* mark(org, fingerprints, (environment) => meant.has(environment))
        })
    }
  })
)
