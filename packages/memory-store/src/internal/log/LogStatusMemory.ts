/** The status of logs of `LogStore` in memory. */
import * as CheckpointThinning from "@attestry/core/CheckpointThinning"
import type { OrgId } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import type { LogCheckpoint, LogTree } from "@attestry/core/Log"
import type { Cosignature, LogScrub, LogStore } from "@attestry/core/LogStore"
import { OrgStore } from "@attestry/core/OrgStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import { key, MemoryState, table } from "../shared/MemoryState.js"

const trees = table<LogTree>("log_tree")
const scrubs = table<LogScrub>("log_scrub")
const publicLogs = table<OrgId>("public_log")
const checkpoints = table<LogCheckpoint>("log_checkpoint")
const cosignatures = table<Cosignature>("log_cosignature")

/** The status of logs of `LogStore` in memory. */
export const make: Effect.Effect<
  Pick<
    LogStore["Type"],
    | "countPending"
    | "findScrub"
    | "listScrubs"
    | "putScrub"
    | "isPublic"
    | "putPublic"
    | "listPublic"
    | "thinCheckpoints"
  >,
  never,
  MemoryState | JournalStore | OrgStore
> = Effect.gen(function* () {
  const state = yield* MemoryState
  const journal = yield* JournalStore
  const orgs = yield* OrgStore

  return {
    countPending: ({ org_id: org, horizon, done }, most) =>
      Effect.map(journal.listAfter({ org, after: horizon, limit: most + done.length }), (rows) =>
        Math.min(most, rows.filter(({ sequence }) => !done.includes(sequence)).length)
      ),
    findScrub: (org) => Effect.map(state.read(scrubs), (rows) => HashMap.get(rows, org)),
    listScrubs: Effect.gen(function* () {
      const all = HashMap.values(yield* state.read(trees))
      const scrubbed = yield* state.read(scrubs)
      const sizes = new Map<OrgId, number>()
      for (const { org_id, edge } of all) sizes.set(org_id, (sizes.get(org_id) ?? 0) + edge.size)
      return Array.from(yield* orgs.list, ({ id }) => ({
        org_id: id,
        size: sizes.get(id) ?? 0,
        scrub: HashMap.get(scrubbed, id)
      }))
    }),
    putScrub: (org, scrub) =>
      state.modify(scrubs, (rows) => [undefined, HashMap.set(rows, org, scrub)]),
    isPublic: (org) => Effect.map(state.read(publicLogs), (rows) => HashMap.has(rows, org)),
    putPublic: (org, isPublic) =>
      state.modify(publicLogs, (rows) => [
        undefined,
        isPublic ? HashMap.set(rows, org, org) : HashMap.remove(rows, org)
      ]),
    listPublic: Effect.map(state.read(publicLogs), (rows) => [...HashMap.values(rows)].sort()),
    thinCheckpoints: (org, thinning) =>
      state.transaction(() =>
        Effect.gen(function* () {
          const prefix = `${key(org, "")}`
          const own = Array.from(yield* state.read(checkpoints)).filter(([place]) =>
            place.startsWith(prefix)
          )
          const lines = Array.from(yield* state.read(cosignatures)).filter(([place]) =>
            place.startsWith(prefix)
          )
          const newest = new Map<string, number>()
          for (const [, { epoch, key_id, size }] of lines) {
            const at = `${epoch} ${key_id}`
            newest.set(at, Math.max(newest.get(at) ?? 0, size))
          }
          const isNewest = (epoch: number, size: number) =>
            [...newest].some(([at, last]) => at.startsWith(`${epoch} `) && last === size)
          const gone = new Set(
            CheckpointThinning.thinned(
              own.map(([, checkpoint]) => checkpoint),
              thinning
            )
              .filter(({ epoch, size }) => !isNewest(epoch, size))
              .map(({ epoch, size }) => `${epoch} ${size}`)
          )
          const isGone = ({ epoch, size }: { readonly epoch: number; readonly size: number }) =>
            gone.has(`${epoch} ${size}`)
          yield* state.modify(checkpoints, (rows) => [
            undefined,
            HashMap.filter(rows, (row, place) => !(place.startsWith(prefix) && isGone(row)))
          ])
          yield* state.modify(cosignatures, (rows) => [
            undefined,
            HashMap.filter(rows, (row, place) => !(place.startsWith(prefix) && isGone(row)))
          ])
          return gone.size
        })
      )
  }
})
