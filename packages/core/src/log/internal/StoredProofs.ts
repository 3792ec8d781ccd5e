/** Makes proofs from stored tiles; each hash is verified against the published root before it is used. */

import * as MerkleProof from "@attestry/transparency-log/MerkleProof"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as Tile from "@attestry/transparency-log/Tile"
import * as TileSums from "@attestry/transparency-log/TileSums"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as BoundedCache from "../../shared/BoundedCache.js"
import type { OrgName } from "../../shared/Identifier.js"
import type { LogTree } from "../Log.js"
import * as LogProof from "../LogProof.js"
import type { LogStore } from "../LogStore.js"

/** A tree, and the published part of it. */
export interface PublishedTree {
  readonly tree: LogTree
  readonly head: LogProof.LogHead
}

/** The maximum size of cached tiles; a full tile with its sums has 16 KiB. */
const KEPT_BYTES = 16_777_216

const keyOf = ({ org_id, epoch }: LogTree, { level, index }: Tile.Tile): string =>
  `${org_id}/${epoch}/${level}/${index}`

/**
 * Makes the proofs of stored logs.
 *
 * Verified tiles are cached, because a tile of one width never changes. Cached tiles are compared with the root like
 * tiles from the store; if they do not match, all are read again.
 */
export const make = (store: LogStore["Type"]) => {
  const kept = BoundedCache.make<TileSums.SummedTile>(KEPT_BYTES, TileSums.bytesOf)

  const knownOf = (tree: LogTree, wanted: ReadonlyArray<Tile.Tile>) =>
    wanted.flatMap((tile) => {
      const known = kept.get(keyOf(tree, tile))
      return known?.tile.width === tile.width ? known : []
    })

  /** Tiles with their sums: from the cache, else from the store. */
  const sums = (
    tree: LogTree,
    wanted: ReadonlyArray<Tile.Tile>,
    known: ReadonlyArray<TileSums.SummedTile>
  ) =>
    Effect.gen(function* () {
      if (known.length === wanted.length) return known
      const keys = new Set(known.map(({ tile }) => keyOf(tree, tile)))
      const missing = wanted.filter((tile) => !keys.has(keyOf(tree, tile)))
      return [...known, ...(yield* store.listTiles(tree, missing)).map(TileSums.sum)]
    })

  /** Reads subtrees of the published tree. */
  const reader = (
    org: OrgName,
    { tree, head }: PublishedTree,
    subtrees: ReadonlyArray<MerkleTree.Subtree>
  ) =>
    Effect.gen(function* () {
      const wanted = Tile.needed(head.size, subtrees)
      const known = knownOf(tree, wanted)
      let tiles = yield* sums(tree, wanted, known)
      let checked = Tile.authenticateSums(head, tiles)
      if (Either.isLeft(checked) && known.length > 0) {
        tiles = yield* sums(tree, wanted, [])
        checked = Tile.authenticateSums(head, tiles)
      }
      if (Either.isLeft(checked)) {
        const { level, index } = checked.left.tile
        return yield* new LogProof.LogDamaged({ org, level, index })
      }
      for (const each of tiles) {
        const key = keyOf(tree, each.tile)
        if (kept.get(key) !== each) kept.set(key, each)
      }
      return checked.right
    })

  const inclusion = (org: OrgName, log: PublishedTree, place: MerkleProof.Position) =>
    Effect.gen(function* () {
      const runs = MerkleProof.inclusionRuns(place)
      const leaf = { level: 0, index: place.index }
      const edge = MerkleTree.subtreesOf({ begin: 0, end: place.size })
      const read = yield* reader(org, log, [...MerkleProof.subtreesFor(runs), ...edge, leaf])
      return {
        ...place,
        leaf: read(leaf),
        hashes: MerkleProof.hashesOf(runs, read),
        root: MerkleProof.rootOf(place.size, read)
      }
    })

  const consistency = (org: OrgName, log: PublishedTree, { from, to }: MerkleProof.Sizes) =>
    Effect.gen(function* () {
      const runs = MerkleProof.consistencyRuns({ from, to })
      const edges = [from, to].flatMap((end) => MerkleTree.subtreesOf({ begin: 0, end }))
      const read = yield* reader(org, log, [...MerkleProof.subtreesFor(runs), ...edges])
      return {
        from,
        to,
        hashes: MerkleProof.hashesOf(runs, read),
        fromRoot: MerkleProof.rootOf(from, read),
        toRoot: MerkleProof.rootOf(to, read)
      }
    })

  return { reader, inclusion, consistency } as const
}

/** The proofs of logs in a store. */
export type StoredProofs = ReturnType<typeof make>
