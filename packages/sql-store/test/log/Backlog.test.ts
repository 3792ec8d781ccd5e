/** A log that begins after its journal takes every entry of it. */
import { JournalStore } from "@attestry/core/JournalStore"
import { LogSequencer } from "@attestry/core/LogSequencer"
import { LogStore } from "@attestry/core/LogStore"
import * as Fixture from "@attestry/core/testing/Fixture"
import { layerSecrets } from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

const services = LogSequencer.Default.pipe(
  Layer.provide(layerSecrets),
  Layer.provideMerge(PgLayer.layer)
)

const SIZE = 2_500

layer(services, { excludeTestServices: true, timeout: "120 seconds" })("LogSequencer", (it) => {
  it.effect("L-18: takes a whole journal that began before its log, in batches", () =>
    Effect.gen(function* () {
      const { id: org } = yield* Fixture.org
      const [store, sequencer] = [yield* LogStore, yield* LogSequencer]
      const { query } = yield* PgLayer.TestDatabase
      yield* (yield* JournalStore).appendAll(
        Array.from({ length: SIZE }, (_, place) => ({
          org_id: org,
          kind: "k",
          subject: { type: "flow", id: `s${place % 5}` },
          actor: { kind: "user" as const, id: "u", name: "anna" },
          at: Fixture.AT,
          content: `{"place":${place}}`,
          digest: "0".repeat(64)
        }))
      )
      const [counted] = yield* query(
        "select count(*)::int4 as n from attestry.journal where org_id = $1",
        [org]
      )
      yield* sequencer.start(org, "o")
      yield* sequencer.start(org, "o")
      const sizes: Array<number> = []
      for (let isPart = true; isPart; ) {
        const done = yield* sequencer.integrate(org)
        sizes.push(done.added)
        isPart = done.isPart
      }
      const tree = Option.getOrThrow(yield* store.find(org))
      const entries = Number(counted?.n)
      assert.strictEqual(tree.edge.size, entries)
      assert.deepStrictEqual(sizes.slice(0, 2), [1_024, 1_024])
    })
  )
})
