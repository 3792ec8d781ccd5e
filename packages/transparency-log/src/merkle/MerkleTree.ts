/**
 * The Merkle tree of RFC 6962 and RFC 9162: hashes of leaves and nodes, and a tree that grows.
 *
 * A tree is known by its *edge*: the hashes of its largest complete subtrees from left to right. It has one hash for
 * each binary digit 1 of the size, so that a leaf is added and a root computed without reading the tree. Sizes and
 * indexes are whole numbers up to 2^53 - 1, and so are never computed with bit operations, which have 32 bits.
 */
import * as Bytes from "../bytes/Bytes.js"
import * as Sha256 from "../bytes/Sha256.js"

/** A SHA-256 digest. */
export type Hash = Uint8Array

/** The number of bytes of a hash. */
export const HASH_BYTES = Sha256.BYTES

/** The largest size of a tree. */
export const SIZE_MAX = Number.MAX_SAFE_INTEGER

/** The number of hashes in a full tile, and the number of levels that one tile covers. */
export const TILE_WIDTH = 256

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

/** The hash of a leaf with these bytes (RFC 6962 section 2.1). */
export const leafHash = (entry: Uint8Array): Hash => Sha256.digest(Bytes.concat([LEAF, entry]))

/** The hash of a node with these two children. */
export const nodeHash = (left: Hash, right: Hash): Hash =>
  Sha256.digest(Bytes.concat([NODE, left, right]))

/** The hashes of the nodes above neighbouring pairs of hashes; a last one without a neighbour is left out. */
export const pairHashes = (hashes: Uint8Array): Uint8Array => {
  const [pair, node] = [2 * HASH_BYTES, Bytes.concat([NODE, new Uint8Array(2 * HASH_BYTES)])]
  const count = Math.floor(hashes.byteLength / pair)
  const parents = new Uint8Array(count * HASH_BYTES)
  for (let index = 0; index < count; index++) {
    node.set(hashes.subarray(index * pair, (index + 1) * pair), NODE.byteLength)
    parents.set(Sha256.digest(node), index * HASH_BYTES)
  }
  return parents
}

/** The root of the tree without leaves. */
export const EMPTY_ROOT: Hash = Sha256.digest(new Uint8Array(0))

/** A complete subtree: 2^level leaves, the first of them at index · 2^level. */
export interface Subtree {
  readonly level: number
  readonly index: number
}

/** A run of leaves, the end excluded, that is a subtree of some tree. */
export interface Run {
  readonly begin: number
  readonly end: number
}

/** A tree by its size and its largest complete subtrees, left to right. */
export interface Edge {
  readonly size: number
  readonly hashes: ReadonlyArray<Hash>
}

/** The tree without leaves. */
export const EMPTY: Edge = { size: 0, hashes: [] }

/** The hash of a full subtree of 256^level leaves, `level` at least 1. */
export interface TileNode {
  readonly level: number
  readonly index: number
  readonly hash: Hash
}

/** The largest power of two below a number above 1. */
export const split = (count: number): number => {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

/** The complete subtrees that a run of leaves consists of, left to right, where the run is a subtree of some tree. */
export const subtreesOf = ({ begin, end }: Run): ReadonlyArray<Subtree> => {
  const found: Array<Subtree> = []
  let from = begin
  let level = Math.floor(Math.log2(Math.max(1, end - begin))) + 1
  for (let width = 2 ** level; from < end; width /= 2, level -= 1) {
    if (width > end - from) continue
    found.push({ level, index: from / width })
    from += width
  }
  return found
}

/** The number of hashes in the edge of a tree of this size. */
export const edgeLength = (size: number): number => subtreesOf({ begin: 0, end: size }).length

/** One hash for neighbouring subtrees that shrink from left to right. */
export const fold = (hashes: ReadonlyArray<Hash>): Hash =>
  hashes.length === 0
    ? EMPTY_ROOT
    : hashes
        .slice(0, -1)
        .reduceRight((right, left) => nodeHash(left, right), hashes.at(-1) ?? EMPTY_ROOT)

/** The root of a tree. */
export const root = ({ hashes }: Edge): Hash => fold(hashes)

/** A tree with more leaves, and the nodes above full tiles that they completed. */
export const append = (
  edge: Edge,
  leaves: ReadonlyArray<Hash>
): { readonly edge: Edge; readonly nodes: ReadonlyArray<TileNode> } => {
  const hashes = [...edge.hashes]
  const nodes: Array<TileNode> = []
  let size = edge.size
  for (const leaf of leaves) {
    let hash = leaf
    let level = 0
    for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
      hash = nodeHash(hashes.pop() ?? EMPTY_ROOT, hash)
      level += 1
      if (level % 8 === 0) nodes.push({ level: level / 8, index: (rest - 1) / 2, hash })
    }
    hashes.push(hash)
    size += 1
  }
  return { edge: { size, hashes }, nodes }
}

/** The bytes of an edge: its hashes one after another. */
export const printEdge = ({ hashes }: Edge): Uint8Array<ArrayBuffer> => Bytes.concat(hashes)

/** An edge from its bytes; the number of hashes follows from the size. */
export const readEdge = (size: number, bytes: Uint8Array): Edge => ({
  size,
  hashes: Array.from({ length: edgeLength(size) }, (_, index) =>
    bytes.slice(index * HASH_BYTES, (index + 1) * HASH_BYTES)
  )
})
