/**
 * Reads the log of an org: its state, tiles, proofs, receipts and events.
 *
 * WHY not in `log`: access stands to the right of it. Every hash comes from tiles that were checked up to the published
 * root before it is given out.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { JournalEntry } from "../journal/JournalEntry.js"
import * as Checkpoint from "../log/Checkpoint.js"
import * as EntryBundle from "../log/EntryBundle.js"
import * as EntryId from "../log/EntryId.js"
import { entryOf, type LogCheckpoint, type LoggedEntry, type LogTree } from "../log/Log.js"
import { LogCheckpoints, type Published } from "../log/LogCheckpoints.js"
import { LogKeys } from "../log/LogKeys.js"
import * as LogProof from "../log/LogProof.js"
import { LogSequencer } from "../log/LogSequencer.js"
import { LogSigner } from "../log/LogSigner.js"
import { LogState } from "../log/LogState.js"
import { LogStore } from "../log/LogStore.js"
import { LogUpkeep } from "../log/LogUpkeep.js"
import * as MerkleProof from "../log/MerkleProof.js"
import * as MerkleTree from "../log/MerkleTree.js"
import * as SignedNote from "../log/SignedNote.js"
import * as Tile from "../log/Tile.js"
import * as Bytes from "../shared/Bytes.js"
import type { Json } from "../shared/CanonicalJson.js"
import type { OrgId, OrgName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import * as Access from "./Access.js"
import { CurrentActor } from "./Actor.js"
import * as LogDisclosure from "./internal/LogDisclosure.js"
import * as LogWaiting from "./internal/LogWaiting.js"
import * as PublishedCheckpoint from "./internal/PublishedCheckpoint.js"

/** The log that is asked for, and the origin it is begun with when it is new. */
export interface LogQuestion {
  readonly org: OrgName
  readonly origin: string
  /** The epoch that is asked for; the newest unless asked. */
  readonly epoch?: number
}

/** Which receipt is wanted, and how many seconds to wait for it. */
export interface ReceiptQuestion {
  readonly entry: string
  readonly size: Option.Option<number>
  readonly wait: number
}

/** Which events are wanted, and how many seconds to wait for the first. */
export interface EventQuestion {
  readonly after: number
  readonly limit: number
  readonly wait: number
}

/** An opened log: its tree, what of it is published, and the newest checkpoint. */
interface OpenLog {
  readonly tree: LogTree
  /** The trees of all epochs, oldest first. */
  readonly trees: ReadonlyArray<LogTree>
  readonly head: LogProof.LogHead
  readonly checkpoint: Option.Option<PublishedCheckpoint.PublishedCheckpoint>
  readonly isAdmin: boolean
}

/** The tree of a log that has no entry yet. */
const emptyTree = (org_id: OrgId, origin: string): LogTree => ({
  ...{ org_id, epoch: 1, origin, entryKey: new Uint8Array(EntryId.KEY_BYTES) },
  ...{ edge: MerkleTree.EMPTY, horizon: 0, done: [] }
})

const headOf = (tree: LogTree, checkpoint: Option.Option<LogCheckpoint>): LogProof.LogHead =>
  checkpoint.pipe(
    Option.flatMap(({ note }) => SignedNote.parse(note)),
    Option.flatMap(({ text }) => Checkpoint.parse(text)),
    Option.getOrElse(() => ({ size: tree.edge.size, root: MerkleTree.root(tree.edge) }))
  )

const atMost = (field: LogProof.OutsideLog["field"], value: number, max: number) =>
  value <= max ? Effect.void : new LogProof.OutsideLog({ field, value, max })

const shownOf = (isAdmin: boolean, logged: LoggedEntry) => {
  const { subject } = logged.entry
  const concealed = LogDisclosure.withoutCheckDisclosure(subject, entryOf(logged).concealed)
  if (isAdmin) return concealed
  return LogDisclosure.isClosed(subject) ? [] : LogDisclosure.withoutAddresses(concealed)
}

const contentOf = (isAdmin: boolean, { subject, content }: JournalEntry): Json => {
  if (!isAdmin && LogDisclosure.isClosed(subject)) return null
  // INVARIANT: the content of an entry is JSON.
  const value = LogDisclosure.withoutCheck(subject, JSON.parse(content))
  return isAdmin ? value : LogDisclosure.redacted(value)
}

/** An entry with its leaf, in the epoch that has it. */
const findEntry = (store: LogStore["Type"], log: OpenLog, sequence: number) =>
  Effect.gen(function* () {
    for (const tree of [...log.trees].reverse()) {
      const logged = yield* store.findLogged(tree, sequence)
      if (Option.isSome(logged)) return { epoch: tree.epoch, logged: logged.value }
    }
    return undefined
  })

/** Use cases of reading logs. */
export class LogViews extends Effect.Service<LogViews>()("@attestry/core/LogViews", {
  effect: Effect.gen(function* () {
    const store = yield* LogStore
    const sequencer = yield* LogSequencer
    const checkpoints = yield* LogCheckpoints
    const signer = yield* LogSigner
    const logKeys = yield* LogKeys
    const upkeep = yield* LogUpkeep
    const memory = yield* LogState
    const published = yield* PublishedCheckpoint.make
    const waitFor = LogWaiting.make()

    /** Brings a log up to date, where readers do that. */
    const catchUp = (org: OrgId, origin: string): Effect.Effect<Published, StoreError> =>
      Effect.gen(function* () {
        if (upkeep === "worker") return "unchanged"
        yield* sequencer.catchUp(org, origin)
        return yield* checkpoints.publish(org)
      })

    const open = ({
      org,
      origin,
      epoch
    }: LogQuestion): Effect.Effect<
      OpenLog,
      StoreError | Access.AccessDenied | LogProof.LogEpochNotFound,
      CurrentActor
    > =>
      Effect.gen(function* () {
        const actor = yield* CurrentActor
        const { orgId } = yield* Access.authorize(actor, org, "org.read")
        yield* catchUp(orgId, origin)
        const isAdmin = Access.isAllowed(actor, org, "journal.read")
        const trees = yield* store.listTrees(orgId)
        const found =
          (epoch === undefined ? trees.at(-1) : trees.find((tree) => tree.epoch === epoch)) ??
          emptyTree(orgId, origin)
        if (found.epoch !== (epoch ?? found.epoch)) {
          return yield* new LogProof.LogEpochNotFound({ org, epoch: epoch ?? found.epoch })
        }
        const checkpoint = yield* published(found)
        return { tree: found, trees, head: headOf(found, checkpoint), checkpoint, isAdmin }
      })

    /** A reader of hashes that all belong to the published tree. */
    const reader = (
      org: OrgName,
      { tree, head }: OpenLog,
      subtrees: ReadonlyArray<MerkleTree.Subtree>
    ) =>
      Effect.gen(function* () {
        const tiles = yield* store.listTiles(tree, Tile.needed(head.size, subtrees))
        const checked = Tile.authenticate(head, tiles)
        if (Either.isRight(checked)) return checked.right
        const { level, index } = checked.left.tile
        return yield* new LogProof.LogDamaged({ org, level, index })
      })

    /** State of the log. */
    const get = Effect.fn("LogViews.get")(function* (question: LogQuestion) {
      const { tree, trees, checkpoint } = yield* open(question)
      const keys = yield* signer.keys(tree.origin)
      const isFork = keys.length > 0 && (yield* checkpoints.isFork(tree))
      const root = MerkleTree.root(tree.edge)
      const recorded = yield* logKeys.list(tree.org_id)
      return { tree, trees, checkpoint, keys, recorded, isFork, root, isKept: memory.isKept }
    })

    /** The newest checkpoint as a signed note. */
    const checkpoint = Effect.fn("LogViews.checkpoint")(function* (question: LogQuestion) {
      const { org } = question
      const log = yield* open(question)
      if (Option.isSome(log.checkpoint)) return log.checkpoint.value.note
      const hasKey = (yield* signer.keys(log.tree.origin)).length > 0
      return yield* new LogProof.LogUnsigned({ org, reason: hasKey ? "empty" : "no-key" })
    })

    /** The bytes of a tile that the published tree reaches. */
    const tile = Effect.fn("LogViews.tile")(function* (question: LogQuestion, wanted: Tile.Tile) {
      const log = yield* open(question)
      if (wanted.width > Tile.within(log.head.size, wanted).width) {
        return yield* new LogProof.TileNotFound({ org: question.org })
      }
      const [found] = yield* store.listTiles(log.tree, [wanted])
      return Bytes.concat(found?.hashes ?? [])
    })

    /** The bytes of an entry bundle that the published tree reaches. */
    const entries = Effect.fn("LogViews.entries")(function* (
      question: LogQuestion,
      wanted: Tile.TilePlace
    ) {
      const log = yield* open(question)
      if (wanted.width > Tile.within(log.head.size, { level: 0, index: wanted.index }).width) {
        return yield* new LogProof.TileNotFound({ org: question.org })
      }
      const begin = wanted.index * MerkleTree.TILE_WIDTH
      const logged = yield* store.listLogged(log.tree, { begin, end: begin + wanted.width })
      return EntryBundle.print(logged.map((each) => entryOf(each).bytes))
    })

    const proved = (org: OrgName, log: OpenLog, place: MerkleProof.Position) =>
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

    /** A proof that a leaf is in the tree of a size, by default the published one. */
    const inclusion = Effect.fn("LogViews.inclusion")(function* (
      question: LogQuestion,
      { index, size }: { readonly index: number; readonly size: Option.Option<number> }
    ) {
      const log = yield* open(question)
      const within = Option.getOrElse(size, () => log.head.size)
      yield* atMost("size", within, log.head.size)
      yield* atMost("index", index, within - 1)
      return yield* proved(question.org, log, { index, size: within })
    })

    /** A proof that the tree of one size is the beginning of that of another. */
    const consistency = Effect.fn("LogViews.consistency")(function* (
      question: LogQuestion,
      { from, to }: MerkleProof.Sizes
    ) {
      const log = yield* open(question)
      yield* atMost("to", to, log.head.size)
      yield* atMost("from", from, to)
      const runs = MerkleProof.consistencyRuns({ from, to })
      const edges = [from, to].flatMap((end) => MerkleTree.subtreesOf({ begin: 0, end }))
      const read = yield* reader(question.org, log, [...MerkleProof.subtreesFor(runs), ...edges])
      return {
        ...{ from, to, hashes: MerkleProof.hashesOf(runs, read) },
        fromRoot: MerkleProof.rootOf(from, read),
        toRoot: MerkleProof.rootOf(to, read)
      }
    })

    const readReceipt = Effect.fn(function* (
      question: LogQuestion,
      { entry, size }: Pick<ReceiptQuestion, "entry" | "size">
    ) {
      const { org } = question
      const newest = yield* open(question)
      const sequence = EntryId.read(newest.tree.entryKey, entry)
      const isThere = Option.isSome(sequence)
        ? yield* store.hasEntry(newest.tree.org_id, sequence.value)
        : false
      if (Option.isNone(sequence) || !isThere) {
        return yield* new LogProof.LogEntryNotFound({ org, entry })
      }
      const place = yield* findEntry(store, newest, sequence.value)
      if (place === undefined) return Option.none()
      const log = yield* open({ ...question, epoch: place.epoch })
      const { logged } = place
      if (logged.leaf.index >= log.head.size) return Option.none()
      const { leaf } = logged
      const within = Option.getOrElse(size, () => log.head.size)
      yield* atMost("size", within, log.head.size)
      if (within <= leaf.index) {
        return yield* new LogProof.OutsideLog({ field: "size", value: within, max: log.head.size })
      }
      const proof = yield* proved(org, log, { index: leaf.index, size: within })
      const made = entryOf(logged)
      // WHY: a journal row that was changed gives another leaf; a receipt of it would prove nothing.
      if (!Bytes.equals(made.hash, proof.leaf)) {
        return yield* new LogProof.LogDamaged({ org, level: 0, index: leaf.index })
      }
      return Option.some({
        ...{ index: leaf.index, size: within, hashes: proof.hashes, bytes: made.bytes },
        disclosures: shownOf(log.isAdmin, logged).map(({ disclosure }) => disclosure),
        checkpoint: Option.map(log.checkpoint, ({ note }) => note)
      })
    })

    /** The receipt of an entry; none while it has no leaf in a published tree, after waiting for it. */
    const receipt = Effect.fn("LogViews.receipt")((question: LogQuestion, asked: ReceiptQuestion) =>
      waitFor(readReceipt(question, asked), { seconds: asked.wait, isOver: Option.isSome })
    )

    /** The ids of entries of the journal, in this order, each with its index where a published tree has its leaf. */
    const locate = Effect.fn("LogViews.locate")(function* (
      question: LogQuestion,
      sequences: ReadonlyArray<number>
    ) {
      const { tree, head } = yield* open(question)
      return yield* Effect.forEach(sequences, (sequence) =>
        Effect.map(store.findLogged(tree, sequence), (logged) => ({
          entry: EntryId.make(tree.entryKey, sequence),
          index: logged.pipe(
            Option.map(({ leaf }) => leaf.index),
            Option.filter((index) => index < head.size)
          )
        }))
      )
    })

    const readEvents = Effect.fn(function* (
      question: LogQuestion,
      { after, limit }: Pick<EventQuestion, "after" | "limit">
    ) {
      const log = yield* open(question)
      const begin = after + 1
      const end = Math.min(begin + limit, log.head.size)
      const found = begin < end ? yield* store.listLogged(log.tree, { begin, end }) : []
      return {
        size: log.head.size,
        events: found.map(({ entry, leaf }) => ({
          ...{ entry, leaf, id: EntryId.make(log.tree.entryKey, entry.sequence) },
          content: contentOf(log.isAdmin, entry)
        }))
      }
    })

    /** Entries by index from one on, each with its id, and the published size; waits until there is one. */
    const events = Effect.fn("LogViews.events")((question: LogQuestion, asked: EventQuestion) =>
      waitFor(readEvents(question, asked), {
        seconds: asked.wait,
        isOver: ({ events: found }) => found.length > 0
      })
    )

    return {
      get,
      checkpoint,
      tile,
      entries,
      inclusion,
      consistency,
      receipt,
      locate,
      events
    } as const
  })
}) {}
