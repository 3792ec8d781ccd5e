/** The contracts of `WitnessStore` and `LogStore`. */
import { LogStore, type TreeKey } from "@attestry/core/LogStore"
import type { Ports } from "@attestry/core/Ports"
import { WitnessStore } from "@attestry/core/WitnessStore"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "../Suite.js"

const logOf = (origin: string, size: number, root = `root-${size}`) => ({
  origin,
  size,
  root,
  note: `note of ${root}`
})

const witnessTests = (it: SuiteIt) => {
  it.effect("advances what was cosigned from the size that it has, and from no other", () =>
    Effect.gen(function* () {
      const store = yield* WitnessStore
      const { id: origin } = yield* Fixture.org
      deepStrictEqual(yield* store.find(origin), Option.none())
      assert.isFalse(yield* store.advance(logOf(origin, 5), 3))
      deepStrictEqual(yield* store.find(origin), Option.none())
      assert.isTrue(yield* store.advance(logOf(origin, 5), 0))
      assert.isFalse(yield* store.advance(logOf(origin, 9), 0))
      assert.isTrue(yield* store.advance(logOf(origin, 5), 5))
      assert.isTrue(yield* store.advance(logOf(origin, 9), 5))
      deepStrictEqual(yield* store.find(origin), Option.some(logOf(origin, 9)))
      assert.deepInclude(yield* store.list, logOf(origin, 9))
    })
  )

  it.effect("LOG-20: lets one of several requests that race win, and never goes back", () =>
    Effect.gen(function* () {
      const store = yield* WitnessStore
      const { id: origin } = yield* Fixture.org
      const sizes = [3, 4, 5, 6, 7, 8]
      const won = yield* Effect.forEach(sizes, (size) => store.advance(logOf(origin, size), 0), {
        concurrency: "unbounded"
      })
      assert.strictEqual(won.filter((each) => each).length, 1)
      const winner = sizes[won.indexOf(true)] ?? 0
      deepStrictEqual(yield* store.find(origin), Option.some(logOf(origin, winner)))
    })
  )
}

const cosignatureTests = (it: SuiteIt) => {
  it.effect("keeps the first cosignature of a size and key, and lists what is cosigned", () =>
    Effect.gen(function* () {
      const [store, logs] = [yield* LogStore, yield* LogStore]
      const { id: org } = yield* Fixture.org
      const tree = { org_id: org, epoch: 1 }
      const note = { epoch: 1, signed_at: Fixture.AT, note: "note" }
      for (const size of [5, 7, 9]) yield* logs.insertCheckpoints([{ org_id: org, ...note, size }])
      const row = (size: number, witness: string, line = `${witness} ${size}\n`) => ({
        epoch: 1,
        size,
        witness,
        key_id: `id-${witness}`,
        line,
        at: Fixture.AT
      })
      const linesOf = (of: TreeKey, size: number) =>
        Effect.map(store.listCosignatures(of, { after: size - 1, upTo: size }), (found) =>
          found.map((each) => each.line)
        )
      deepStrictEqual(yield* linesOf(tree, 5), [])
      assert.strictEqual(yield* store.newestCosignedSize(tree, "id-b"), 0)
      for (const each of [row(5, "b"), row(5, "a"), row(7, "a"), row(5, "a", "other\n")])
        yield* store.insertCosignature(org, each)
      deepStrictEqual(yield* linesOf(tree, 5), ["a 5\n", "b 5\n"])
      deepStrictEqual(yield* linesOf({ ...tree, epoch: 2 }, 5), [])
      assert.strictEqual(yield* store.newestCosignedSize(tree, "id-a"), 7)
      assert.strictEqual(yield* store.newestCosignedSize(tree, "id-b"), 5)
      deepStrictEqual(
        (yield* store.listCosigned(tree, 10)).map(({ checkpoint, lines }) => [
          checkpoint.size,
          checkpoint.note,
          ...lines
        ]),
        [
          [7, "note", "a 7\n"],
          [5, "note", "a 5\n", "b 5\n"]
        ]
      )
      assert.strictEqual((yield* store.listCosigned(tree, 1)).length, 1)
      const listed = (after: number, upTo: number) =>
        Effect.map(store.listCosignatures(tree, { after, upTo }), (rows) =>
          rows.map(({ line }) => line)
        )
      deepStrictEqual(yield* listed(0, 9), ["a 5\n", "b 5\n", "a 7\n"])
      deepStrictEqual(yield* listed(5, 7), ["a 7\n"])
      deepStrictEqual(yield* listed(4, 6), ["a 5\n", "b 5\n"])
      deepStrictEqual(yield* listed(7, 9), [])
      deepStrictEqual((yield* store.listCosignatures(tree, { after: 6, upTo: 7 }))[0], row(7, "a"))
      const other = yield* Fixture.org
      deepStrictEqual(yield* store.listCosigned({ org_id: other.id, epoch: 1 }, 10), [])
    })
  )
}

/** The contracts of `WitnessStore` and `LogStore`. */
export const witnessStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`${name}: WitnessStore`, ports, options, (it) => {
    witnessTests(it)
    cosignatureTests(it)
  })
