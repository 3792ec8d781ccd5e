/**
 * One proof for many leaves of a tree.
 *
 * From the root downwards: a run without a wanted leaf is the next hash of the proof, a single wanted leaf is the
 * caller's, and everything else is computed from its two halves. The hashes are in the order of the leaves they cover.
 */
import * as Bytes from "../bytes/Bytes.js"
import type { HashReader } from "./MerkleProof.js"
import type { Hash, Run } from "./MerkleTree.js"
import * as MerkleTree from "./MerkleTree.js"

/** A wanted leaf. */
export interface Leaf {
  readonly index: number
  readonly hash: Hash
}

/** The leaves of a tree and the hashes that prove them. */
export interface Multiproof {
  readonly size: number
  /** By index, each once. */
  readonly leaves: ReadonlyArray<Leaf>
  readonly hashes: ReadonlyArray<Hash>
}

/** The runs whose hashes prove the leaves with these indexes, which rise and are below the size. */
export const runs = (size: number, indexes: ReadonlyArray<number>): ReadonlyArray<Run> => {
  const found: Array<Run> = []
  const visit = (run: Run, wanted: ReadonlyArray<number>): void => {
    if (wanted.length === 0) {
      found.push(run)
    } else if (run.end - run.begin > 1) {
      const middle = run.begin + MerkleTree.split(run.end - run.begin)
      visit(
        { begin: run.begin, end: middle },
        wanted.filter((index) => index < middle)
      )
      visit(
        { begin: middle, end: run.end },
        wanted.filter((index) => index >= middle)
      )
    }
  }
  if (size > 0) visit({ begin: 0, end: size }, indexes)
  return found
}

/** The hashes that prove the leaves with these indexes. */
export const prove = (
  { size, indexes }: { readonly size: number; readonly indexes: ReadonlyArray<number> },
  read: HashReader
): ReadonlyArray<Hash> =>
  runs(size, indexes).map((run) => MerkleTree.fold(MerkleTree.subtreesOf(run).map(read)))

const isRising = ({ size, leaves }: Multiproof): boolean =>
  leaves.every(
    ({ index }, place) =>
      Number.isSafeInteger(index) &&
      index >= 0 &&
      index < size &&
      index > (leaves[place - 1]?.index ?? -1)
  )

/** Whether the hashes prove exactly these leaves in the tree with this root. All hashes must be used. */
export const verify = (proof: Multiproof, root: Hash): boolean => {
  const { size, leaves, hashes } = proof
  if (!Number.isSafeInteger(size) || size < 1 || !isRising(proof)) return false
  let used = 0
  const visit = (run: Run, wanted: ReadonlyArray<Leaf>): Hash | undefined => {
    if (wanted.length === 0) {
      used += 1
      return hashes[used - 1]
    }
    if (run.end - run.begin === 1) return wanted[0]?.hash
    const middle = run.begin + MerkleTree.split(run.end - run.begin)
    const left = visit(
      { begin: run.begin, end: middle },
      wanted.filter(({ index }) => index < middle)
    )
    const right = visit(
      { begin: middle, end: run.end },
      wanted.filter(({ index }) => index >= middle)
    )
    return left && right && MerkleTree.nodeHash(left, right)
  }
  const computed = visit({ begin: 0, end: size }, leaves)
  return computed !== undefined && used === hashes.length && Bytes.equals(computed, root)
}
