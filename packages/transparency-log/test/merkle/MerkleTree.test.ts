/** Trees that grow have the roots of RFC 6962, and full tiles get their nodes. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Base64 from "../../src/bytes/Base64.js"
import * as MerkleTree from "../../src/merkle/MerkleTree.js"
import { mth, mthOfBeginnings } from "./MerkleModel.js"
import * as SmallTrees from "./SmallTrees.js"

/** Trees of a normal run and of a deep one. */
const LARGE_TREES = process.env.ATTESTRY_DEEP === undefined ? 1 : 3

describe("MerkleTree", () => {
  it("LOG-1: has the root of the recursive definition at every size up to 1,100", () => {
    const rootOf = mthOfBeginnings(SmallTrees.entries(1_100))
    let edge = MerkleTree.EMPTY
    for (let size = 0; size <= 1_100; size++) {
      assert.deepStrictEqual(MerkleTree.root(edge), rootOf(size))
      assert.strictEqual(edge.hashes.length, MerkleTree.edgeLength(size))
      edge = MerkleTree.append(edge, [MerkleTree.leafHash(SmallTrees.entry(size))]).edge
    }
  })

  it("LOG-1: is compared with a definition that says the same of every size at once", () => {
    const rootOf = mthOfBeginnings(SmallTrees.entries(70))
    for (let size = 0; size <= 70; size++)
      assert.deepStrictEqual(rootOf(size), mth(SmallTrees.entries(size)))
  })

  it.prop(
    "LOG-1: does not depend on how leaves were added",
    { sizes: FastCheck.array(FastCheck.nat(300), { maxLength: 5 }) },
    ({ sizes }) => {
      const total = sizes.reduce((sum, size) => sum + size, 0)
      const all = SmallTrees.leaves(total)
      let edge = MerkleTree.EMPTY
      for (const size of sizes) {
        const read = MerkleTree.readEdge(edge.size, MerkleTree.printEdge(edge))
        edge = MerkleTree.append(read, all.slice(edge.size, edge.size + size)).edge
      }
      assert.deepStrictEqual(edge, MerkleTree.append(MerkleTree.EMPTY, all).edge)
    },
    { fastCheck: { numRuns: 20 } }
  )

  it.prop(
    "LOG-1: has the root of the recursive definition at larger sizes",
    { size: FastCheck.integer({ min: 1_101, max: 70_000 }) },
    ({ size }) => {
      const { edge } = MerkleTree.append(MerkleTree.EMPTY, SmallTrees.leaves(size))
      assert.deepStrictEqual(MerkleTree.root(edge), mth(SmallTrees.entries(size)))
    },
    { fastCheck: { numRuns: LARGE_TREES } }
  )

  it("gives the node above each full tile, once", () => {
    const { nodes } = MerkleTree.append(MerkleTree.EMPTY, SmallTrees.leaves(1_030))
    assert.deepStrictEqual(
      nodes.map(({ level, index }) => [level, index]),
      [
        [1, 0],
        [1, 1],
        [1, 2],
        [1, 3]
      ]
    )
    for (const { level, index, hash } of nodes) {
      assert.deepStrictEqual(hash, SmallTrees.read({ level: level * 8, index }))
    }
  })

  it("LOG-4: has no node that is a leaf, nor a leaf that is a node", () => {
    const [left, right] = [
      SmallTrees.read({ level: 0, index: 0 }),
      SmallTrees.read({ level: 0, index: 1 })
    ]
    const both = Uint8Array.from([...left, ...right])
    assert.notDeepEqual(MerkleTree.leafHash(both), MerkleTree.nodeHash(left, right))
  })

  it("has the empty root of RFC 6962", () =>
    assert.strictEqual(
      Base64.encodeHex(MerkleTree.root(MerkleTree.EMPTY)),
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    ))

  it("cuts runs up to the largest size into complete subtrees", () => {
    const size = MerkleTree.SIZE_MAX
    const subtrees = MerkleTree.subtreesOf({ begin: 0, end: size })
    assert.strictEqual(subtrees.length, 53)
    assert.strictEqual(
      subtrees.reduce((sum, { level }) => sum + 2 ** level, 0),
      size
    )
  })
})
