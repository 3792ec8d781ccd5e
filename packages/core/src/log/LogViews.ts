/**
 * Reads the log of an org: its state, tiles, proofs, receipts and events.
 *
 * Hashes come only from tiles that were verified against the published root.
 */

import * as Bytes from "@attestry/transparency-log/Bytes"
import type * as MerkleProof from "@attestry/transparency-log/MerkleProof"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as Tile from "@attestry/transparency-log/Tile"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CredentialLife } from "../access/CredentialLife.js"
import type { JournalEntry } from "../journal/JournalEntry.js"
import { JournalStore } from "../journal/JournalStore.js"
import * as BoundedCache from "../shared/BoundedCache.js"
import type { Json } from "../shared/CanonicalJson.js"
import type { OrgId } from "../shared/Identifier.js"
import * as Slices from "../shared/Slices.js"
import * as EntryId from "./internal/EntryId.js"
import * as LogDisclosure from "./internal/LogDisclosure.js"
import * as LogWaiting from "./internal/LogWaiting.js"
import type { LogQuestion } from "./internal/OpenLogs.js"
import * as OpenLogs from "./internal/OpenLogs.js"
import * as StoredBundles from "./internal/StoredBundles.js"
import * as StoredProofs from "./internal/StoredProofs.js"
import { entryOf, type LoggedEntry } from "./Log.js"
import { LogCheckpoints } from "./LogCheckpoints.js"
import { endings } from "./LogEpochs.js"
import { LogKeys } from "./LogKeys.js"
import * as LogProof from "./LogProof.js"
import { LogSigner } from "./LogSigner.js"
import { LogState } from "./LogState.js"
import { LogStore } from "./LogStore.js"
import { WitnessedCheckpoints } from "./WitnessedCheckpoints.js"

/** The org and epoch of a log to read. */
export type { LogQuestion } from "./internal/OpenLogs.js"

/** A receipt to read, and how many seconds to wait for it. */
export interface ReceiptQuestion {
  readonly entry: string
  readonly size: Option.Option<number>
  readonly wait: number
}

/** The events to read, and how many seconds to wait for the first. */
export interface EventQuestion {
  readonly after: number
  readonly limit: number
  readonly wait: number
}

/** Entries without a leaf are counted up to this number. */
export const PENDING_MAX = 100_000

/** How many orgs are cached as public or private, and for how long. */
const PUBLICITY_MAX = 1_000
const PUBLICITY_MILLIS = 10_000

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

/** Finds an entry with its leaf, in whichever epoch has it. */
const findEntry = (store: LogStore["Type"], log: OpenLogs.OpenLog, sequence: number) =>
  Effect.gen(function* () {
    for (const tree of [...log.trees].reverse()) {
      const [logged] = yield* store.listLogged(tree, { sequence })
      if (logged !== undefined) return { epoch: tree.epoch, logged }
    }
    return undefined
  })

/** Whether the log of an org is public. WHY cached briefly: tiles are read in thousands. */
const rememberedPublicity = (status: LogStore["Type"], lifeMillis: number) => {
  const publicity = BoundedCache.make<{ readonly isPublic: boolean; readonly until: number }>(
    PUBLICITY_MAX
  )
  return (org: OrgId) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const known = publicity.get(org)
      if (known !== undefined && known.until > now) return known.isPublic
      const found = { isPublic: yield* status.isPublic(org), until: now + lifeMillis }
      return publicity.set(org, found).isPublic
    })
}

/** Whether the journal of a log has an entry with a sequence number. */
const hasEntry = (
  journal: JournalStore["Type"],
  { org_id: org }: OpenLogs.OpenLog["tree"],
  sequence: number
) =>
  Effect.map(
    journal.listNumbersAfter({ org, after: sequence - 1, limit: 1 }),
    ([found]) => found === sequence
  )

/** Use cases of reading logs. */
export class LogViews extends Effect.Service<LogViews>()("@attestry/core/LogViews", {
  effect: Effect.gen(function* () {
    const [store, checkpoints] = [yield* LogStore, yield* LogCheckpoints]
    const [signer, logKeys] = [yield* LogSigner, yield* LogKeys]
    const [{ isKept }, { isAsked }] = [yield* LogState, yield* WitnessedCheckpoints]
    const journal = yield* JournalStore
    const isCaching = Duration.toMillis(yield* CredentialLife) > 0
    const isPublic = rememberedPublicity(store, isCaching ? PUBLICITY_MILLIS : 0)
    const waitFor = LogWaiting.make()
    const proofs = StoredProofs.make(store)
    const bundles = StoredBundles.make(store, proofs)
    const open = yield* OpenLogs.make

    /** The state of a log. */
    const get = Effect.fn("LogViews.get")(function* (question: LogQuestion) {
      const { tree, trees, checkpoint } = yield* open(question)
      const keys = yield* signer.keys(tree.origin)
      const isFork = keys.length > 0 && (yield* checkpoints.isFork(tree))
      const root = MerkleTree.root(tree.edge)
      const { org_id } = tree
      const about = { type: "log", id: org_id }
      return {
        tree,
        trees,
        checkpoint,
        keys,
        isFork,
        root,
        isKept,
        isAsked,
        recorded: yield* logKeys.list(org_id),
        // WHY not for a single epoch: it has not ended.
        ended: endings(trees.length > 1 ? yield* journal.listBySubject(org_id, about) : []),
        pending: yield* store.countPending(tree, PENDING_MAX),
        scrub: yield* store.findScrub(org_id),
        visibility: (yield* store.isPublic(org_id)) ? ("public" as const) : ("members" as const)
      }
    })

    /** The newest published checkpoint as a signed note. */
    const checkpoint = Effect.fn("LogViews.checkpoint")(function* (question: LogQuestion) {
      const { org } = question
      const log = yield* open(question)
      if (checkpoints.isStopped(log.tree.org_id) && log.tree.epoch === log.trees.at(-1)?.epoch) {
        return yield* new LogProof.LogUnsigned({ org, reason: "forked" })
      }
      if (Option.isSome(log.checkpoint)) return log.checkpoint.value.note
      const hasKey = (yield* signer.keys(log.tree.origin)).length > 0
      return yield* new LogProof.LogUnsigned({ org, reason: hasKey ? "empty" : "no-key" })
    })

    /** The bytes of a tile of the published tree. */
    const tile = Effect.fn("LogViews.tile")(function* (question: LogQuestion, wanted: Tile.Tile) {
      const log = yield* open(question)
      if (wanted.width > Tile.within(log.head.size, wanted).width) {
        return yield* new LogProof.TileNotFound({ org: question.org })
      }
      const [found] = yield* store.listTiles(log.tree, [wanted])
      const content = Bytes.concat(found?.hashes ?? [])
      return { content, isPublic: yield* isPublic(log.tree.org_id) }
    })

    /** The bytes of an entry bundle of the published tree. */
    const entries = Effect.fn("LogViews.entries")(function* (
      question: LogQuestion,
      wanted: Tile.TilePlace
    ) {
      const log = yield* open(question)
      if (wanted.width > Tile.within(log.head.size, { level: 0, index: wanted.index }).width) {
        return yield* new LogProof.TileNotFound({ org: question.org })
      }
      const content = yield* bundles.print(question.org, log, wanted)
      return { content, isPublic: yield* isPublic(log.tree.org_id) }
    })

    /** An inclusion proof for a leaf in the tree of a size, by default the published size. */
    const inclusion = Effect.fn("LogViews.inclusion")(function* (
      question: LogQuestion,
      { index, size }: { readonly index: number; readonly size: Option.Option<number> }
    ) {
      const log = yield* open(question)
      const within = Option.getOrElse(size, () => log.head.size)
      yield* atMost("size", within, log.head.size)
      yield* atMost("index", index, within - 1)
      return yield* proofs.inclusion(question.org, log, { index, size: within })
    })

    /** A consistency proof between the trees of two sizes. */
    const consistency = Effect.fn("LogViews.consistency")(function* (
      question: LogQuestion,
      { from, to }: MerkleProof.Sizes
    ) {
      const log = yield* open(question)
      yield* atMost("to", to, log.head.size)
      yield* atMost("from", from, to)
      return yield* proofs.consistency(question.org, log, { from, to })
    })

    /** The signed note for a size; none if no checkpoint of that size was signed. */
    const noteOf = ({ tree, head, checkpoint: newest }: OpenLogs.OpenLog, size: number) =>
      size === head.size
        ? Effect.succeed(Option.map(newest, ({ note }) => note))
        : Effect.map(store.listCheckpoints(tree, { after: size - 1, upTo: size }), ([signed]) =>
            Option.map(Option.fromNullable(signed), ({ note }) => note)
          )

    const readReceipt = Effect.fn(function* (
      question: LogQuestion,
      { entry, size }: Pick<ReceiptQuestion, "entry" | "size">
    ) {
      const { org } = question
      const newest = yield* open(question)
      const sequence = EntryId.read(newest.tree.entryKey, entry)
      const isThere =
        Option.isSome(sequence) && (yield* hasEntry(journal, newest.tree, sequence.value))
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
        return yield* new LogProof.EntryBeyondSize({ entry, size: within })
      }
      const proof = yield* proofs.inclusion(org, log, { index: leaf.index, size: within })
      const made = entryOf(logged)
      // WHY: a modified journal row gives another leaf, and a receipt of it would prove nothing.
      if (!Bytes.equals(made.hash, proof.leaf)) {
        return yield* new LogProof.LogDamaged({ org, level: 0, index: leaf.index })
      }
      return Option.some({
        index: leaf.index,
        size: within,
        hashes: proof.hashes,
        bytes: made.bytes,
        subject: logged.entry.subject,
        disclosures: shownOf(log.isAdmin, logged).map(({ disclosure }) => disclosure),
        checkpoint: yield* noteOf(log, within)
      })
    })

    /** The receipt of an entry. Waits until a published tree has its leaf; none if the wait ends before. */
    const receipt = Effect.fn("LogViews.receipt")((question: LogQuestion, asked: ReceiptQuestion) =>
      waitFor(readReceipt(question, asked), { seconds: asked.wait, isOver: Option.isSome })
    )

    /** The ids of journal entries, in the same order, each with its index if a published tree has its leaf. */
    const locate = Effect.fn("LogViews.locate")(function* (
      question: LogQuestion,
      sequences: ReadonlyArray<number>
    ) {
      const { tree, head } = yield* open(question)
      return yield* Effect.forEach(sequences, (sequence) =>
        Effect.map(store.listLogged(tree, { sequence }), ([logged]) => ({
          entry: EntryId.make(tree.entryKey, sequence),
          index: Option.fromNullable(logged).pipe(
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
        events: yield* Slices.map(found, ({ entry, leaf }) => ({
          entry,
          leaf,
          id: EntryId.make(log.tree.entryKey, entry.sequence),
          content: contentOf(log.isAdmin, entry)
        }))
      }
    })

    /** Entries from an index on, each with its id, and the published size. Waits until there is one. */
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
