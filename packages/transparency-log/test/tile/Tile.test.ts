/** Tiles have one path each, and give out no hash that was not checked against the root. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Either, FastCheck, Option } from "effect"
import * as MerkleProof from "../../src/merkle/MerkleProof.js"
import * as MerkleTree from "../../src/merkle/MerkleTree.js"
import * as EntryBundle from "../../src/tile/EntryBundle.js"
import * as Tile from "../../src/tile/Tile.js"
import * as SmallTrees from "../merkle/SmallTrees.js"

const tiles = FastCheck.record({
  level: FastCheck.nat(63),
  index: FastCheck.oneof(
    FastCheck.nat(2_000_000),
    FastCheck.nat(999),
    FastCheck.constantFrom(0, 999, 1_000, 1_234_067, Math.floor(MerkleTree.SIZE_MAX / 256))
  ),
  width: FastCheck.integer({ min: 1, max: 256 })
})

describe("Tile.print, Tile.parse", () => {
  it.prop("LOG-5: reads back what it wrote", { tile: tiles }, ({ tile }) =>
    deepStrictEqual(Tile.parse(Tile.print(tile)), Option.some(tile))
  )

  it("has the paths of C2SP", () => {
    assert.strictEqual(
      Tile.print({ level: 0, index: 1_234_067, width: 256 }),
      "tile/0/x001/x234/067"
    )
    assert.strictEqual(Tile.print({ level: 1, index: 0, width: 17 }), "tile/1/000.p/17")
    assert.strictEqual(Tile.printEntries({ index: 273, width: 112 }), "tile/entries/273.p/112")
  })

  it.each([
    "tile/0/67",
    "tile/0/x000/067",
    "tile/00/067",
    "tile/64/067",
    "tile/-1/067",
    "tile/0/x001/234/067",
    "tile/0/067.p/0",
    "tile/0/067.p/01",
    "tile/0/067.p/256",
    "tile/0/067.p/",
    "tile/0/067/",
    "tile/0/X001/067",
    "tile/0/x035/x184/x372/x088/833",
    "tiles/0/067",
    "tile/0/067?",
    ""
  ])("LOG-5: refuses %s", (path) => assert.isTrue(Option.isNone(Tile.parse(path))))

  it.prop("never throws", { text: FastCheck.string() }, ({ text }) => {
    Tile.parse(text)
    Tile.parse(`tile/0/${text}`)
  })
})

describe("Tile.within", () => {
  it("has the tiles of the example of C2SP for 70,000 leaves", () => {
    const size = 70_000
    assert.strictEqual(Tile.within(size, { level: 0, index: 272 }).width, 256)
    assert.strictEqual(Tile.within(size, { level: 0, index: 273 }).width, 112)
    assert.strictEqual(Tile.within(size, { level: 1, index: 0 }).width, 256)
    assert.strictEqual(Tile.within(size, { level: 1, index: 1 }).width, 17)
    assert.strictEqual(Tile.within(size, { level: 2, index: 0 }).width, 1)
    assert.strictEqual(Tile.within(size, { level: 3, index: 0 }).width, 0)
    assert.strictEqual(Tile.within(size, { level: 0, index: 274 }).width, 0)
  })
})

describe("Tile.authenticate", () => {
  const sizes = FastCheck.integer({ min: 1, max: 1_100 })
  const asked = sizes.chain((size) =>
    FastCheck.record({
      size: FastCheck.constant(size),
      index: FastCheck.nat(size - 1),
      from: FastCheck.nat(size)
    })
  )
  const runs = { fastCheck: { numRuns: 25 } }

  it.prop(
    "LOG-6: gives the proofs that leaves give",
    { asked },
    ({ asked: { size, index, from } }) => {
      const wanted = [
        MerkleProof.inclusionRuns({ index, size }),
        MerkleProof.consistencyRuns({ from, to: size })
      ]
      const read = Tile.authenticate(
        { size, root: SmallTrees.root(size) },
        Tile.needed(size, MerkleProof.subtreesFor(wanted.flat())).map(SmallTrees.tile)
      )
      assert.isTrue(Either.isRight(read))
      if (Either.isRight(read)) {
        for (const each of wanted) {
          assert.deepStrictEqual(
            MerkleProof.hashesOf(each, read.right),
            MerkleProof.hashesOf(each, SmallTrees.read)
          )
        }
      }
    },
    runs
  )

  it.prop(
    "LOG-9: refuses a bit that was changed in any tile",
    { asked, bit: FastCheck.nat(), place: FastCheck.nat() },
    ({ asked: { size, index }, bit, place }) => {
      const subtrees = MerkleProof.subtreesFor(MerkleProof.inclusionRuns({ index, size }))
      const given = Tile.needed(size, subtrees).map(SmallTrees.tile)
      const chosen = place % given.length
      const altered = given.map((each, at) => ({
        tile: each.tile,
        hashes: each.hashes.map((hash, offset) =>
          at === chosen && offset === bit % each.hashes.length
            ? SmallTrees.flipped(hash, bit % 32)
            : hash
        )
      }))
      assert.isTrue(
        Either.isLeft(Tile.authenticate({ size, root: SmallTrees.root(size) }, altered))
      )
    },
    runs
  )

  it("LOG-9: refuses a tile that is missing, narrow, or without its parent", () => {
    const size = 600
    const root = SmallTrees.root(size)
    const given = Tile.needed(size, [{ level: 0, index: 3 }]).map(SmallTrees.tile)
    assert.isTrue(Either.isRight(Tile.authenticate({ size, root }, given)))
    for (let place = 0; place < given.length; place++) {
      const less = given.filter((_, at) => at !== place)
      const result = Tile.authenticate({ size, root }, less)
      const only = given[place]?.tile
      assert.isTrue(
        only?.level === 0 && only.width === 256 ? Either.isRight(result) : Either.isLeft(result)
      )
      const narrow = given.map(({ tile, hashes }, at) =>
        at === place ? { tile, hashes: hashes.slice(1) } : { tile, hashes }
      )
      assert.isTrue(Either.isLeft(Tile.authenticate({ size, root }, narrow)))
    }
  })

  it("reads at most a few tiles for a proof in a tree of ten million leaves", () => {
    const size = 10_000_000
    for (const index of [0, 5_000_000, size - 1]) {
      const subtrees = MerkleProof.subtreesFor(MerkleProof.inclusionRuns({ index, size }))
      assert.isAtMost(Tile.needed(size, subtrees).length, 10)
    }
  })
})

describe("EntryBundle", () => {
  const bundle = FastCheck.array(FastCheck.uint8Array({ maxLength: 600 }), { maxLength: 20 })

  it.prop("reads back what it wrote, and refuses a part of it", { bundle }, ({ bundle: given }) => {
    const bytes = EntryBundle.print(given)
    deepStrictEqual(
      Option.map(EntryBundle.parse(bytes), (read) => read.map((each) => [...each])),
      Option.some(given.map((each) => [...each]))
    )
    if (given.length > 0) {
      const cut = EntryBundle.parse(bytes.slice(0, -1))
      assert.isTrue(Option.isNone(cut) || (given.at(-1)?.byteLength ?? 0) === 0)
    }
  })

  it("writes lengths big-endian", () =>
    assert.deepStrictEqual([...EntryBundle.print([new Uint8Array(258)]).slice(0, 2)], [1, 2]))
})
