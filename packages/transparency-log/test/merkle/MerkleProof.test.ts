/** Proofs of inclusion and consistency agree with the recursive definitions, and altered ones are refused. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as MerkleMultiproof from "../../src/merkle/MerkleMultiproof.js"
import * as MerkleProof from "../../src/merkle/MerkleProof.js"
import * as MerkleTree from "../../src/merkle/MerkleTree.js"
import * as Model from "./MerkleModel.js"
import * as SmallTrees from "./SmallTrees.js"

const SIZE_MAX = 70

const inclusion = (index: number, size: number): MerkleProof.Inclusion => ({
  index,
  size,
  leaf: SmallTrees.read({ level: 0, index }),
  hashes: MerkleProof.hashesOf(MerkleProof.inclusionRuns({ index, size }), SmallTrees.read)
})

const consistency = (from: number, to: number): MerkleProof.Consistency => ({
  from,
  to,
  fromRoot: SmallTrees.root(from),
  toRoot: SmallTrees.root(to),
  hashes: MerkleProof.hashesOf(MerkleProof.consistencyRuns({ from, to }), SmallTrees.read)
})

const position = FastCheck.integer({ min: 1, max: SIZE_MAX }).chain((size) =>
  FastCheck.record({ size: FastCheck.constant(size), index: FastCheck.nat(size - 1) })
)
const sizes = FastCheck.integer({ min: 0, max: SIZE_MAX }).chain((to) =>
  FastCheck.record({ to: FastCheck.constant(to), from: FastCheck.nat(to) })
)

/** Ways to spoil the hashes of a proof; each changes them unless there are none to change. */
const spoiled = (hashes: ReadonlyArray<Uint8Array>): ReadonlyArray<ReadonlyArray<Uint8Array>> => [
  [...hashes, MerkleTree.EMPTY_ROOT],
  ...(hashes.length === 0 ? [] : [hashes.slice(1), hashes.slice(0, -1)]),
  ...(hashes.length < 2 ? [] : [[...hashes].reverse()]),
  ...hashes.map((_, place) =>
    hashes.map((hash, at) => (at === place ? SmallTrees.flipped(hash) : hash))
  ),
  ...(hashes.length === 0 ? [] : [[new Uint8Array(31), ...hashes.slice(1)]])
]

describe("MerkleProof", () => {
  it.prop(
    "LOG-2: proves every leaf as RFC 6962 does",
    { position },
    ({ position: { index, size } }) => {
      const proof = inclusion(index, size)
      assert.deepStrictEqual(proof.hashes, Model.path(index, SmallTrees.entries(size)))
      assert.isTrue(MerkleProof.verifyInclusion(proof, SmallTrees.root(size)))
    }
  )

  it.prop(
    "LOG-2: refuses another leaf, index, size, root or path",
    { position },
    ({ position: { index, size } }) => {
      const proof = inclusion(index, size)
      const root = SmallTrees.root(size)
      const altered: ReadonlyArray<MerkleProof.Inclusion> = [
        { ...proof, leaf: SmallTrees.flipped(proof.leaf, 31) },
        { ...proof, index: index + 1 },
        { ...proof, index: index - 1 },
        { ...proof, index: size },
        { ...proof, index: index + 0.5 },
        ...spoiled(proof.hashes).map((hashes) => ({ ...proof, hashes }))
      ]
      for (const each of altered) assert.isFalse(MerkleProof.verifyInclusion(each, root))
      assert.isFalse(MerkleProof.verifyInclusion(proof, SmallTrees.flipped(root)))
      assert.isFalse(MerkleProof.verifyInclusion(proof, SmallTrees.root(size + 1)))
    }
  )

  it("LOG-4: refuses an interior node as a leaf", () => {
    const node = SmallTrees.read({ level: 1, index: 0 })
    const hashes = inclusion(0, 4).hashes.slice(1)
    for (const size of [2, 3, 4]) {
      assert.isFalse(
        MerkleProof.verifyInclusion({ index: 0, size, leaf: node, hashes }, SmallTrees.root(4)) &&
          size === 4
      )
    }
  })

  it.prop("LOG-3: proves every growth as RFC 6962 does", { sizes }, ({ sizes: { from, to } }) => {
    const proof = consistency(from, to)
    assert.deepStrictEqual(proof.hashes, Model.proof(from, SmallTrees.entries(to)))
    assert.isTrue(MerkleProof.verifyConsistency(proof))
    if (from === 0 || from === to) assert.deepStrictEqual(proof.hashes, [])
  })

  it.prop("LOG-3: refuses altered proofs of growth", { sizes }, ({ sizes: { from, to } }) => {
    const proof = consistency(from, to)
    const altered: ReadonlyArray<MerkleProof.Consistency> = [
      { ...proof, fromRoot: SmallTrees.flipped(proof.fromRoot) },
      ...(from === 0 ? [] : [{ ...proof, toRoot: SmallTrees.flipped(proof.toRoot) }]),
      { ...proof, from: to + 1 },
      { ...proof, from: -1 },
      ...spoiled(proof.hashes).map((hashes) => ({ ...proof, hashes }))
    ]
    for (const each of altered) assert.isFalse(MerkleProof.verifyConsistency(each))
  })

  it("proves the first and the last leaf of the largest tree in 53 hashes", () => {
    const size = MerkleTree.SIZE_MAX
    assert.strictEqual(MerkleProof.inclusionRuns({ index: 0, size }).length, 53)
    assert.strictEqual(MerkleProof.inclusionRuns({ index: size - 1, size }).length, 52)
  })
})

describe("MerkleMultiproof", () => {
  const wanted = FastCheck.integer({ min: 1, max: SIZE_MAX }).chain((size) =>
    FastCheck.record({
      size: FastCheck.constant(size),
      indexes: FastCheck.uniqueArray(FastCheck.nat(size - 1), { minLength: 1, maxLength: 9 }).map(
        (each) => [...each].sort((a, b) => a - b)
      )
    })
  )
  const multiproof = (
    size: number,
    indexes: ReadonlyArray<number>
  ): MerkleMultiproof.Multiproof => ({
    size,
    leaves: indexes.map((index) => ({ index, hash: SmallTrees.read({ level: 0, index }) })),
    hashes: MerkleMultiproof.prove({ size, indexes }, SmallTrees.read)
  })

  it.prop("LOG-13: proves exactly its leaves", { wanted }, ({ wanted: { size, indexes } }) => {
    const root = SmallTrees.root(size)
    const proof = multiproof(size, indexes)
    assert.isTrue(MerkleMultiproof.verify(proof, root))
    const { leaves, hashes } = proof
    const altered: ReadonlyArray<MerkleMultiproof.Multiproof> = [
      ...spoiled(hashes).map((each) => ({ ...proof, hashes: each })),
      { ...proof, leaves: leaves.slice(1) },
      {
        ...proof,
        leaves: leaves.map(({ index, hash }) => ({ index, hash: SmallTrees.flipped(hash) }))
      },
      ...(leaves.length < 2 ? [] : [{ ...proof, leaves: [...leaves].reverse() }]),
      { ...proof, size: 0 }
    ]
    for (const each of altered) assert.isFalse(MerkleMultiproof.verify(each, root))
  })

  it("is the proof of inclusion for one leaf, by the place of its hashes", () => {
    const size = 11
    for (let index = 0; index < size; index++) {
      assert.sameDeepMembers(
        [...multiproof(size, [index]).hashes],
        [...inclusion(index, size).hashes]
      )
    }
  })
})
