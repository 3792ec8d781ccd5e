/**
 * Tiles of C2SP tlog-tiles: the tile of the hash of a subtree, the path of a tile, and a reader that returns hashes
 * only from tiles that belong to a root.
 *
 * A tile of level L holds up to 256 hashes of subtrees with 256^L leaves; a narrower one begins a wider one.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Bytes from "../bytes/Bytes.js"
import type * as MerkleProof from "../merkle/MerkleProof.js"
import type { Hash, Subtree } from "../merkle/MerkleTree.js"
import * as MerkleTree from "../merkle/MerkleTree.js"
import * as TileSums from "./TileSums.js"

const { TILE_WIDTH } = MerkleTree
/** The largest level that C2SP has. */
const LEVEL_MAX = 63

/** The place of a run of up to 256 things: hashes of one level, or entries. */
export interface TilePlace {
  readonly index: number
  /** From 1 to 256. */
  readonly width: number
}

/** A tile of hashes. */
export interface Tile extends TilePlace {
  readonly level: number
}

const digits = (value: number): string => String(value).padStart(3, "0")

const printIndex = (index: number): string => {
  const groups = [digits(index % 1000)]
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000)) {
    groups.unshift(`x${digits(rest % 1000)}`)
  }
  return groups.join("/")
}

/** The last segments of a path: the index in groups of three digits, and the width of a partial tile. */
export const printPlace = ({ index, width }: TilePlace): string =>
  `${printIndex(index)}${width === TILE_WIDTH ? "" : `.p/${width}`}`

/** The path of a tile below the address of its log. */
export const print = (tile: Tile): string => `tile/${tile.level}/${printPlace(tile)}`

/** The path of an entry bundle below the address of its log. */
export const printEntries = (place: TilePlace): string => `tile/entries/${printPlace(place)}`

const PLACE = /^((?:x[0-9]{3}\/){0,5}[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/

/** Reads exactly the output of `printPlace`. */
export const parsePlace = (text: string): Option.Option<TilePlace> => {
  const match = PLACE.exec(text)
  if (match?.[1] === undefined) return Option.none()
  const index = Number(match[1].replaceAll(/[x/]/g, ""))
  const width = match[2] === undefined ? TILE_WIDTH : Number(match[2])
  const place = { index, width }
  return index * TILE_WIDTH <= MerkleTree.SIZE_MAX && printPlace(place) === text
    ? Option.some(place)
    : Option.none()
}

/** Reads a level as C2SP writes it: 0 to 63 without leading zeros. */
export const parseLevel = (text: string): Option.Option<number> =>
  /^(?:0|[1-9][0-9]?)$/.test(text) && Number(text) <= LEVEL_MAX
    ? Option.some(Number(text))
    : Option.none()

/** Reads exactly the output of `print`. */
export const parse = (path: string): Option.Option<Tile> => {
  const [folder, level = "", ...rest] = path.split("/")
  return folder === "tile"
    ? Option.zipWith(parseLevel(level), parsePlace(rest.join("/")), (found, place) => ({
        level: found,
        ...place
      }))
    : Option.none()
}

/** The number of hashes that a tree of this size has at a level of tiles. */
export const hashesAt = (level: number, size: number): number =>
  Math.floor(size / TILE_WIDTH ** level)

/** The tile as wide as a tree of this size has it; its width is 0 if the tree does not reach it. */
export const within = (size: number, { level, index }: Pick<Tile, "level" | "index">): Tile => ({
  level,
  index,
  width: Math.max(0, Math.min(TILE_WIDTH, hashesAt(level, size) - index * TILE_WIDTH))
})

/** The place of a subtree's hash: its tile, and its position in the tile. */
const placeOf = ({ level, index }: Subtree) => {
  const inside = level % 8
  const across = TILE_WIDTH / 2 ** inside
  return {
    tile: { level: Math.floor(level / 8), index: Math.floor(index / across) },
    inside,
    offset: index % across
  }
}

const key = ({ level, index }: Pick<Tile, "level" | "index">): string => `${level}/${index}`

const parentOf = ({ level, index }: Pick<Tile, "level" | "index">) => ({
  level: level + 1,
  index: Math.floor(index / TILE_WIDTH)
})

/** The subtrees at the right edge of a tree, whose hashes give its root. */
const edgeOf = (size: number) => MerkleTree.subtreesOf({ begin: 0, end: size })

/**
 * The tiles that are needed for the hashes of subtrees of a tree of this size: their own, those above them up to the
 * right edge, and those of the right edge.
 */
export const needed = (size: number, subtrees: ReadonlyArray<Subtree>): ReadonlyArray<Tile> => {
  const found = new Map<string, Tile>()
  for (const subtree of [...edgeOf(size), ...subtrees]) {
    let tile = within(size, placeOf(subtree).tile)
    while (tile.width > 0 && !found.has(key(tile))) {
      found.set(key(tile), tile)
      tile = within(size, parentOf(tile))
    }
  }
  return [...found.values()]
}

/** The hashes of a tile from its bytes. */
export const read = (bytes: Uint8Array): ReadonlyArray<Hash> =>
  Array.from({ length: Math.floor(bytes.byteLength / MerkleTree.HASH_BYTES) }, (_, index) =>
    bytes.slice(index * MerkleTree.HASH_BYTES, (index + 1) * MerkleTree.HASH_BYTES)
  )

/** A tile and its hashes. */
export interface ReadTile {
  readonly tile: Tile
  readonly hashes: ReadonlyArray<Hash>
}

/** A tile is missing or does not belong to the root. */
export interface BadTile {
  readonly tile: Tile
}

type Tiles = ReadonlyMap<string, TileSums.SummedTile>

const hashIn = (tiles: Tiles, subtree: Subtree): Hash | undefined => {
  const { tile, inside, offset } = placeOf(subtree)
  const found = tiles.get(key(tile))
  return found === undefined ? undefined : TileSums.hashOf(found, inside, offset)
}

/** Whether a full tile hashes to what its parent has; tiles at the right edge are checked by the root. */
const fits = (tiles: Tiles, summed: TileSums.SummedTile): boolean => {
  const { tile } = summed
  if (TileSums.widthOf(summed) !== tile.width) return false
  if (tile.width < TILE_WIDTH) return true
  const [own, parent] = [TileSums.hashOf(summed, 8, 0), tiles.get(key(parentOf(tile)))]
  if (own === undefined || parent === undefined) return false
  const above = TileSums.hashOf(parent, 0, tile.index % TILE_WIDTH)
  return above !== undefined && Bytes.equals(above, own)
}

/**
 * A reader of tiles that all belong to the tree with this size and root. Every hash of a partial tile is part of the
 * root; every full tile has its hash in its parent, which must be among the tiles. So each tile is verified up to the
 * root before the reader returns a hash of it.
 */
export const authenticateSums = (
  { size, root }: { readonly size: number; readonly root: Hash },
  given: ReadonlyArray<TileSums.SummedTile>
): Either.Either<MerkleProof.HashReader, BadTile> => {
  const tiles = new Map(given.map((each) => [key(each.tile), each]))
  const edge = edgeOf(size).map((subtree) => hashIn(tiles, subtree))
  const known = edge.flatMap((hash) => hash ?? [])
  const top = given.find(({ tile }) => tile.width < TILE_WIDTH)?.tile
  if (known.length < edge.length || !Bytes.equals(MerkleTree.fold(known), root)) {
    return Either.left({ tile: top ?? within(size, { level: 0, index: 0 }) })
  }
  const wrong = given.find(
    (each) => each.tile.width !== within(size, each.tile).width || !fits(tiles, each)
  )
  if (wrong !== undefined) return Either.left({ tile: wrong.tile })
  // INVARIANT: callers read only the subtrees that they passed to `needed`; another subtree has no hash here and no
  // valid proof.
  return Either.right((subtree) => hashIn(tiles, subtree) ?? MerkleTree.EMPTY_ROOT)
}

/** The same for tiles without their sums. */
export const authenticate = (
  head: { readonly size: number; readonly root: Hash },
  given: ReadonlyArray<ReadTile>
): Either.Either<MerkleProof.HashReader, BadTile> => authenticateSums(head, given.map(TileSums.sum))
