/** Cosignatures of `LogStore` in memory. */

import type { LogCheckpoint } from "@attestry/core/Log"
import type { Cosignature, LogStore, TreeKey } from "@attestry/core/LogStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { key, MemoryState, table } from "../shared/MemoryState.js"

const cosignatures = table<Cosignature>("log_cosignature")
const checkpoints = table<LogCheckpoint>("log_checkpoint")

/** Cosignatures of `LogStore` in memory. */
export const make: Effect.Effect<
  Pick<
    LogStore["Type"],
    "insertCosignature" | "listCosignatures" | "newestCosignedSize" | "listCosigned"
  >,
  never,
  MemoryState
> = Effect.gen(function* () {
  const state = yield* MemoryState
  const of = ({ org_id, epoch }: TreeKey) =>
    Effect.map(state.read(cosignatures), (rows) =>
      Array.from(rows)
        .filter(([place]) => place.startsWith(`${key(org_id, epoch)}\u0001`))
        .map(([, row]) => row)
        .sort(
          (left, right) =>
            left.size - right.size ||
            (`${left.witness} ${left.key_id}` < `${right.witness} ${right.key_id}` ? -1 : 1)
        )
    )
  const linesOf = (tree: TreeKey, size: number) =>
    Effect.map(of(tree), (rows) => rows.filter((row) => row.size === size).map(({ line }) => line))
  return {
    insertCosignature: (org, row) =>
      state.modify(cosignatures, (rows) => {
        const place = key(org, row.epoch, row.size, row.key_id)
        return [undefined, HashMap.has(rows, place) ? rows : HashMap.set(rows, place, row)]
      }),
    listCosignatures: (tree, { after, upTo }) =>
      Effect.map(of(tree), (rows) => rows.filter(({ size }) => size > after && size <= upTo)),
    newestCosignedSize: (tree, keyId) =>
      Effect.map(of(tree), (rows) =>
        Math.max(0, ...rows.filter(({ key_id }) => key_id === keyId).map(({ size }) => size))
      ),
    listCosigned: (tree, limit) =>
      Effect.gen(function* () {
        const sizes = [...new Set((yield* of(tree)).map(({ size }) => size))]
        const all = yield* state.read(checkpoints)
        return yield* Effect.forEach(
          sizes
            .sort((left, right) => right - left)
            .flatMap((size) => Option.toArray(HashMap.get(all, key(tree.org_id, tree.epoch, size))))
            .slice(0, limit),
          (checkpoint) =>
            Effect.map(linesOf(tree, checkpoint.size), (lines) => ({ checkpoint, lines }))
        )
      })
  }
})
