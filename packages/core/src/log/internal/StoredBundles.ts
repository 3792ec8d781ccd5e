/** Makes entry bundles from stored entries. */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Bytes from "@attestry/transparency-log/Bytes"
import * as EntryBundle from "@attestry/transparency-log/EntryBundle"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import type { TilePlace } from "@attestry/transparency-log/Tile"
import * as TileSums from "@attestry/transparency-log/TileSums"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as BoundedCache from "../../shared/BoundedCache.js"
import type { OrgName } from "../../shared/Identifier.js"
import * as Slices from "../../shared/Slices.js"
import { entryOf } from "../Log.js"
import type { LogEntry } from "../LogEntry.js"
import type { LogStore } from "../LogStore.js"
import type { PublishedTree, StoredProofs } from "./StoredProofs.js"

/** The maximum size of cached bundles. */
const KEPT_BYTES = 16_777_216

/** Whether the leaves of a full bundle have this hash. */
const haveHash = (entries: ReadonlyArray<LogEntry>, hash: MerkleTree.Hash): boolean => {
  const tile = { level: 0, index: 0, width: MerkleTree.TILE_WIDTH }
  const own = TileSums.hashOf(
    TileSums.sum({ tile, hashes: entries.map((each) => each.hash) }),
    8,
    0
  )
  return own !== undefined && Bytes.equals(own, hash)
}

/**
 * Makes the bundles of stored logs.
 *
 * A full bundle is cached under the hash that the published tree has for its leaves, and only if its entries have
 * that hash. A cached bundle therefore verifies for readers, also after an erasure, which does not change the bytes
 * of entries.
 */
export const make = (store: LogStore["Type"], proofs: StoredProofs) => {
  const kept = BoundedCache.make<Uint8Array>(KEPT_BYTES, ({ byteLength }) => byteLength)

  /** The hash of a full tile of leaves; none for a partial tile, or if the tiles do not lead to the root. */
  const hashOf = (org: OrgName, log: PublishedTree, { index, width }: TilePlace) => {
    if (width < MerkleTree.TILE_WIDTH) return Effect.succeedNone
    const subtree = { level: 8, index }
    return proofs.reader(org, log, [subtree]).pipe(
      Effect.map((read) => Option.some(read(subtree))),
      // WHY: readers verify their bundle themselves, and damage elsewhere does not affect it.
      Effect.catchTag("LogDamaged", () => Effect.succeedNone)
    )
  }

  /** The bytes of a bundle of the published tree. */
  const print = (org: OrgName, log: PublishedTree, wanted: TilePlace) =>
    Effect.gen(function* () {
      const { org_id, epoch } = log.tree
      const hash = yield* hashOf(org, log, wanted)
      const key = Option.map(hash, (bytes) => `${org_id}/${epoch}/${Base64.encode(bytes)}`)
      const known = Option.flatMapNullable(key, kept.get)
      if (Option.isSome(known)) return known.value
      const begin = wanted.index * MerkleTree.TILE_WIDTH
      const logged = yield* store.listLogged(log.tree, { begin, end: begin + wanted.width })
      const entries = yield* Slices.map(logged, entryOf)
      const content = EntryBundle.print(entries.map(({ bytes }) => bytes))
      if (Option.isSome(hash) && Option.isSome(key) && haveHash(entries, hash.value)) {
        kept.set(key.value, content)
      }
      return content
    })

  return { print } as const
}
