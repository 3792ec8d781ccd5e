/** Entries that become leaves in the order of their numbers leave nothing in `log_late`. */
import { JournalStore } from "@attestry/core/JournalStore"
import { LogSequencer } from "@attestry/core/LogSequencer"
import * as Fixture from "@attestry/core/testing/Fixture"
import { layerSecrets } from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

const services = LogSequencer.Default.pipe(
  Layer.provide(layerSecrets),
  Layer.provideMerge(PgLayer.layer)
)

layer(services, { excludeTestServices: true })("late leaves", (it) => {
  it.effect("keeps nothing as late where entries come in the order of their numbers", () =>
    Effect.gen(function* () {
      const { id: org } = yield* Fixture.org
      const sequencer = yield* LogSequencer
      const { query } = yield* PgLayer.TestDatabase
      yield* sequencer.start(org, "o")
      const draft = {
        org_id: org,
        kind: "k",
        subject: { type: "flow", id: "a" },
        actor: { kind: "user" as const, id: "u", name: "anna" },
        at: Fixture.AT,
        content: "{}",
        digest: "0".repeat(64)
      }
      for (let round = 0; round < 3; round++) {
        yield* (yield* JournalStore).appendAll([draft, draft])
        yield* sequencer.integrate(org)
      }
      const late = yield* query("select 1 from attestry.log_late where org_id = $1", [org])
      assert.deepStrictEqual(late, [])
    })
  )
})
