/** Entry bundles of C2SP tlog-tiles: up to 256 entries, each behind its length in two bytes, big-endian. */
import * as Option from "effect/Option"
import * as Bytes from "../bytes/Bytes.js"

/** The largest length of an entry. */
export const ENTRY_BYTES_MAX = 65_535

/** The bytes of a bundle. Entries have at most 65,535 bytes. */
export const print = (entries: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> =>
  Bytes.concat(
    entries.flatMap((entry) => [
      Uint8Array.of(Math.floor(entry.byteLength / 256), entry.byteLength % 256),
      entry
    ])
  )

/** The entries of a bundle; none when the last one is cut off. */
export const parse = (bytes: Uint8Array): Option.Option<ReadonlyArray<Uint8Array>> => {
  const entries: Array<Uint8Array> = []
  let offset = 0
  while (offset < bytes.byteLength) {
    const begin = offset + 2
    const end = begin + (bytes[offset] ?? 0) * 256 + (bytes[offset + 1] ?? 0)
    if (end > bytes.byteLength || begin > bytes.byteLength) return Option.none()
    entries.push(bytes.slice(begin, end))
    offset = end
  }
  return Option.some(entries)
}
