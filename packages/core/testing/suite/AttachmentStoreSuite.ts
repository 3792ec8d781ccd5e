/** The contract of `AttachmentStore`. */
import { AttachmentStore, CHUNK_BYTES_MAX } from "@attestry/core/AttachmentStore"
import { Fingerprint } from "@attestry/core/Fingerprint"
import type { OrgId } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const fingerprint = Fingerprint.make("a".repeat(64))

const bytesOf = (size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, index) => (index * 7) % 251)

const read = (org: OrgId) =>
  Effect.gen(function* () {
    const store = yield* AttachmentStore
    const pieces = Array.from(yield* Stream.runCollect(store.read({ org, fingerprint })))
    return pieces.flatMap((piece) => Array.from(piece))
  })

/** States the contract of `AttachmentStore`. */
export const attachmentStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`AttachmentStore (${name})`, ports, options, (it) => {
    it.effect("returns the bytes, for any pieces", () =>
      Effect.gen(function* () {
        const store = yield* AttachmentStore
        for (const size of [0, 1, CHUNK_BYTES_MAX, CHUNK_BYTES_MAX + 1]) {
          const { id: org } = yield* Fixture.org
          const bytes = bytesOf(size)
          const pieces = [bytes.subarray(0, 100), bytes.subarray(100)]
          yield* store.put({ org, fingerprint }, Stream.fromIterable(pieces))
          assert.deepStrictEqual(yield* read(org), Array.from(bytes))
        }
      })
    )

    it.effect("does not read a content that exists, and separates orgs", () =>
      Effect.gen(function* () {
        const store = yield* AttachmentStore
        const { id: org } = yield* Fixture.org
        yield* store.put({ org, fingerprint }, Stream.succeed(bytesOf(3)))
        yield* store.put({ org, fingerprint }, Stream.die("read again"))
        assert.strictEqual((yield* read(org)).length, 3)
        assert.deepStrictEqual(yield* read((yield* Fixture.org).id), [])
      })
    )

    it.effect("erases a content of one org, which can be put again", () =>
      Effect.gen(function* () {
        const store = yield* AttachmentStore
        const [{ id: org }, { id: other }] = [yield* Fixture.org, yield* Fixture.org]
        yield* store.erase({ org, fingerprint })
        for (const each of [org, other])
          yield* store.put({ org: each, fingerprint }, Stream.succeed(bytesOf(3)))
        yield* store.erase({ org, fingerprint })
        assert.deepStrictEqual(yield* read(org), [])
        assert.isFalse(yield* store.has({ org, fingerprint }))
        assert.isTrue(yield* store.has({ org: other, fingerprint }))
        assert.strictEqual((yield* read(other)).length, 3)
        yield* store.put({ org, fingerprint }, Stream.succeed(bytesOf(2)))
        assert.strictEqual((yield* read(org)).length, 2)
      })
    )

    it.effect("stores nothing of a content whose stream fails", () =>
      Effect.gen(function* () {
        const store = yield* AttachmentStore
        const { run } = yield* Transaction
        const { id: org } = yield* Fixture.org
        const broken = Stream.concat(Stream.succeed(bytesOf(9)), Stream.fail("cut"))
        const outcome = yield* Effect.either(
          run(org, () => store.put({ org, fingerprint }, broken))
        )
        assert.strictEqual(outcome._tag, "Left")
        assert.deepStrictEqual(yield* read(org), [])
        yield* store.put({ org, fingerprint }, Stream.succeed(bytesOf(5)))
        assert.strictEqual((yield* read(org)).length, 5)
      })
    )
  })
