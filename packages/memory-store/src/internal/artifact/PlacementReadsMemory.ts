/** Placements of `ReadModels` in memory: scans every snapshot of every environment. */

import { type Fingerprint, isKnown, startsWith } from "@attestry/core/Fingerprint"
import type { OrgId } from "@attestry/core/Identifier"
import type { Placement, Run } from "@attestry/core/Placement"
import type { ReadModels } from "@attestry/core/ReadModels"
import { compareText } from "@attestry/core/RunningRow"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { environments } from "../environment/EnvironmentRowsMemory.js"
import { MemoryState } from "../shared/MemoryState.js"
import { type History, histories } from "../snapshot/SnapshotStoreMemory.js"

/** Each start and each exit of an artifact in a history. */
const runsOf = (history: History, fingerprint: Fingerprint): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  for (const { draft, running } of history) {
    const last = runs.at(-1)
    const isOpen = last !== undefined && last.exited === null
    const isRunning = running.some((row) => row.fingerprint === fingerprint)
    const moment = { index: draft.index, at: draft.timestamp }
    if (isRunning && !isOpen) runs.push({ started: moment, exited: null })
    if (!isRunning && isOpen) runs[runs.length - 1] = { ...last, exited: moment }
  }
  return runs
}

/** Placements of `ReadModels` in memory. */
export const make: Effect.Effect<
  Pick<ReadModels["Type"], "placements" | "placedFingerprints" | "placedRows">,
  never,
  MemoryState
> = Effect.map(MemoryState, (state) => {
  const historiesOf = (org: OrgId) =>
    Effect.gen(function* () {
      const snapshots = yield* state.read(histories)
      return Array.from(yield* state.read(environments)).flatMap(([at, { environment }]) =>
        environment.org_id === org
          ? [{ environment, history: Option.getOrElse(HashMap.get(snapshots, at), () => []) }]
          : []
      )
    })

  return {
    placements: (org, fingerprints) =>
      Effect.map(historiesOf(org), (all) =>
        [...new Set(fingerprints)].sort(compareText).flatMap((fingerprint) =>
          all
            .flatMap(({ environment, history }): ReadonlyArray<Placement> => {
              const runs = runsOf(history, fingerprint)
              return Arr.isNonEmptyReadonlyArray(runs)
                ? [
                    {
                      fingerprint,
                      environment: environment.id,
                      environmentName: environment.name,
                      isArchived: environment.archived_at !== null,
                      currentIndex: history.length,
                      runs
                    }
                  ]
                : []
            })
            .sort(
              (left, right) =>
                compareText(left.environmentName, right.environmentName) ||
                compareText(left.environment, right.environment)
            )
        )
      ),
    placedFingerprints: ({ environments: wanted, org, prefix, limit }) =>
      Effect.map(historiesOf(org), (all) => {
        const known = all
          .filter(({ environment }) => environment.archived_at === null)
          .filter(({ environment }) => wanted === undefined || wanted.includes(environment.id))
          .flatMap(({ history }) => history.flatMap(({ running }) => running))
          .map(({ fingerprint }) => fingerprint)
          .filter(isKnown)
        return [...new Set(known)]
          .filter((fingerprint) => startsWith(fingerprint, prefix))
          .sort(compareText)
          .slice(0, limit)
      }),
    placedRows: (org, keys) =>
      Effect.map(historiesOf(org), (all) =>
        keys.flatMap(({ environment: id, fingerprint, index }) =>
          all
            .filter(({ environment }) => environment.id === id)
            .flatMap(({ history }) => history[index - 1]?.running ?? [])
            .filter((row) => row.fingerprint === fingerprint)
            .map(({ name, verdict }) => ({ environment: id, index, fingerprint, name, verdict }))
        )
      )
  }
})
