/**
 * The hashes of the subtrees inside a tile, each computed once.
 *
 * A tile covers eight levels of its tree, and its hashes determine all subtrees inside it. So a tile that is cached
 * with its sums gives the hash of every subtree without hashing again.
 */
import * as Bytes from "../bytes/Bytes.js"
import type { Hash } from "../merkle/MerkleTree.js"
import * as MerkleTree from "../merkle/MerkleTree.js"
import type { ReadTile, Tile } from "./Tile.js"

/** A tile with the hashes of its subtrees. */
export interface SummedTile {
  readonly tile: Tile
  /** Hashes one after another: those of the tile, then those of their pairs, and so on. */
  readonly levels: ReadonlyArray<Uint8Array>
}

/** A tile with its sums. */
export const sum = ({ tile, hashes }: ReadTile): SummedTile => {
  const levels: Array<Uint8Array> = []
  let level: Uint8Array = Bytes.concat(hashes)
  while (level.byteLength > 0) {
    levels.push(level)
    level = MerkleTree.pairHashes(level)
  }
  return { tile, levels }
}

/** The hash of a subtree of 2^level hashes of a tile; none if the tile does not have all of them. */
export const hashOf = ({ levels }: SummedTile, level: number, index: number): Hash | undefined => {
  const begin = index * MerkleTree.HASH_BYTES
  const hashes = levels[level]
  return hashes !== undefined && begin + MerkleTree.HASH_BYTES <= hashes.byteLength
    ? hashes.subarray(begin, begin + MerkleTree.HASH_BYTES)
    : undefined
}

/** The number of hashes of a tile. */
export const widthOf = ({ levels }: SummedTile): number =>
  (levels[0]?.byteLength ?? 0) / MerkleTree.HASH_BYTES

/** The number of bytes of a tile and its sums. */
export const bytesOf = ({ levels }: SummedTile): number =>
  levels.reduce((bytes, { byteLength }) => bytes + byteLength, 0)
