/** `AllowListStore` in memory: one list per environment. */
import type { AllowListEntry } from "@attestry/core/AllowListEntry"
import { AllowListStore } from "@attestry/core/AllowListStore"
import type { EnvironmentRef } from "@attestry/core/Environment"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { key, MemoryState, table } from "../shared/MemoryState.js"

const lists = table<ReadonlyArray<AllowListEntry>>("allow_list")

const byAge = (left: AllowListEntry, right: AllowListEntry): number =>
  left.created_at - right.created_at || (left.fingerprint < right.fingerprint ? -1 : 1)

/** `AllowListStore` in memory. */
export const layer: Layer.Layer<AllowListStore, never, MemoryState> = Layer.effect(
  AllowListStore,
  Effect.map(MemoryState, (state) => {
    const change = (
      { org, environment }: EnvironmentRef,
      next: (entries: ReadonlyArray<AllowListEntry>) => ReadonlyArray<AllowListEntry>
    ) =>
      state.modify(lists, (rows) => {
        const at = key(org, environment)
        const entries = Option.getOrElse(HashMap.get(rows, at), () => [])
        return [undefined, HashMap.set(rows, at, next(entries))]
      })
    return AllowListStore.of({
      list: ({ org, environment }) =>
        Effect.map(state.read(lists), (rows) =>
          Option.getOrElse(HashMap.get(rows, key(org, environment)), () => [])
        ),
      put: (entry) =>
        change({ org: entry.org_id, environment: entry.environment_id }, (entries) =>
          [...entries.filter(({ fingerprint }) => fingerprint !== entry.fingerprint), entry].sort(
            byAge
          )
        ),
      remove: (ref, fingerprint) =>
        change(ref, (entries) => entries.filter((entry) => entry.fingerprint !== fingerprint))
    })
  })
)
