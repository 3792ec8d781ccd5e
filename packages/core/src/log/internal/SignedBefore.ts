/**
 * What was signed before of a log, and whether a tree extends it: by the store, by `LogState` and by witnesses. A log
 * is signed only if it extends all that these remember.
 */
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as MerkleProof from "@attestry/transparency-log/MerkleProof"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as Tile from "@attestry/transparency-log/Tile"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { StoreError } from "../../shared/StoreError.js"
import type { LogCheckpoint, LogTree } from "../Log.js"
import { inProcess, LogState, type RememberedCheckpoint } from "../LogState.js"
import { LogStore, type SignedTree } from "../LogStore.js"
import { WitnessedCheckpoints } from "../WitnessedCheckpoints.js"

const read = ({ note }: LogCheckpoint): Option.Option<RememberedCheckpoint> =>
  SignedNote.parse(note).pipe(
    Option.flatMap(({ text }) => Checkpoint.parse(text)),
    Option.map(({ size, root }) => ({ size, root: Base64.encode(root) }))
  )

/** Each checkpoint once: memories usually agree, and each that is asked about costs a read of tiles. */
const distinct = (
  all: ReadonlyArray<RememberedCheckpoint>
): ReadonlyArray<RememberedCheckpoint> => [
  ...new Map(all.map((each) => [`${each.size} ${each.root}`, each])).values()
]

/** Reads of what was signed before. */
export const make = Effect.gen(function* () {
  const store = yield* LogStore
  const kept = yield* LogState
  const witnessed = yield* WitnessedCheckpoints
  const recent = inProcess()

  /** Whether a tree extends a checkpoint, according to the tree's tiles. */
  const continues = (tree: LogTree, before: RememberedCheckpoint) =>
    Effect.gen(function* () {
      const { size } = tree.edge
      const root = MerkleTree.root(tree.edge)
      if (before.size > size) return false
      if (before.size === size) return before.root === Base64.encode(root)
      const edge = MerkleTree.subtreesOf({ begin: 0, end: before.size })
      const tiles = yield* store.listTiles(tree, Tile.needed(size, edge))
      const reader = Tile.authenticate({ size, root }, tiles)
      return (
        Either.isRight(reader) &&
        Base64.encode(MerkleProof.rootOf(before.size, reader.right)) === before.root
      )
    })

  /** The largest checkpoints of a log that are remembered outside of the store, also of a log that is not in it. */
  const recall = (origin: string): Effect.Effect<ReadonlyArray<RememberedCheckpoint>, StoreError> =>
    Effect.gen(function* () {
      return [
        ...Option.toArray(yield* recent.find(origin)),
        ...Option.toArray(yield* kept.find(origin)),
        ...Option.toArray(yield* witnessed.find(origin))
      ]
    })

  /** The origins of all logs that `LogState` remembers. Witnesses cannot list origins. */
  const listRemembered: Effect.Effect<ReadonlyArray<string>, StoreError> = Effect.gen(function* () {
    const [first, second] = [yield* kept.list, yield* recent.list]
    return [...new Set([...first.keys(), ...second.keys()])].sort()
  })

  const known = ({ tree, checkpoint }: SignedTree) =>
    Effect.map(recall(tree.origin), (recalled) =>
      distinct([...Option.toArray(Option.flatMap(checkpoint, read)), ...recalled])
    )

  const signedOf = (tree: LogTree): Effect.Effect<SignedTree, StoreError> =>
    Effect.map(store.findCheckpoint(tree), (checkpoint) => ({ tree, checkpoint }))

  /** The largest remembered checkpoint of a tree. */
  const largest = (tree: LogTree): Effect.Effect<Option.Option<RememberedCheckpoint>, StoreError> =>
    Effect.map(Effect.flatMap(signedOf(tree), known), (all) =>
      Option.fromNullable([...all].sort((left, right) => right.size - left.size)[0])
    )

  /** The tree as it is stored now. */
  const reread = (tree: LogTree) =>
    Effect.map(
      store.listTrees(tree.org_id),
      (trees) => trees.find(({ epoch }) => epoch === tree.epoch) ?? tree
    )

  /** Whether a tree does not extend all that was signed; its newest stored checkpoint was read with it or after it. */
  const isForkOf = (signed: SignedTree): Effect.Effect<boolean, StoreError> =>
    Effect.gen(function* () {
      const { tree } = signed
      for (const before of yield* known(signed)) {
        // WHY: another process may have added and signed leaves since the tree was read.
        const now = before.size > tree.edge.size ? yield* reread(tree) : tree
        if (!(yield* continues(now, before))) return true
      }
      return false
    })

  const isFork = (tree: LogTree): Effect.Effect<boolean, StoreError> =>
    Effect.flatMap(signedOf(tree), isForkOf)

  /** Remembers a checkpoint that is about to be published. */
  const remember = (
    origin: string,
    checkpoint: RememberedCheckpoint
  ): Effect.Effect<void, StoreError> =>
    Effect.zipRight(kept.put(origin, checkpoint), recent.put(origin, checkpoint))

  return { recall, listRemembered, largest, isFork, isForkOf, remember } as const
})
