/** The memory store is the model: PostgreSQL answers every sequence of requests as it does. */
import type { Ports } from "@attestry/core/Ports"
import { commands } from "@attestry/core/testing/Command"
import * as Fixture from "@attestry/core/testing/Fixture"
import type { UseCases } from "@attestry/core/UseCases"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import { layer } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Context, Effect, Layer, type Runtime } from "effect"
import { lengthForRun } from "../../core/test/shared/Effort.js"
import * as CommandPlayer from "./shared/CommandPlayer.js"
import * as PgLayer from "./shared/PgLayer.js"
import * as UseCaseLayer from "./shared/UseCaseLayer.js"

const SEQUENCES = lengthForRun({ quick: 4, full: 10, deep: 1_000 })
const COMMANDS = 40

type Store = Runtime.Runtime<UseCases | Ports>

class Stores extends Context.Tag("@attestry/sql-store/test/Stores")<
  Stores,
  { readonly memory: Store; readonly sql: Store }
>() {}

const runtimeOf = <E>(store: Layer.Layer<Ports, E>) =>
  Layer.toRuntime(UseCaseLayer.layer(store, CommandPlayer.layerCountedIds))

const stores = Layer.scoped(
  Stores,
  Effect.all({ memory: runtimeOf(MemoryStore.layer), sql: runtimeOf(PgLayer.layer) })
)

layer(stores, { excludeTestServices: true })("memory and PostgreSQL", (it) => {
  it.effect.prop(
    `give the same answers and keep the same journal, over ${COMMANDS} requests`,
    { sequence: commands(COMMANDS) },
    ({ sequence }) =>
      Effect.gen(function* () {
        const { memory, sql } = yield* Stores
        const orgs = yield* Effect.all([Fixture.newOrg, Fixture.newOrg])
        const play = CommandPlayer.play(orgs, sequence)
        deepStrictEqual(yield* Effect.provide(play, sql), yield* Effect.provide(play, memory))
      }),
    { timeout: 1_200_000, fastCheck: { numRuns: SEQUENCES } }
  )
})
