/** `ReadModels` in memory, from the parts of the features. */
import type { EnvironmentRef } from "@attestry/core/Environment"
import { slice } from "@attestry/core/Page"
import { ReadModels } from "@attestry/core/ReadModels"
import type { RecentVerdicts } from "@attestry/core/SnapshotStore"
import type * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PlacementReadsMemory from "../artifact/PlacementReadsMemory.js"
import * as BuildReadsMemory from "../build/BuildReadsMemory.js"
import * as DeploymentReadsMemory from "../deployment/DeploymentReadsMemory.js"
import * as ExposureReadsMemory from "../exposure/ExposureReadsMemory.js"
import * as GraphReadsMemory from "../exposure/GraphReadsMemory.js"
import { MemoryState } from "../shared/MemoryState.js"
import { type History, histories, indexOf, keyOfRef } from "./SnapshotStoreMemory.js"

/** The newest snapshot of a history, and its verdicts since an instant. */
const recentOf = (history: History, since: Timestamp.Timestamp): Option.Option<RecentVerdicts> =>
  Option.map(Option.fromNullable(history.at(-1)), ({ draft: latest }) => {
    const { index, timestamp, verdict, counts } = latest
    const other = history.reduce(
      (last, { draft }, at) => (draft.verdict === verdict ? last : at),
      -1
    )
    const inForce = indexOf(history, { _tag: "AtInstant", instant: since })
    return {
      latest: { index, timestamp, verdict, counts },
      verdictSince: history[other + 1]?.draft.timestamp ?? timestamp,
      runs: history
        .slice(Math.max(0, inForce - 1))
        .flatMap(({ draft }, at, all) =>
          all[at - 1]?.draft.verdict === draft.verdict
            ? []
            : [{ from: draft.timestamp, verdict: draft.verdict }]
        )
    }
  })

/** `ReadModels` in memory. */
export const layer: Layer.Layer<ReadModels, never, MemoryState> = Layer.effect(
  ReadModels,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const historyOf = (ref: EnvironmentRef): Effect.Effect<History> =>
      Effect.map(state.read(histories), (rows) =>
        Option.getOrElse(HashMap.get(rows, keyOfRef(ref)), (): History => [])
      )
    return ReadModels.of({
      recentVerdicts: (org, environments, since) =>
        Effect.map(
          Effect.forEach(environments, (environment) => historyOf({ org, environment })),
          (found) =>
            new Map(
              found.flatMap((history, at) => {
                const environment = environments[at]
                const recent = Option.getOrUndefined(recentOf(history, since))
                return environment === undefined || recent === undefined
                  ? []
                  : [[environment, recent] as const]
              })
            )
        ),
      timelineSnapshots: (ref, { from, to }) =>
        Effect.map(historyOf(ref), (history) => {
          const inForce = indexOf(history, { _tag: "AtInstant", instant: from })
          return history
            .slice(Math.max(0, inForce - 1))
            .map(({ draft: { index, timestamp, verdict } }) => ({ index, timestamp, verdict }))
            .filter(({ timestamp }) => timestamp < to)
        }),
      evaluatedRows: (org, environments) =>
        Effect.map(
          Effect.forEach(environments, (environment) =>
            Effect.map(historyOf({ org, environment }), (history) =>
              (history.at(-1)?.running ?? []).map(({ decisions, verdict }) => ({
                environment,
                verdict,
                decisions,
                rows: 1
              }))
            )
          ),
          (found) => found.flat()
        ),
      groupedRows: (ref, index, page) =>
        Effect.map(historyOf(ref), (history) => {
          const rows = history[index - 1]?.listed ?? []
          return {
            page: slice(rows, page).items.map(({ name, fingerprint }) => ({ name, fingerprint })),
            groups: rows.map(({ verdict, decisions, annotation }) => ({
              verdict,
              decisions,
              rows: 1,
              isExited: annotation.type === "exited"
            }))
          }
        }),
      ...(yield* ExposureReadsMemory.make),
      ...(yield* GraphReadsMemory.make),
      ...(yield* DeploymentReadsMemory.make),
      ...(yield* BuildReadsMemory.make),
      ...(yield* PlacementReadsMemory.make)
    })
  })
)
