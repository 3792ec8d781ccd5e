/** Proofs from the tiles of a store; each hash is checked against the published root before it is used. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { LogTree } from "../../log/Log.js"
import * as LogProof from "../../log/LogProof.js"
import type { LogStore } from "../../log/LogStore.js"
import * as MerkleProof from "../../log/MerkleProof.js"
import * as MerkleTree from "../../log/MerkleTree.js"
import * as Tile from "../../log/Tile.js"
import type { OrgName } from "../../shared/Identifier.js"

/** A tree, and what of it is published. */
interface PublishedTree {
  readonly tree: LogTree
  readonly head: LogProof.LogHead
}

/** Makes the proofs of logs in a store. */
export const make = (store: LogStore["Type"]) => {
  const reader = (
    org: OrgName,
    { tree, head }: PublishedTree,
    subtrees: ReadonlyArray<MerkleTree.Subtree>
  ) =>
    Effect.gen(function* () {
      const tiles = yield* store.listTiles(tree, Tile.needed(head.size, subtrees))
      const checked = Tile.authenticate(head, tiles)
      if (Either.isRight(checked)) return checked.right
      const { level, index } = checked.left.tile
      return yield* new LogProof.LogDamaged({ org, level, index })
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
        ...{ from, to, hashes: MerkleProof.hashesOf(runs, read) },
        fromRoot: MerkleProof.rootOf(from, read),
        toRoot: MerkleProof.rootOf(to, read)
      }
    })

  return { inclusion, consistency } as const
}
