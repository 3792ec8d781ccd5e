/** Allow-lists of `EnvironmentStore` in memory: one list per environment. */

import type { AllowListEntry } from "@attestry/core/AllowListEntry"
import type { Environment, EnvironmentRef } from "@attestry/core/Environment"
import type { EnvironmentStore, NamedEntry } from "@attestry/core/EnvironmentStore"
import type { AllowedPeriod } from "@attestry/core/HistoryStore"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as HistoryTables from "../history/HistoryTables.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"

const environments = table<{ readonly environment: Environment }>("environment")
const lists = table<ReadonlyArray<AllowListEntry>>("allow_list_entry")

const byAge = (left: AllowListEntry, right: AllowListEntry): number =>
  left.created_at - right.created_at || (left.fingerprint < right.fingerprint ? -1 : 1)

const newestFirst = (left: NamedEntry, right: NamedEntry): number => {
  if (left.entry.created_at !== right.entry.created_at) {
    return right.entry.created_at - left.entry.created_at
  }
  if (left.environment !== right.environment) return left.environment < right.environment ? -1 : 1
  return left.entry.fingerprint < right.entry.fingerprint ? -1 : 1
}

const allowedPeriodOf = (entry: AllowListEntry) => ({
  fingerprint: entry.fingerprint,
  name: entry.name,
  reason: entry.reason,
  created_by: entry.created_by,
  expires_at: entry.expires_at
})

/** Allow-lists of `EnvironmentStore` in memory. */
export const make: Effect.Effect<
  Pick<
    EnvironmentStore["Type"],
    "listAllowed" | "listAllowedOfOrg" | "putAllowed" | "removeAllowed"
  >,
  never,
  MemoryState
> = Effect.map(MemoryState, (state) => {
  const change = (
    { org, environment }: EnvironmentRef,
    next: (entries: ReadonlyArray<AllowListEntry>) => ReadonlyArray<AllowListEntry>
  ) =>
    state.modify(lists, (rows) => {
      const at = key(org, environment)
      const entries = Option.getOrElse(HashMap.get(rows, at), () => [])
      return [undefined, HashMap.set(rows, at, next(entries))]
    })
  const begin = ({ org, environment }: EnvironmentRef, allowance: AllowedPeriod) =>
    HistoryTables.change(state, HistoryTables.allowedPeriods, {
      at: key(org, environment),
      next: (list) => [...list, allowance]
    })

  const end = ({ org, environment }: EnvironmentRef, fingerprint: string, at: Timestamp) =>
    Effect.flatMap(HistoryTables.draw(state, at), (to) =>
      HistoryTables.change(state, HistoryTables.allowedPeriods, {
        at: key(org, environment),
        next: HistoryTables.ending(to, (period) => period.fingerprint === fingerprint)
      })
    )

  return {
    listAllowed: ({ org, environment }) =>
      Effect.map(state.read(lists), (rows) =>
        Option.getOrElse(HashMap.get(rows, key(org, environment)), () => [])
      ),
    listAllowedOfOrg: (org) =>
      Effect.map(Effect.all([state.read(lists), state.read(environments)]), ([rows, stored]) =>
        [...HashMap.values(rows)]
          .flat()
          .flatMap((entry) =>
            Option.match(HashMap.get(stored, key(entry.org_id, entry.environment_id)), {
              onNone: () => [],
              onSome: ({ environment: { org_id, archived_at, name } }) =>
                org_id === org && archived_at === null ? [{ environment: name, entry }] : []
            })
          )
          .sort(newestFirst)
      ),
    putAllowed: (entry) => {
      const ref = { org: entry.org_id, environment: entry.environment_id }
      return Effect.zipRight(
        change(ref, (entries) =>
          [...entries.filter(({ fingerprint }) => fingerprint !== entry.fingerprint), entry].sort(
            byAge
          )
        ),
        Effect.zipRight(
          end(ref, entry.fingerprint, entry.created_at),
          Effect.flatMap(HistoryTables.draw(state, entry.created_at), (from) =>
            begin(ref, { ...allowedPeriodOf(entry), from, to: null })
          )
        )
      )
    },
    removeAllowed: (ref, fingerprint) =>
      state.transaction((now) =>
        Effect.zipRight(
          change(ref, (entries) => entries.filter((entry) => entry.fingerprint !== fingerprint)),
          end(ref, fingerprint, now)
        )
      )
  }
})
