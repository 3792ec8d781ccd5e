/** Whoever changes a journal entry in the database itself is found out, and the entry is named. */
import { Journals } from "@attestry/core/Journals"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

const layer = Journals.Default.pipe(
  Layer.provideMerge(PgLayer.layer),
  Layer.provideMerge(SecretsWebCrypto.layer)
)

it.live("verifies what was recorded, and names the first entry that was changed", () =>
  Effect.gen(function* () {
    const journals = yield* Journals
    const { query } = yield* PgLayer.TestDatabase
    const org = yield* Fixture.org
    const record = (n: number) =>
      journals.record({
        org: org.id,
        kind: "test",
        subject: { type: "test", id: "1" },
        actor: { kind: "system", id: "s", name: "s" },
        at: Fixture.AT,
        content: { n }
      })
    const entries = yield* Effect.forEach(
      Array.from({ length: 5 }, (_, n) => n),
      record
    )
    assert.strictEqual(yield* journals.verify(org.id), 5)
    assert.strictEqual(yield* journals.verify((yield* Fixture.org).id), 0)
    yield* query("update journal set content = $1 where sequence = $2", [
      Buffer.from('{"n":99}'),
      entries[2]?.sequence
    ])
    const damaged = yield* Effect.flip(journals.verify(org.id))
    assert.strictEqual(damaged._tag, "JournalDamaged")
    if (damaged._tag === "JournalDamaged") {
      assert.strictEqual(damaged.sequence, entries[2]?.sequence)
    }
  }).pipe(Effect.provide(layer))
)
