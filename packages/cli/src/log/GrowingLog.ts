/**
 * Rebuilds the tree of an evidence log from its leaves, from the start or from a full tile on, and produces every
 * tile of hashes. Pure.
 */
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as Tile from "@attestry/transparency-log/Tile"

type Hashes = ReadonlyArray<MerkleTree.Hash>

/** A state to continue from: the tree, and the hashes in the last tile of each level above the leaves. */
export interface Beginning {
  readonly edge: MerkleTree.Edge
  readonly tops: ReadonlyMap<number, Hashes>
}

/** The state of a log without leaves. */
export const EMPTY: Beginning = { edge: MerkleTree.EMPTY, tops: new Map() }

/** A log to which leaves are added. */
export class GrowingLog {
  edge: MerkleTree.Edge
  readonly #tops: Map<number, Array<MerkleTree.Hash>>

  constructor({ edge, tops }: Beginning) {
    this.edge = edge
    this.#tops = new Map([...tops].map(([level, hashes]) => [level, [...hashes]]))
  }

  /** The root of the tree. */
  get root(): MerkleTree.Hash {
    return MerkleTree.root(this.edge)
  }

  /** Adds leaves, and returns the full tiles that they complete. */
  add(leaves: Hashes): ReadonlyArray<Tile.ReadTile> {
    const { edge, nodes } = MerkleTree.append(this.edge, leaves)
    this.edge = edge
    return nodes.flatMap(({ level, index, hash }) => {
      const hashes = this.#tops.get(level) ?? []
      hashes.push(hash)
      this.#tops.set(level, hashes)
      if (hashes.length < MerkleTree.TILE_WIDTH) return []
      this.#tops.delete(level)
      const width = MerkleTree.TILE_WIDTH
      return [{ tile: { level, index: Math.floor(index / width), width }, hashes }]
    })
  }

  /** The partial tiles above the leaves, at the end of the log. */
  ends(): ReadonlyArray<Tile.ReadTile> {
    return [...this.#tops].map(([level, hashes]) => ({
      tile: {
        level,
        index: Math.floor(Tile.hashesAt(level, this.edge.size) / MerkleTree.TILE_WIDTH),
        width: hashes.length
      },
      hashes
    }))
  }
}

/** The positions of the entry bundles from index `first` on, in a log of a size. */
export const bundles = (first: number, size: number): ReadonlyArray<Tile.TilePlace> =>
  Array.from(
    { length: Math.max(0, Math.ceil(size / MerkleTree.TILE_WIDTH) - first) },
    (_, offset) => Tile.within(size, { level: 0, index: first + offset })
  )
