/**
 * Signs checkpoints of logs, after proving that the new tree extends every tree that was signed before.
 *
 * Earlier checkpoints are known from the store, from `LogState` and from witnesses. A smaller or different tree is
 * not signed: an operator decides how to continue.
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
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import type { LogTree } from "./Log.js"
import { LogKeys } from "./LogKeys.js"
import { LogSigner } from "./LogSigner.js"
import { inProcess, LogState, type RememberedCheckpoint } from "./LogState.js"
import { LogStore } from "./LogStore.js"
import { WitnessedCheckpoints } from "./WitnessedCheckpoints.js"

/** The result of publishing a checkpoint. */
export type Published = "signed" | "unchanged" | "unsigned" | "forked"

const read = (note: string): Option.Option<RememberedCheckpoint> =>
  SignedNote.parse(note).pipe(
    Option.flatMap(({ text }) => Checkpoint.parse(text)),
    Option.map(({ size, root }) => ({ size, root: Base64.encode(root) }))
  )

/** Use case: checkpoints of logs. */
export class LogCheckpoints extends Effect.Service<LogCheckpoints>()(
  "@attestry/core/LogCheckpoints",
  {
    effect: Effect.gen(function* () {
      const store = yield* LogStore
      const transaction = yield* Transaction
      const signer = yield* LogSigner
      const keys = yield* LogKeys
      const kept = yield* LogState
      const witnessed = yield* WitnessedCheckpoints
      const recent = inProcess()
      const stopped = new Set<OrgId>()

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

      /**
       * The largest checkpoint of a log that is remembered outside of the store, whether or not the store has the
       * log.
       */
      const recall = (
        origin: string
      ): Effect.Effect<ReadonlyArray<RememberedCheckpoint>, StoreError> =>
        Effect.gen(function* () {
          return [
            ...Option.toArray(yield* recent.find(origin)),
            ...Option.toArray(yield* kept.find(origin)),
            ...Option.toArray(yield* witnessed.find(origin))
          ]
        })

      /** The origins of all logs that `LogState` remembers. Witnesses cannot list origins. */
      const listRemembered: Effect.Effect<ReadonlyArray<string>, StoreError> = Effect.gen(
        function* () {
          const [first, second] = [yield* kept.list, yield* recent.list]
          return [...new Set([...first.keys(), ...second.keys()])].sort()
        }
      )

      const known = (tree: LogTree) =>
        Effect.gen(function* () {
          const stored = Option.flatMap(yield* store.findCheckpoint(tree), ({ note }) => read(note))
          return [...Option.toArray(stored), ...(yield* recall(tree.origin))]
        })

      /** The largest remembered checkpoint of a tree. */
      const remembered = (
        tree: LogTree
      ): Effect.Effect<Option.Option<RememberedCheckpoint>, StoreError> =>
        Effect.map(known(tree), (all) =>
          Option.fromNullable([...all].sort((left, right) => right.size - left.size)[0])
        )

      /** The tree as it is stored now. */
      const reread = (tree: LogTree) =>
        Effect.map(
          store.listTrees(tree.org_id),
          (trees) => trees.find(({ epoch }) => epoch === tree.epoch) ?? tree
        )

      const isFork = (tree: LogTree): Effect.Effect<boolean, StoreError> =>
        Effect.gen(function* () {
          for (const before of yield* known(tree)) {
            // WHY: another process may have added and signed leaves since the tree was read.
            const now = before.size > tree.edge.size ? yield* reread(tree) : tree
            if (!(yield* continues(now, before))) return true
          }
          return false
        })

      const sign = (
        tree: LogTree,
        { signed_at, stored }: { readonly signed_at: Timestamp.Timestamp; readonly stored: number }
      ) =>
        Effect.gen(function* () {
          const { origin, epoch, org_id } = tree
          const root = MerkleTree.root(tree.edge)
          const { size } = tree.edge
          const text = Checkpoint.print({ origin, size, root })
          const signatures = yield* signer.sign(origin, text)
          for (const memory of [kept, recent]) {
            yield* memory.put(origin, { size, root: Base64.encode(root), stored })
          }
          const note = SignedNote.print({ text, signatures })
          yield* store.insertCheckpoint(org_id, { epoch, size, signed_at, note })
        })

      const publishOnce = Effect.fn(function* (
        org: OrgId
      ): Effect.fn.Return<Published, StoreError> {
        const before = yield* store.find(org)
        if (Option.isNone(before)) return "unchanged"
        if ((yield* signer.keys(before.value.origin)).length === 0) return "unsigned"
        if (yield* isFork(before.value)) return "forked"
        yield* keys.note(before.value)
        const tree = Option.orElse(yield* store.find(org), () => before)
        if (Option.isNone(tree)) return "unchanged"
        const newest = yield* store.findCheckpoint(tree.value)
        if (Option.exists(newest, ({ size }) => size === tree.value.edge.size)) return "unchanged"
        if (yield* isFork(tree.value)) return "forked"
        // Another process has signed a larger tree.
        if (Option.exists(newest, ({ size }) => size > tree.value.edge.size)) return "unchanged"
        const now = yield* transaction.run(org, (scope) => scope.now)
        const stored = Option.match(newest, { onNone: () => 0, onSome: (each) => each.size })
        yield* sign(tree.value, { signed_at: now, stored })
        return "signed"
      })

      /**
       * Signs the committed tree of an org's log if it has grown and extends every signed tree. A log that does not
       * extend them is stopped until a later tree does.
       */
      const publish = Effect.fn("LogCheckpoints.publish")((org: OrgId) =>
        Effect.tap(publishOnce(org), (outcome) => {
          if (outcome === "forked") stopped.add(org)
          else stopped.delete(org)
        })
      )

      /** Whether this process has stopped the log of an org because it does not extend its signed trees. */
      const isStopped = (org: OrgId): boolean => stopped.has(org)

      return { publish, isFork, isStopped, recall, listRemembered, remembered } as const
    })
  }
) {}
