/** Trees of small entries. */
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as Sha256 from "@attestry/transparency-log/Sha256"

/** The leaf hashes of the first entries. */
export const leaves = (size: number): ReadonlyArray<MerkleTree.Hash> =>
  Array.from({ length: size }, (_, index) => MerkleTree.leafHash(Sha256.utf8(String(index))))

/** The root of the tree of the first entries. */
export const root = (size: number): MerkleTree.Hash =>
  MerkleTree.root(MerkleTree.append(MerkleTree.EMPTY, leaves(size)).edge)

/** The bytes with one bit changed. */
export const flipped = (bytes: Uint8Array, place = 0): Uint8Array =>
  bytes.map((byte, index) => (index === place ? byte ^ 1 : byte))
