/**
 * Merkle trees straight from the recursive definitions of RFC 6962 section 2.1, over whole lists of leaves.
 *
 * Nothing here is shared with `MerkleTree` and `MerkleProof` but SHA-256.
 */
import * as Sha256 from "@attestry/transparency-log/Sha256"

type Leaves = ReadonlyArray<Uint8Array>

const prefixed = (
  prefix: number,
  left: Uint8Array,
  right: Uint8Array = new Uint8Array(0)
): Uint8Array => {
  const bytes = new Uint8Array(1 + left.byteLength + right.byteLength)
  bytes[0] = prefix
  bytes.set(left, 1)
  bytes.set(right, 1 + left.byteLength)
  return Sha256.digest(bytes)
}

/** The largest power of two smaller than n, for n above 1. */
const largestPowerBelow = (n: number): number => {
  const power = 2 ** Math.floor(Math.log2(n))
  return power === n ? n / 2 : power
}

/** MTH(D[n]). */
export const mth = (entries: Leaves): Uint8Array => {
  const [only] = entries
  if (only === undefined) return Sha256.digest(new Uint8Array(0))
  if (entries.length === 1) return prefixed(0, only)
  const k = largestPowerBelow(entries.length)
  return prefixed(1, mth(entries.slice(0, k)), mth(entries.slice(k)))
}

/** MTH(D[0:n]) by n, for one list; each subtree is computed once. */
export const mthOfBeginnings = (entries: Leaves): ((size: number) => Uint8Array) => {
  const known = new Map<string, Uint8Array>()
  const compute = (begin: number, end: number): Uint8Array => {
    if (end - begin <= 1) return mth(entries.slice(begin, end))
    const k = begin + largestPowerBelow(end - begin)
    return prefixed(1, subtree(begin, k), subtree(k, end))
  }
  const subtree = (begin: number, end: number): Uint8Array => {
    const found = known.get(`${begin}-${end}`) ?? compute(begin, end)
    known.set(`${begin}-${end}`, found)
    return found
  }
  return (size) => subtree(0, size)
}

/** PATH(m, D[n]). */
export const path = (m: number, entries: Leaves): Leaves => {
  if (entries.length <= 1) return []
  const k = largestPowerBelow(entries.length)
  const [left, right] = [entries.slice(0, k), entries.slice(k)]
  return m < k ? [...path(m, left), mth(right)] : [...path(m - k, right), mth(left)]
}

const subproof = (m: number, entries: Leaves, isWhole: boolean): Leaves => {
  if (m === entries.length) return isWhole ? [] : [mth(entries)]
  const k = largestPowerBelow(entries.length)
  const [left, right] = [entries.slice(0, k), entries.slice(k)]
  return m <= k
    ? [...subproof(m, left, isWhole), mth(right)]
    : [...subproof(m - k, right, false), mth(left)]
}

/** PROOF(m, D[n]), empty for m = 0 too. */
export const proof = (m: number, entries: Leaves): Leaves =>
  m === 0 ? [] : subproof(m, entries, true)
