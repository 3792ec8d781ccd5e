/**
 * Proofs that a leaf is in a tree, and that one tree is the beginning of another (RFC 6962 section 2.1, RFC 9162
 * sections 2.1.3 and 2.1.4).
 *
 * A proof is planned first, as the runs of leaves whose hashes it holds; then a reader gives the hash of each. So a
 * store can read everything that a proof needs at once.
 */
import * as Bytes from "../bytes/Bytes.js"
import type { Hash, Run, Subtree } from "./MerkleTree.js"
import * as MerkleTree from "./MerkleTree.js"

/** Gives the hash of a complete subtree. */
export type HashReader = (subtree: Subtree) => Hash

/** A leaf in a tree. */
export interface Position {
  readonly index: number
  readonly size: number
}

/** Two sizes of one tree. */
export interface Sizes {
  readonly from: number
  readonly to: number
}

/** The proof of a leaf: its place, its hash, and the hashes from its sibling upwards. */
export interface Inclusion extends Position {
  readonly leaf: Hash
  readonly hashes: ReadonlyArray<Hash>
}

/** The proof that the first tree is the beginning of the second. */
export interface Consistency extends Sizes {
  readonly fromRoot: Hash
  readonly toRoot: Hash
  readonly hashes: ReadonlyArray<Hash>
}

/** The runs whose hashes prove a leaf, its sibling first. The index is below the size. */
export const inclusionRuns = ({ index, size }: Position): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  let begin = 0
  let end = size
  while (end - begin > 1) {
    const middle = begin + MerkleTree.split(end - begin)
    if (index < middle) {
      runs.push({ begin: middle, end })
      end = middle
    } else {
      runs.push({ begin, end: middle })
      begin = middle
    }
  }
  return runs.reverse()
}

/** The runs whose hashes prove that the tree of size `from` is the beginning of that of size `to`. */
export const consistencyRuns = ({ from, to }: Sizes): ReadonlyArray<Run> => {
  if (from === 0 || from === to) return []
  const runs: Array<Run> = []
  let begin = 0
  let end = to
  while (end !== from) {
    const middle = begin + MerkleTree.split(end - begin)
    if (from <= middle) {
      runs.push({ begin: middle, end })
      end = middle
    } else {
      runs.push({ begin, end: middle })
      begin = middle
    }
  }
  if (begin > 0) runs.push({ begin, end })
  return runs.reverse()
}

/** The complete subtrees that a reader must know for these runs. */
export const subtreesFor = (runs: ReadonlyArray<Run>): ReadonlyArray<Subtree> =>
  runs.flatMap(MerkleTree.subtreesOf)

/** The hashes of runs. */
export const hashesOf = (runs: ReadonlyArray<Run>, read: HashReader): ReadonlyArray<Hash> =>
  runs.map((run) => MerkleTree.fold(MerkleTree.subtreesOf(run).map(read)))

/** The root of a tree of this size. */
export const rootOf = (size: number, read: HashReader): Hash =>
  MerkleTree.fold(MerkleTree.subtreesOf({ begin: 0, end: size }).map(read))

const half = (value: number): number => Math.floor(value / 2)

const isPosition = ({ index, size }: Position): boolean =>
  Number.isSafeInteger(index) && Number.isSafeInteger(size) && index >= 0 && index < size

/** Whether a proof shows that a leaf is in the tree with this root (RFC 9162 section 2.1.3.2). */
export const verifyInclusion = (proof: Inclusion, root: Hash): boolean => {
  if (!isPosition(proof)) return false
  let place = proof.index
  let last = proof.size - 1
  let hash = proof.leaf
  for (const sibling of proof.hashes) {
    if (last === 0 || sibling.byteLength !== MerkleTree.HASH_BYTES) return false
    if (place % 2 === 1 || place === last) {
      hash = MerkleTree.nodeHash(sibling, hash)
      while (place % 2 === 0 && place !== 0) {
        place = half(place)
        last = half(last)
      }
    } else {
      hash = MerkleTree.nodeHash(hash, sibling)
    }
    place = half(place)
    last = half(last)
  }
  return last === 0 && Bytes.equals(hash, root)
}

const isSizes = ({ from, to }: Sizes): boolean =>
  Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && from <= to

const isPowerOfTwo = (value: number): boolean => 2 ** Math.round(Math.log2(value)) === value

/** The loop of RFC 9162 section 2.1.4.2, for sizes above 0 that differ. */
const verifyGrowth = ({ from, to, fromRoot, toRoot, hashes }: Consistency): boolean => {
  const [first, ...others] = isPowerOfTwo(from) ? [fromRoot, ...hashes] : hashes
  if (first === undefined || hashes.length === 0) return false
  let place = from - 1
  let last = to - 1
  while (place % 2 === 1) {
    place = half(place)
    last = half(last)
  }
  let old = first
  let young = first
  for (const hash of others) {
    if (last === 0 || hash.byteLength !== MerkleTree.HASH_BYTES) return false
    if (place % 2 === 1 || place === last) {
      old = MerkleTree.nodeHash(hash, old)
      young = MerkleTree.nodeHash(hash, young)
      while (place % 2 === 0 && place !== 0) {
        place = half(place)
        last = half(last)
      }
    } else {
      young = MerkleTree.nodeHash(young, hash)
    }
    place = half(place)
    last = half(last)
  }
  return last === 0 && Bytes.equals(old, fromRoot) && Bytes.equals(young, toRoot)
}

/** Whether a proof shows that one tree is the beginning of another; 0 and equal sizes have no hashes. */
export const verifyConsistency = (proof: Consistency): boolean => {
  if (!isSizes(proof)) return false
  const { from, to, fromRoot, toRoot, hashes } = proof
  if (from === 0) return hashes.length === 0 && Bytes.equals(fromRoot, MerkleTree.EMPTY_ROOT)
  if (from === to) return hashes.length === 0 && Bytes.equals(fromRoot, toRoot)
  return verifyGrowth(proof)
}
