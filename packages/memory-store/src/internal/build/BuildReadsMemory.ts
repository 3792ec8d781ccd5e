/** Builds of `ReadModels` in memory: the record of each fingerprint with the lowest sequence number. */

import type { Artifact } from "@attestry/core/Artifact"
import type { OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { BuildFilter, ReadModels } from "@attestry/core/ReadModels"
import * as TimeWindow from "@attestry/core/TimeWindow"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import { artifacts } from "../artifact/ArtifactStoreMemory.js"
import { MemoryState } from "../shared/MemoryState.js"

const newestFirst = (left: Artifact, right: Artifact): number =>
  right.created_at - left.created_at || (left.fingerprint < right.fingerprint ? -1 : 1)

/** Builds of `ReadModels` in memory. */
export const make: Effect.Effect<
  Pick<ReadModels["Type"], "builds" | "buildInstants">,
  never,
  MemoryState
> = Effect.map(MemoryState, (state) => {
  const listAll = (org: OrgId, filter: BuildFilter) =>
    Effect.map(state.read(artifacts), (trails) => {
      const first = new Map<string, Artifact>()
      for (const record of Array.from(HashMap.values(trails)).flat()) {
        const known = first.get(record.fingerprint)
        if (record.org_id !== org) continue
        if (known === undefined || record.sequence < known.sequence)
          first.set(record.fingerprint, record)
      }
      return [...first.values()]
        .filter(({ created_at }) => TimeWindow.includes(filter, created_at))
        .filter(
          ({ repo_id }) =>
            filter.repos === undefined || filter.repos.some((repo) => repo === repo_id)
        )
        .filter(({ flow_id }) => filter.flows === undefined || filter.flows.includes(flow_id))
        .sort(newestFirst)
    })
  return {
    builds: (org, filter, page) =>
      Effect.map(listAll(org, filter), (found) => Page.slice(found, page)),
    buildInstants: (org, filter) =>
      Effect.map(listAll(org, filter), (found) =>
        found.map(({ created_at }) => created_at).reverse()
      )
  }
})
