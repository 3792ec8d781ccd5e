/** `LogStore` in memory. Writers take turns, so every number that was committed is visible. */
import type { OrgId } from "@attestry/core/Identifier"
import type { JournalEntry } from "@attestry/core/JournalEntry"
import { JournalStore } from "@attestry/core/JournalStore"
import type { LogCheckpoint, LogLeaf, LogTree, RecordedKey } from "@attestry/core/Log"
import {
  type LeafRun,
  LogStore,
  type NewCheckpoint,
  type NewLog,
  type TreeKey
} from "@attestry/core/LogStore"
import { OrgStore } from "@attestry/core/OrgStore"
import { StoreError } from "@attestry/core/StoreError"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import type { Tile } from "@attestry/transparency-log/Tile"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { key, MemoryState, table } from "../shared/MemoryState.js"
import * as CosignaturesMemory from "./CosignaturesMemory.js"
import * as LogStatusMemory from "./LogStatusMemory.js"

/** A leaf with the epoch of its tree. */
interface StoredLeaf extends LogLeaf {
  readonly epoch: number
}

/** The entries of all orgs, whose numbers are 1 to their count. */
const journalEntries = table<JournalEntry>("journal")
const trees = table<LogTree>("log_tree")
/** By org and number. */
const leaves = table<StoredLeaf>("log_leaf")
/** By org, epoch and index. */
const numbers = table<number>("log_number")
const nodes = table<MerkleTree.Hash>("log_node")
const keys = table<RecordedKey & { readonly org: OrgId }>("log_key")
const checkpoints = table<LogCheckpoint>("log_checkpoint")

const WHOLE = { after: 0, limit: Number.POSITIVE_INFINITY }

/** Reads of checkpoints. */
const checkpointsIn = (state: typeof MemoryState.Service) => {
  const checkpointsOf = ({ org_id, epoch }: TreeKey) =>
    Effect.map(state.read(checkpoints), (rows) =>
      Array.from(rows)
        .filter(([place]) => place.startsWith(`${key(org_id, epoch)}\u0001`))
        .map(([, checkpoint]) => checkpoint)
        .sort((left, right) => left.size - right.size)
    )

  /**
   * The newest time of the entries of a tree: that of its newest checkpoint, or of an entry behind it. Clocks step
   * back, so that it is not the time of the last entry.
   */
  const newestTime = (tree: TreeKey, size: number) =>
    Effect.gen(function* () {
      const before = (yield* checkpointsOf(tree)).filter((each) => each.size < size).at(-1)
      const [places, rows] = [yield* state.read(numbers), yield* state.read(journalEntries)]
      let newest = before?.max_at
      for (let index = before?.size ?? 0; index < size; index++) {
        const at = HashMap.get(places, key(tree.org_id, tree.epoch, index)).pipe(
          Option.flatMap((sequence) => HashMap.get(rows, String(sequence))),
          Option.map((entry) => entry.at)
        )
        if (Option.isSome(at) && (newest === undefined || at.value > newest)) newest = at.value
      }
      return newest
    })

  const findCheckpoint = (tree: TreeKey) =>
    Effect.map(checkpointsOf(tree), (own) =>
      Option.map(Option.fromNullable(own.at(-1)), ({ max_at: _, ...checkpoint }) => checkpoint)
    )

  const insertCheckpoint = ({ org_id, epoch, size, signed_at, note }: NewCheckpoint) =>
    Effect.gen(function* () {
      const max_at = yield* newestTime({ org_id, epoch }, size)
      const time = max_at === undefined ? {} : { max_at }
      const place = key(org_id, epoch, size)
      yield* state.modify(checkpoints, (rows) => [
        undefined,
        HashMap.has(rows, place)
          ? rows
          : HashMap.set(rows, place, { epoch, size, signed_at, note, ...time })
      ])
    })

  return { checkpointsOf, findCheckpoint, insertCheckpoint }
}

const make = Effect.gen(function* () {
  const state = yield* MemoryState
  const journal = yield* JournalStore
  const orgs = yield* OrgStore

  const listTrees = (org: OrgId) =>
    Effect.map(state.read(trees), (rows) =>
      Array.from(HashMap.values(rows))
        .filter(({ org_id }) => org_id === org)
        .sort((left, right) => left.epoch - right.epoch)
    )

  const find = (org: OrgId) => Effect.map(listTrees(org), (own) => Option.fromNullable(own.at(-1)))

  const start = (log: NewLog) =>
    state.modify(trees, (rows) => {
      const tree = { epoch: 1, horizon: 0, done: [], ...log }
      const place = key(tree.org_id, tree.epoch)
      return HashMap.has(rows, place)
        ? [false, rows]
        : [true, HashMap.set(rows, place, { ...tree, edge: MerkleTree.EMPTY })]
    })

  const leafOf = (org: OrgId, sequence: number) =>
    Effect.map(state.read(leaves), (rows) => HashMap.get(rows, key(org, sequence)))

  const entries = (org: OrgId) => journal.listAfter({ org, ...WHOLE })

  /** The entries without a leaf, each with the newest leaf of its subject in an epoch. */
  const unlogged = (org: OrgId, epoch: number) =>
    Effect.gen(function* () {
      const all = yield* entries(org)
      const rows = yield* state.read(leaves)
      const newest = new Map<string, number>()
      const without = all.filter(({ sequence, subject: { type, id } }) => {
        const leaf = HashMap.get(rows, key(org, sequence))
        if (Option.isSome(leaf) && leaf.value.epoch === epoch) {
          const { index } = leaf.value
          newest.set(key(type, id), Math.max(index, newest.get(key(type, id)) ?? 0))
        }
        return Option.isNone(leaf)
      })
      return without.map((entry) => ({
        entry,
        prev: newest.get(key(entry.subject.type, entry.subject.id)) ?? null
      }))
    })

  /** Entries of a tree with their leaves, by index. WHY by their numbers: a long log is read in many pages. */
  const loggedOf = ({ org_id: org, epoch }: TreeKey, sequences: Iterable<number>) =>
    Effect.gen(function* () {
      const [all, rows] = [yield* state.read(journalEntries), yield* state.read(leaves)]
      return [...sequences]
        .flatMap((sequence) => {
          const entry = Option.getOrUndefined(HashMap.get(all, String(sequence)))
          const stored = Option.getOrUndefined(HashMap.get(rows, key(org, sequence)))
          if (entry === undefined || stored?.epoch !== epoch) return []
          const { epoch: _epoch, ...leaf } = stored
          return [{ entry, leaf }]
        })
        .sort((left, right) => left.leaf.index - right.leaf.index)
    })

  /** The numbers of the entries at a run of leaves. */
  const numbersIn = ({ org_id: org, epoch }: TreeKey, { begin, end }: LeafRun) =>
    Effect.map(state.read(numbers), (rows) => {
      const found: Array<number> = []
      for (let index = begin; index < Math.min(end, HashMap.size(rows)); index++) {
        const sequence = HashMap.get(rows, key(org, epoch, index))
        if (Option.isSome(sequence)) found.push(sequence.value)
      }
      return found
    })

  const hashAt = ({ org_id: org, epoch }: TreeKey, level: number, index: number) =>
    level > 0
      ? Effect.map(state.read(nodes), (rows) => HashMap.get(rows, key(org, epoch, level, index)))
      : Effect.gen(function* () {
          const number = HashMap.get(yield* state.read(numbers), key(org, epoch, index))
          if (Option.isNone(number)) return Option.none()
          return Option.map(yield* leafOf(org, number.value), ({ hash }) => hash)
        })

  const tileOf = (tree: TreeKey, tile: Tile) =>
    Effect.map(
      Effect.forEach(Array.from({ length: tile.width }), (_, offset) =>
        hashAt(tree, tile.level, tile.index * MerkleTree.TILE_WIDTH + offset)
      ),
      (hashes) => ({ tile, hashes: hashes.flatMap(Option.toArray) })
    )

  const { checkpointsOf, findCheckpoint, insertCheckpoint } = checkpointsIn(state)

  return LogStore.of({
    ...(yield* LogStatusMemory.make),
    ...(yield* CosignaturesMemory.make),
    start,
    listTrees,
    listSigned: (org) =>
      state.snapshot(
        Effect.flatMap(listTrees(org), (own) =>
          Effect.forEach(own, (tree) =>
            Effect.map(findCheckpoint(tree), (checkpoint) => ({ tree, checkpoint }))
          )
        )
      ),
    find,
    lock: find,
    visibility: Effect.map(state.read(journalEntries), (rows) => ({
      upTo: HashMap.size(rows),
      lagMillis: 0
    })),
    lastDrawn: Effect.map(state.read(journalEntries), HashMap.size),
    listUnlogged: ({ org_id, epoch }, limit) =>
      Effect.map(unlogged(org_id, epoch), (found) => found.slice(0, limit)),
    grow: (tree, growth) =>
      state.transaction(() =>
        Effect.gen(function* () {
          const { org_id: org, epoch } = tree
          for (const leaf of growth.leaves) {
            if (Option.isSome(yield* leafOf(org, leaf.sequence))) {
              const cause = new Error(`entry ${leaf.sequence} has a leaf`)
              return yield* new StoreError({ operation: "LogStore.grow", cause })
            }
            yield* state.modify(leaves, (rows) => [
              undefined,
              HashMap.set(rows, key(org, leaf.sequence), { ...leaf, epoch })
            ])
            yield* state.modify(numbers, (rows) => [
              undefined,
              HashMap.set(rows, key(org, epoch, leaf.index), leaf.sequence)
            ])
          }
          for (const { level, index, hash } of growth.nodes) {
            yield* state.modify(nodes, (rows) => [
              undefined,
              HashMap.set(rows, key(org, epoch, level, index), hash)
            ])
          }
          const { edge, horizon, done } = growth
          yield* state.modify(trees, (rows) => [
            undefined,
            HashMap.set(rows, key(org, epoch), { ...tree, edge, horizon, done })
          ])
        })
      ),
    listLogged: (tree, which) =>
      "sequence" in which
        ? loggedOf(tree, [which.sequence])
        : "sequences" in which
          ? loggedOf(tree, new Set(which.sequences))
          : Effect.flatMap(numbersIn(tree, which), (found) => loggedOf(tree, found)),
    listSubjectLeaves: (tree, { below: end, ids, type }) =>
      Effect.map(
        Effect.flatMap(numbersIn(tree, { begin: 0, end }), (found) => loggedOf(tree, found)),
        (found) => {
          const wanted = new Set(ids)
          return found.flatMap(({ entry: { content, subject }, leaf: { index, sequence } }) =>
            subject.type === type && wanted.has(subject.id)
              ? [{ index, sequence, bytes: Sha256.utf8(content).byteLength }]
              : []
          )
        }
      ),
    listPlaces: (org, sequences) =>
      Effect.map(
        Effect.forEach(sequences, (sequence) => leafOf(org, sequence)),
        (found) =>
          new Map(
            found
              .flatMap(Option.toArray)
              .map(({ sequence, index, prev }) => [sequence, { index, prev }] as const)
          )
      ),
    erase: (org, { sequence, actor: name, content, digest, remains }) =>
      state.transaction(() =>
        Effect.zipRight(
          state.modify(journalEntries, (rows) => [
            undefined,
            HashMap.modify(rows, String(sequence), (entry) => ({
              ...entry,
              content,
              digest,
              actor: { ...entry.actor, name }
            }))
          ]),
          state.modify(leaves, (rows) => [
            undefined,
            HashMap.modify(rows, key(org, sequence), (leaf) => ({ ...leaf, salt: remains }))
          ])
        )
      ),
    listTiles: (tree, tiles) => Effect.forEach(tiles, (tile) => tileOf(tree, tile)),
    listKeys: (org) =>
      Effect.map(state.read(keys), (rows) =>
        Array.from(HashMap.values(rows))
          .filter((row) => row.org === org)
          .map(({ org: _org, ...each }) => each)
          .sort((left, right) =>
            left.generation === right.generation
              ? left.first_size - right.first_size
              : left.generation - right.generation
          )
      ),
    putKey: (org, recorded) =>
      state.modify(keys, (rows) => [
        undefined,
        HashMap.set(rows, key(org, recorded.vkey), { ...recorded, org })
      ]),
    insertCheckpoints: (given) =>
      state.transaction(() => Effect.forEach(given, insertCheckpoint, { discard: true })),
    findCheckpoint,
    listCheckpoints: (tree, { after, upTo }) =>
      Effect.map(checkpointsOf(tree), (own) =>
        own.filter(({ size }) => size > after && size <= upTo)
      ),
    listBehind: ({ above, also, limit }) =>
      Effect.gen(function* () {
        const behind: Array<OrgId> = []
        const all = [...HashMap.values(yield* state.read(journalEntries))]
        const written = new Set(
          all.flatMap(({ org_id, sequence }) => (sequence > above ? [org_id] : []))
        )
        for (const { id } of yield* orgs.list) {
          const isAsked = above <= 0 || also.includes(id) || written.has(id)
          if (!isAsked || behind.length >= limit) continue
          if ((yield* unlogged(id, 1)).length > 0) behind.push(id)
        }
        return behind
      })
  })
})

/** `LogStore` in memory. */
export const layer: Layer.Layer<LogStore, never, MemoryState | JournalStore | OrgStore> =
  Layer.effect(LogStore, make)
