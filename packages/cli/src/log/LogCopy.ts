/**
 * A copy of an evidence log in a folder, in the layout of C2SP tlog-tiles: `checkpoint`, tiles, entry bundles, and
 * `keys` with the log's public keys.
 *
 * The checkpoint is written last, by renaming a file. It defines the tree of the copy; files beyond that tree mean
 * nothing.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Bytes from "@attestry/transparency-log/Bytes"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as Tile from "@attestry/transparency-log/Tile"
import * as Either from "effect/Either"
import { unreadable } from "../shared/CommandFailure.js"
import type { Beginning } from "./GrowingLog.js"
import { EMPTY } from "./GrowingLog.js"
import * as LogKeys from "./LogKeys.js"

const CHECKPOINT = "checkpoint"
const KEYS = "keys"

const codeOf = (cause: unknown): unknown =>
  typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined

/** Reads a file of the copy; undefined if it does not exist. */
export const read = (folder: string, path: string): Uint8Array | undefined => {
  const file = join(folder, path)
  try {
    return readFileSync(file)
  } catch (cause) {
    if (codeOf(cause) === "ENOENT" || codeOf(cause) === "ENOTDIR") return undefined
    throw unreadable(`${file} cannot be read`, undefined, cause)
  }
}

const readText = (folder: string, path: string): string | undefined => {
  const bytes = read(folder, path)
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
}

const write = (folder: string, path: string, content: Uint8Array | string): void => {
  const file = join(folder, path)
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, content)
    renameSync(`${file}.new`, file)
  } catch (cause) {
    throw unreadable(`${file} cannot be written`, undefined, cause)
  }
}

/** The signed checkpoint of the copy; undefined before the first pull. */
export const checkpoint = (folder: string): string | undefined => readText(folder, CHECKPOINT)

/** The keys of the last pull. */
export const keys = (folder: string): ReadonlyArray<LogKeys.Key> =>
  LogKeys.ofFile(join(folder, KEYS), readText(folder, KEYS) ?? "")

/** Writes the keys of the log. */
export const writeKeys = (folder: string, all: ReadonlyArray<LogKeys.Key>): void =>
  write(folder, KEYS, LogKeys.print(all))

/** Writes the signed checkpoint. */
export const writeCheckpoint = (folder: string, note: string): void =>
  write(folder, CHECKPOINT, note)

/** Writes a tile or a bundle, and removes the narrower ones that it replaces. */
const writePart = (folder: string, path: string, bytes: Uint8Array): void => {
  write(folder, path, bytes)
  const [whole = "", width] = path.split(".p/")
  if (width === undefined) rmSync(join(folder, `${whole}.p`), { recursive: true, force: true })
}

/** Writes a tile. */
export const writeTile = (folder: string, { tile, hashes }: Tile.ReadTile): void =>
  writePart(folder, Tile.print(tile), Bytes.concat(hashes))

/** Writes an entry bundle. */
export const writeBundle = (folder: string, place: Tile.TilePlace, bytes: Uint8Array): void =>
  writePart(folder, Tile.printEntries(place), bytes)

const readTile = (folder: string, tile: Tile.Tile): Tile.ReadTile => ({
  tile,
  hashes: Tile.read(read(folder, Tile.print(tile)) ?? new Uint8Array(0))
})

/** The hashes in the last tile of each level, at the start of a bundle. */
const topsOf = (folder: string, size: number): Beginning["tops"] => {
  const tops = new Map<number, ReadonlyArray<MerkleTree.Hash>>()
  for (let level = 1; Tile.hashesAt(level, size) > 0; level++) {
    const index = Math.floor(Tile.hashesAt(level, size) / MerkleTree.TILE_WIDTH)
    const tile = Tile.within(size, { level, index })
    if (tile.width > 0) tops.set(level, readTile(folder, tile).hashes)
  }
  return tops
}

/** The state from which to continue a copy, before its last, partial bundle. Verifies the tiles of the copy first. */
export const beginning = (
  folder: string,
  { size, root }: { readonly size: number; readonly root: MerkleTree.Hash }
): Beginning => {
  const begin = Math.floor(size / MerkleTree.TILE_WIDTH) * MerkleTree.TILE_WIDTH
  if (begin === 0) return EMPTY
  const subtrees = MerkleTree.subtreesOf({ begin: 0, end: begin })
  const tiles = Tile.needed(size, subtrees).map((tile) => readTile(folder, tile))
  const reader = Tile.authenticate({ size, root }, tiles)
  if (Either.isLeft(reader)) {
    const file = join(folder, Tile.print(reader.left.tile))
    throw unreadable(`${file} does not belong to the checkpoint of the copy`, "pull it anew")
  }
  return { edge: { size: begin, hashes: subtrees.map(reader.right) }, tops: topsOf(folder, size) }
}
