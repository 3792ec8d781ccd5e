/** Opens the log of an org for a reader: checks access, and reads its trees and the published checkpoint. */

import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../../access/Access.js"
import { CurrentActor } from "../../access/Actor.js"
import type { OrgId, OrgName } from "../../shared/Identifier.js"
import { DryRun } from "../../shared/internal/DryRun.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { LogCheckpoint, LogTree } from "../Log.js"
import { LogCheckpoints, type Published } from "../LogCheckpoints.js"
import * as LogProof from "../LogProof.js"
import { LogSequencer } from "../LogSequencer.js"
import { LogStore, type SignedTree } from "../LogStore.js"
import { LogUpkeep } from "../LogUpkeep.js"
import * as EntryId from "./EntryId.js"
import * as PublishedCheckpoint from "./PublishedCheckpoint.js"

/** The log to open, and the origin if it must be created. */
export interface LogQuestion {
  readonly org: OrgName
  readonly origin: string
  /** The epoch to open; the newest by default. */
  readonly epoch?: number
  /**
   * The id of the org, where the caller has authorized a read of the things that the answer is about; absent asks for
   * the permission to read the whole org, which everything else of a log needs.
   */
  readonly authorized?: OrgId
}

/** An open log: its tree, the published part of it, and the newest checkpoint. */
export interface OpenLog {
  readonly tree: LogTree
  /** The trees of all epochs, oldest first. */
  readonly trees: ReadonlyArray<LogTree>
  readonly head: LogProof.LogHead
  readonly checkpoint: Option.Option<PublishedCheckpoint.PublishedCheckpoint>
  readonly isAdmin: boolean
}

/** A log without entries. */
const emptyLog = (org_id: OrgId, origin: string): SignedTree => ({
  tree: {
    org_id,
    epoch: 1,
    origin,
    entryKey: new Uint8Array(EntryId.KEY_BYTES),
    edge: MerkleTree.EMPTY,
    horizon: 0,
    done: []
  },
  checkpoint: Option.none()
})

const headOf = (tree: LogTree, checkpoint: Option.Option<LogCheckpoint>): LogProof.LogHead =>
  checkpoint.pipe(
    Option.flatMap(({ note }) => SignedNote.parse(note)),
    Option.flatMap(({ text }) => Checkpoint.parse(text)),
    Option.getOrElse(() => ({ size: tree.edge.size, root: MerkleTree.root(tree.edge) }))
  )

/** Makes the function that opens logs. */
export const make = Effect.gen(function* () {
  const store = yield* LogStore
  const sequencer = yield* LogSequencer
  const checkpoints = yield* LogCheckpoints
  const upkeep = yield* LogUpkeep
  const published = yield* PublishedCheckpoint.make

  /**
   * Adds waiting entries, if readers do that. WHY not in a dry run: the signed checkpoint would be remembered outside
   * of the transaction that is rolled back.
   */
  const catchUp = (org: OrgId, origin: string): Effect.Effect<Published, StoreError> =>
    Effect.gen(function* () {
      if (upkeep === "worker" || (yield* DryRun)) return "unchanged"
      yield* sequencer.catchUp(org, origin)
      return yield* checkpoints.publish(org)
    })

  const open = ({
    org,
    origin,
    epoch,
    authorized
  }: LogQuestion): Effect.Effect<
    OpenLog,
    StoreError | Access.AccessDenied | LogProof.LogEpochNotFound,
    CurrentActor
  > =>
    Effect.gen(function* () {
      const actor = yield* CurrentActor
      const orgId = authorized ?? (yield* Access.authorize(actor, org, "org.read")).orgId
      yield* catchUp(orgId, origin)
      const isAdmin = Access.isAllowed(actor, org, "journal.read")
      const signed = yield* store.listSigned(orgId)
      const found =
        (epoch === undefined ? signed.at(-1) : signed.find(({ tree }) => tree.epoch === epoch)) ??
        emptyLog(orgId, origin)
      const { tree } = found
      if (tree.epoch !== (epoch ?? tree.epoch)) {
        return yield* new LogProof.LogEpochNotFound({ org, epoch: epoch ?? tree.epoch })
      }
      const checkpoint = yield* published(found)
      const trees = signed.map((each) => each.tree)
      return { tree, trees, head: headOf(tree, checkpoint), checkpoint, isAdmin }
    })

  return open
})
