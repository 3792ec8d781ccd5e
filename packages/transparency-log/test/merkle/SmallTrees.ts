/** Trees of small entries, and readers of their hashes. */
import type * as MerkleProof from "../../src/merkle/MerkleProof.js"
import * as MerkleTree from "../../src/merkle/MerkleTree.js"
import type * as Tile from "../../src/tile/Tile.js"

/** The entry at an index. */
export const entry = (index: number): Uint8Array =>
  Uint8Array.from(String(index), (c) => c.charCodeAt(0))

/** Entries from index 0. */
export const entries = (size: number): ReadonlyArray<Uint8Array> =>
  Array.from({ length: size }, (_, index) => entry(index))

const LEAVES = entries(1_100).map(MerkleTree.leafHash)
const leaf = (index: number) => LEAVES[index] ?? MerkleTree.leafHash(entry(index))

/** The leaf hashes of the first entries. */
export const leaves = (size: number) => Array.from({ length: size }, (_, index) => leaf(index))

/** Reads the hash of any subtree. */
export const read: MerkleProof.HashReader = ({ level, index }) =>
  level === 0
    ? leaf(index)
    : MerkleTree.nodeHash(
        read({ level: level - 1, index: index * 2 }),
        read({ level: level - 1, index: index * 2 + 1 })
      )

/** The root of the tree of the first entries. */
export const root = (size: number) =>
  MerkleTree.root(MerkleTree.append(MerkleTree.EMPTY, leaves(size)).edge)

/** The hashes of a tile. */
export const tile = (place: Tile.Tile): Tile.ReadTile => ({
  tile: place,
  hashes: Array.from({ length: place.width }, (_, offset) =>
    read({ level: place.level * 8, index: place.index * 256 + offset })
  )
})

/** The bytes with one bit changed. */
export const flipped = (bytes: Uint8Array, place = 0): Uint8Array =>
  bytes.map((byte, index) => (index === place ? byte ^ 1 : byte))
