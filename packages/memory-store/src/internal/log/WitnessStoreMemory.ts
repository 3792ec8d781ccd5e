/** `WitnessStore` and `CosignatureStore` in memory. */
import { type Cosignature, CosignatureStore } from "@attestry/core/CosignatureStore"
import type { LogCheckpoint } from "@attestry/core/Log"
import type { TreeKey } from "@attestry/core/LogStore"
import { type WitnessedLog, WitnessStore } from "@attestry/core/WitnessStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { key, MemoryState, table } from "../shared/MemoryState.js"

const witnessed = table<WitnessedLog>("witness_log")
const cosignatures = table<Cosignature>("log_cosignature")
const checkpoints = table<LogCheckpoint>("log_checkpoint")

const byOrigin = (left: WitnessedLog, right: WitnessedLog): number =>
  left.origin < right.origin ? -1 : 1

const makeWitness = Effect.map(MemoryState, (state) =>
  WitnessStore.of({
    find: (origin) => Effect.map(state.read(witnessed), (rows) => HashMap.get(rows, origin)),
    advance: (log, from) =>
      state.modify(witnessed, (rows) => {
        const known = Option.match(HashMap.get(rows, log.origin), {
          onNone: () => 0,
          onSome: ({ size }) => size
        })
        return known === from ? [true, HashMap.set(rows, log.origin, log)] : [false, rows]
      }),
    list: Effect.map(state.read(witnessed), (rows) => [...HashMap.values(rows)].sort(byOrigin))
  })
)

const makeCosignatures = Effect.gen(function* () {
  const state = yield* MemoryState
  const of = ({ org_id, epoch }: TreeKey) =>
    Effect.map(state.read(cosignatures), (rows) =>
      Array.from(rows)
        .filter(([place]) => place.startsWith(`${key(org_id, epoch)}\u0001`))
        .map(([, row]) => row)
        .sort((left, right) =>
          `${left.witness} ${left.key_id}` < `${right.witness} ${right.key_id}` ? -1 : 1
        )
    )
  const listBySize = (tree: TreeKey, size: number) =>
    Effect.map(of(tree), (rows) => rows.filter((row) => row.size === size).map(({ line }) => line))
  return CosignatureStore.of({
    insertCosignature: (org, row) =>
      state.modify(cosignatures, (rows) => {
        const place = key(org, row.epoch, row.size, row.key_id)
        return [undefined, HashMap.has(rows, place) ? rows : HashMap.set(rows, place, row)]
      }),
    listBySize,
    listCosignatures: (tree, { after, upTo }) =>
      Effect.map(of(tree), (rows) =>
        rows
          .filter(({ size }) => size > after && size <= upTo)
          .sort((left, right) => left.size - right.size || (left.key_id < right.key_id ? -1 : 1))
      ),
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
            Effect.map(listBySize(tree, checkpoint.size), (lines) => ({ checkpoint, lines }))
        )
      })
  })
})

/** Both in memory. */
export const layer: Layer.Layer<WitnessStore | CosignatureStore, never, MemoryState> = Layer.merge(
  Layer.effect(WitnessStore, makeWitness),
  Layer.effect(CosignatureStore, makeCosignatures)
)
