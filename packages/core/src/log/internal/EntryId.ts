/**
 * The id of an entry: its sequence number, encrypted with a key of its org.
 *
 * Sequence numbers count the writes of all orgs, so they are not shown. An id reveals nothing about them, and is
 * invalid in other orgs. The cipher is XTEA with 32 cycles, a permutation of 64 bits.
 */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Option from "effect/Option"

/** The size of an org's key. */
export const KEY_BYTES = 16

const CYCLES = 32
const DELTA = 0x9e3779b9
const WORD = 2 ** 32

const words = ({ buffer, byteOffset, byteLength }: Uint8Array): ReadonlyArray<number> => {
  const view = new DataView(buffer, byteOffset, byteLength)
  const found: Array<number> = []
  for (let at = 0; at < byteLength; at += 4) found.push(view.getUint32(at))
  return found
}

const mixed = (word: number): number => (((word << 4) ^ (word >>> 5)) + word) | 0

const printWord = (word: number): string => (word >>> 0).toString(16).padStart(8, "0")

const print = (left: number, right: number): string => `${printWord(left)}${printWord(right)}`

/** The id of the entry with this sequence number. */
export const make = (key: Uint8Array, sequence: number): string => {
  const parts = words(key)
  let left = Math.floor(sequence / WORD) | 0
  let right = (sequence % WORD) | 0
  let sum = 0
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    left = (left + (mixed(right) ^ (sum + (parts[sum & 3] ?? 0)))) | 0
    sum = (sum + DELTA) | 0
    right = (right + (mixed(left) ^ (sum + (parts[(sum >>> 11) & 3] ?? 0)))) | 0
  }
  return print(left, right)
}

/** Decodes and decrypts an id. None for a text of another form. */
export const decrypt = (key: Uint8Array, id: string): Option.Option<bigint> =>
  Option.flatMap(Base64.decodeHex(id), (bytes) => {
    if (bytes.byteLength !== 8) return Option.none()
    const parts = words(key)
    const [high = 0, low = 0] = words(bytes)
    let left = high | 0
    let right = low | 0
    let sum = Math.imul(DELTA, CYCLES)
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      right = (right - (mixed(left) ^ (sum + (parts[(sum >>> 11) & 3] ?? 0)))) | 0
      sum = (sum - DELTA) | 0
      left = (left - (mixed(right) ^ (sum + (parts[sum & 3] ?? 0)))) | 0
    }
    return Option.some(BigInt(`0x${print(left, right)}`))
  })

/** The sequence number of an id. None for a text that is not an id of this org. */
export const read = (key: Uint8Array, id: string): Option.Option<number> =>
  decrypt(key, id).pipe(Option.map(Number), Option.filter(Number.isSafeInteger))
