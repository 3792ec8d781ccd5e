/** Keys of a log change: the log says so, both sign for a while, and the old one stays known. */
import { JournalStore } from "@attestry/core/JournalStore"
import { LogCheckpoints } from "@attestry/core/LogCheckpoints"
import { LogKeys } from "@attestry/core/LogKeys"
import { LogSequencer } from "@attestry/core/LogSequencer"
import * as LogSigner from "@attestry/core/LogSigner"
import { LogStore } from "@attestry/core/LogStore"
import { LogVerification } from "@attestry/core/LogVerification"
import * as Fixture from "@attestry/core/testing/Fixture"
import { layerSecrets } from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

/** A process whose key file has these generations. */
const process = (...generations: ReadonlyArray<number>) =>
  LogCheckpoints.Default.pipe(
    Layer.provideMerge(LogKeys.Default),
    Layer.provideMerge(LogSequencer.Default),
    Layer.provide(
      Layer.effect(
        LogSigner.LogSigner,
        LogSigner.fromKeys(
          generations.map((generation) => ({
            generation,
            seed: new Uint8Array(32).fill(generation)
          }))
        )
      ).pipe(Layer.provide(SignaturesWebCrypto.layer))
    ),
    Layer.provide(layerSecrets)
  )

layer(PgLayer.layer, { excludeTestServices: true, timeout: "60 seconds" })("LogKeys", (it) => {
  it.effect("record a rotation, and keep the key that ended", () =>
    Effect.gen(function* () {
      const { id: org } = yield* Fixture.org
      const store = yield* LogStore
      yield* store.start({ org_id: org, origin: `o/${org}`, entryKey: new Uint8Array(16) })
      const publish = (...generations: ReadonlyArray<number>) =>
        Effect.gen(function* () {
          yield* (yield* JournalStore).append({
            org_id: org,
            kind: "k",
            subject: { type: "flow", id: "f" },
            actor: { kind: "user" as const, id: "u", name: "anna" },
            at: Fixture.AT,
            content: "{}",
            digest: "0".repeat(64)
          })
          yield* (yield* LogSequencer).integrate(org)
          assert.strictEqual(yield* (yield* LogCheckpoints).publish(org), "signed")
          const tree = Option.getOrThrow(yield* store.find(org))
          const { note } = Option.getOrThrow(yield* store.findCheckpoint(tree))
          return Option.getOrThrow(SignedNote.parse(note)).signatures.length
        }).pipe(Effect.provide(process(...generations)))
      assert.deepStrictEqual(
        [yield* publish(1), yield* publish(1, 2), yield* publish(2), yield* publish(2)],
        [1, 2, 1, 1]
      )
      const tree = Option.getOrThrow(yield* store.find(org))
      const entries = yield* store.listLogged(tree, { begin: 0, end: 100 })
      const rotations = entries.filter(({ entry }) => entry.kind === "log_key_rotated")
      const told = rotations.map(({ entry }) => JSON.parse(entry.content))
      assert.deepStrictEqual(
        told.map((content) => [content.old.length, content.new.length]),
        [
          [1, 2],
          [2, 1]
        ]
      )
      assert.deepStrictEqual(
        rotations.map(({ leaf }) => leaf.prev),
        [null, rotations[0]?.leaf.index]
      )
      const keys = yield* store.listKeys(org)
      assert.deepStrictEqual(
        keys.map(({ generation, retired_at }) => [generation, retired_at === null]),
        [
          [1, false],
          [2, true]
        ]
      )
      assert.strictEqual(told[1].old[0], keys[0]?.vkey)
      const { findings } = yield* Effect.flatMap(LogVerification, (each) => each.verify(org)).pipe(
        Effect.provide(LogVerification.Default.pipe(Layer.provide(process(2))))
      )
      assert.deepStrictEqual(findings, [], "checkpoints of the key that ended verify")
    })
  )
})
