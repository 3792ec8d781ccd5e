/**
 * Signs checkpoints of logs, after proving that the new tree extends every tree that was signed before.
 *
 * Earlier checkpoints are known from the store, from `LogState` and from witnesses. A smaller or different tree is
 * not signed: an operator decides how to continue.
 */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import * as SignedBefore from "./internal/SignedBefore.js"
import { LogKeys } from "./LogKeys.js"
import { LogSigner } from "./LogSigner.js"
import { LogStore, type NewCheckpoint, type SignedTree } from "./LogStore.js"

/** The result of publishing a checkpoint. */
export type Published = "signed" | "unchanged" | "unsigned" | "forked"

/** The result of publishing a checkpoint of one of several logs. */
export type PublishedOrFailed = Either.Either<Published, StoreError>

type Outcome = readonly [OrgId, PublishedOrFailed]
type Outcomes = ReadonlyArray<Outcome>

/** How many logs are read at a time. WHY four: an org has connections left beside them. */
const AT_ONCE = 4

/** Use case: checkpoints of logs. */
export class LogCheckpoints extends Effect.Service<LogCheckpoints>()(
  "@attestry/core/LogCheckpoints",
  {
    effect: Effect.gen(function* () {
      const store = yield* LogStore
      const transaction = yield* Transaction
      const signer = yield* LogSigner
      const keys = yield* LogKeys
      const { isFork, isForkOf, largest, listRemembered, recall, remember } =
        yield* SignedBefore.make
      const stopped = new Set<OrgId>()

      const findSigned = (org: OrgId) =>
        Effect.map(store.listSigned(org), (all) => Option.fromNullable(all.at(-1)))

      /** The tree of an org that is to be signed, or why none is. */
      const prepare = Effect.fn(function* (
        org: OrgId
      ): Effect.fn.Return<Published | SignedTree, StoreError> {
        const first = yield* findSigned(org)
        if (Option.isNone(first)) return "unchanged"
        const { tree } = first.value
        if ((yield* signer.keys(tree.origin)).length === 0) return "unsigned"
        if (yield* isForkOf(first.value)) return "forked"
        const hasNoted = yield* keys.note(tree)
        const now = hasNoted
          ? Option.getOrElse(yield* findSigned(org), () => first.value)
          : first.value
        if (hasNoted && (yield* isForkOf(now))) return "forked"
        // A size above that of the tree: another process has signed a larger tree.
        const isSigned = Option.exists(now.checkpoint, ({ size }) => size >= now.tree.edge.size)
        return isSigned ? "unchanged" : now
      })

      /** Signs a tree and remembers its checkpoint. INVARIANT: remembered before it is stored, and so published. */
      const sign = ({ tree, checkpoint }: SignedTree, signed_at: Timestamp.Timestamp) =>
        Effect.gen(function* () {
          const { origin, epoch, org_id } = tree
          const { size } = tree.edge
          const root = MerkleTree.root(tree.edge)
          const text = Checkpoint.print({ origin, size, root })
          const signatures = yield* signer.sign(origin, text)
          const stored = Option.match(checkpoint, { onNone: () => 0, onSome: (each) => each.size })
          yield* remember(origin, { size, root: Base64.encode(root), stored })
          const note = SignedNote.print({ text, signatures })
          return { org_id, epoch, size, signed_at, note }
        })

      /** Stores checkpoints by one statement; if it fails, each by its own, so that one org stops no other. */
      const insertAll = (rows: ReadonlyArray<NewCheckpoint>): Effect.Effect<Outcomes> =>
        Effect.flatMap(Effect.either(store.insertCheckpoints(rows)), (stored) =>
          Either.isLeft(stored) && rows.length > 1
            ? Effect.map(
                Effect.forEach(rows, (row) => insertAll([row])),
                (each) => each.flat()
              )
            : Effect.succeed(
                rows.map(({ org_id }) => [org_id, Either.map(stored, () => "signed" as const)])
              )
        )

      const failedAll = (trees: ReadonlyArray<SignedTree>, error: StoreError): Outcomes =>
        trees.map(({ tree }) => [tree.org_id, Either.left(error)] as const)

      const signAll = (trees: ReadonlyArray<SignedTree>): Effect.Effect<Outcomes> =>
        Effect.gen(function* () {
          const [first] = trees
          if (first === undefined) return []
          const clock = transaction.run(first.tree.org_id, (scope) => scope.now)
          const at = yield* Effect.either(clock)
          if (Either.isLeft(at)) return failedAll(trees, at.left)
          const failed: Array<Outcome> = []
          const rows: Array<NewCheckpoint> = []
          yield* Effect.forEach(
            trees,
            (each) =>
              Effect.map(Effect.either(sign(each, at.right)), (signed) => {
                if (Either.isRight(signed)) rows.push(signed.right)
                else failed.push([each.tree.org_id, Either.left(signed.left)])
              }),
            // WHY all at once: checkpoints that are remembered at the same time share one write of the state file.
            { concurrency: "unbounded" }
          )
          return [...failed, ...(rows.length === 0 ? [] : yield* insertAll(rows))]
        })

      /**
       * Signs the committed trees of the logs of some orgs that have grown and extend every signed tree; all by one
       * write of `LogState` and one of the store. A log that does not extend them is stopped until a later tree does.
       */
      const publishAll = Effect.fn("LogCheckpoints.publishAll")(function* (
        orgs: ReadonlyArray<OrgId>
      ): Effect.fn.Return<ReadonlyMap<OrgId, PublishedOrFailed>> {
        const outcomes = new Map<OrgId, PublishedOrFailed>()
        const due: Array<SignedTree> = []
        const prepared = yield* Effect.forEach(orgs, (org) => Effect.either(prepare(org)), {
          concurrency: AT_ONCE
        })
        for (const [place, org] of orgs.entries()) {
          const each = prepared[place]
          if (each === undefined) continue
          if (Either.isLeft(each)) outcomes.set(org, Either.left(each.left))
          else if (typeof each.right === "string") outcomes.set(org, Either.right(each.right))
          else due.push(each.right)
        }
        for (const [org, each] of yield* signAll(due)) outcomes.set(org, each)
        for (const [org, each] of outcomes) {
          if (Either.isLeft(each)) continue
          if (each.right === "forked") stopped.add(org)
          else stopped.delete(org)
        }
        return outcomes
      })

      /** As `publishAll`, for one log. */
      const publish = (org: OrgId): Effect.Effect<Published, StoreError> =>
        Effect.flatMap(publishAll([org]), (all) => all.get(org) ?? Either.right("unchanged"))

      /** Whether this process has stopped the log of an org because it does not extend its signed trees. */
      const isStopped = (org: OrgId): boolean => stopped.has(org)

      return {
        publish,
        publishAll,
        isFork,
        isStopped,
        recall,
        listRemembered,
        remembered: largest
      } as const
    })
  }
) {}
