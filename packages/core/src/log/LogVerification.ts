/**
 * Verifies a log against its journal, its nodes and its signed checkpoints: levels 1 and 2.
 *
 * It reads one tile at a time, and continues after a finding. It needs no snapshot of the database: rows below the
 * size and the horizon of a tree never change, and a checkpoint that is read before its tree is never larger than the
 * tree.
 */
import * as Bytes from "@attestry/transparency-log/Bytes"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as Tile from "@attestry/transparency-log/Tile"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { JournalStore } from "../journal/JournalStore.js"
import { type DamagedRow, noting } from "../shared/DamagedRecords.js"
import type { OrgId } from "../shared/Identifier.js"
import { readable } from "../shared/internal/ReadableDamage.js"
import * as Slices from "../shared/Slices.js"
import type { StoreError } from "../shared/StoreError.js"
import { FINDINGS_MAX, Following } from "./internal/LeafFollowing.js"
import * as LogKeyVerification from "./internal/LogKeyVerification.js"
import * as LogPresence from "./internal/LogPresence.js"
import * as TreeColumns from "./internal/TreeColumns.js"
import type { LogCheckpoint, LoggedEntry, LogTree } from "./Log.js"
import { LogCheckpoints } from "./LogCheckpoints.js"
import type { LogFinding } from "./LogFinding.js"
import { LogSigner } from "./LogSigner.js"
import { LogStore } from "./LogStore.js"

/** A log of an org that is missing. */
export type { LostLog } from "./internal/LogPresence.js"

/** The verified range and the findings, at most `FINDINGS_MAX`. */
export interface LogReport {
  readonly size: number
  /** The number of entries below a matching checkpoint; 0 if nothing is signed. */
  readonly signed: number
  readonly findings: ReadonlyArray<LogFinding>
}

const { TILE_WIDTH } = MerkleTree

/** The number of journal rows read at once. */
const ROWS = 1_000

/** Options of a verification. */
export interface LogScope {
  /** The maximum number of entries per second. */
  readonly rate?: number
  /** The size up to which the newest epoch is already verified; earlier entries are skipped. */
  readonly from?: number
  /** The name of the org. With it, logs that are remembered for the org outside of the store must exist. */
  readonly name?: string
}

/** The inputs for verifying the tree of one epoch. */
interface TreeContext {
  readonly checkpoint: Option.Option<LogCheckpoint>
  readonly sequences: Set<number>
  /** WHY: entries above the horizon of an ended epoch have their leaves in the next epoch. */
  readonly isNewest: boolean
  readonly rate: number
  /** The stored keys, and the log entries about keys. */
  readonly stored: LogKeyVerification.OrgKeys
  readonly from: number
}

/** The keys that may have signed a log. */
type Keys = ReadonlyArray<SignedNote.VerifierKey>

/** The lowest number; the largest safe integer for an empty list. */
const firstOf = (numbers: Iterable<number>): number => {
  let first = Number.MAX_SAFE_INTEGER
  for (const number of numbers) if (number < first) first = number
  return first
}

const NOTHING = { size: 0, signed: 0 } as const

/** WHY: several reads may report the same unreadable row. */
const distinct = (findings: ReadonlyArray<LogFinding>): ReadonlyArray<LogFinding> => [
  ...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()
]

/** Use case: verifies logs. */
export class LogVerification extends Effect.Service<LogVerification>()(
  "@attestry/core/LogVerification",
  {
    effect: Effect.gen(function* () {
      const [store, journal] = [yield* LogStore, yield* JournalStore]
      const [checkpoints, signer] = [yield* LogCheckpoints, yield* LogSigner]
      const [parts, presence] = [yield* LogKeyVerification.make, yield* LogPresence.make]

      /** WHY sign again: Ed25519 signatures are deterministic, and the store has no keys to sign with. */
      const isSigned = ({ origin }: LogTree, note: SignedNote.SignedNote, keys: Keys) =>
        Effect.gen(function* () {
          const lines = yield* signer.sign(origin, note.text)
          const own = new Set(lines.map(SignedNote.printLine))
          if (own.size === 0) return true
          if (note.signatures.some((line) => own.has(SignedNote.printLine(line)))) return true
          // A retired key signs nothing, so its signature is verified with the public key.
          return yield* Effect.exists(SignedNote.claims(note, keys), ({ signed }) =>
            Option.match(signed, { onNone: () => Effect.succeed(false), onSome: signer.verify })
          )
        })

      const checkCheckpoint = (
        tree: LogTree,
        { size, note }: LogCheckpoint,
        at: { readonly root: MerkleTree.Hash | undefined; readonly keys: Keys }
      ) =>
        Effect.gen(function* () {
          const parsed = SignedNote.parse(note)
          const said = Option.flatMap(parsed, ({ text }) => Checkpoint.parse(text))
          return (
            Option.isSome(parsed) &&
            Option.isSome(said) &&
            at.root !== undefined &&
            said.value.size === size &&
            said.value.origin === tree.origin &&
            Bytes.equals(said.value.root, at.root) &&
            (yield* isSigned(tree, parsed.value, at.keys))
          )
        })

      /** Adds the hashes of the next leaves, and compares the checkpoints at those sizes. */
      const followHashes = (
        tree: LogTree,
        { following, keys }: { readonly following: Following; readonly keys: Keys },
        { hashes, upTo }: { readonly hashes: ReadonlyArray<MerkleTree.Hash>; readonly upTo: number }
      ) =>
        Effect.gen(function* () {
          const after = hashes.length === 0 ? upTo - 1 : following.edge.size
          const [signed, unreadable] = yield* noting(store.listCheckpoints(tree, { after, upTo }))
          following.unreadable(unreadable)
          const roots = new Map(following.hashes(hashes, new Set(signed.map(({ size }) => size))))
          if (hashes.length === 0) roots.set(following.edge.size, MerkleTree.root(following.edge))
          for (const checkpoint of signed) {
            const { size } = checkpoint
            const fits = yield* checkCheckpoint(tree, checkpoint, { root: roots.get(size), keys })
            const isTimed =
              following.begin > 0 ||
              checkpoint.max_at === undefined ||
              checkpoint.max_at === following.timeAt(size)
            if (!fits || !isTimed) following.found({ _tag: "CheckpointChanged", size })
            else following.signedAt(size, LogKeyVerification.signersOf(checkpoint.note))
          }
          // There is no checkpoint below the first size.
          const above = upTo === 0 ? Number.MIN_SAFE_INTEGER : after
          const found = yield* parts.compareCosignatures(tree, { after: above, upTo }, signed)
          for (const finding of found) following.found(finding)
        })

      /** The hashes of a run of leaves. WHY read again: leaves with their entries omit those without an entry. */
      const storedHashes = (
        tree: LogTree,
        { begin, end }: MerkleTree.Run,
        logged: ReadonlyArray<LoggedEntry>
      ) => {
        if (logged.length === end - begin)
          return Effect.succeed(logged.map(({ leaf }) => leaf.hash))
        const tile = { level: 0, index: begin / TILE_WIDTH, width: end - begin }
        return Effect.map(store.listTiles(tree, [tile]), ([stored]) => stored?.hashes ?? [])
      }

      /** Reports leaves that are unreadable, or whose entries are; returns their indexes. */
      const damagedPlaces = (
        tree: LogTree,
        following: Following,
        damaged: ReadonlyArray<DamagedRow>
      ) =>
        Effect.gen(function* () {
          if (damaged.length === 0) return []
          following.unreadable(damaged)
          const isEntry = ({ kind }: DamagedRow) => kind === "entry"
          const sequences = damaged.filter(isEntry).map(({ key }) => Number(key))
          for (const sequence of sequences) following.sequences.add(sequence)
          const places = yield* store.listPlaces(tree.org_id, sequences)
          return [
            ...[...places.values()].map(({ index }) => index),
            ...damaged
              .filter(({ kind }) => kind !== "entry")
              .map(({ key }) => Number(key.split(" ").at(-1)))
          ]
        })

      const followLeaves = (
        tree: LogTree,
        following: Following,
        { rate, keys }: { readonly rate: number; readonly keys: Keys }
      ) =>
        Effect.gen(function* () {
          const { size } = tree.edge
          const by = { following, keys }
          yield* followHashes(tree, by, { hashes: [], upTo: following.begin })
          for (let begin = following.begin; begin < size; begin += TILE_WIDTH) {
            const end = Math.min(begin + TILE_WIDTH, size)
            const [logged, damaged] = yield* noting(store.listLogged(tree, { begin, end }))
            const hashes = yield* storedHashes(tree, { begin, end }, logged)
            // WHY: leaves are read in thousands, and a tampered size may be arbitrarily large.
            if (hashes.length === 0 && following.findings.length >= FINDINGS_MAX) return
            const known = new Set(logged.map(({ leaf }) => leaf.index))
            for (const index of yield* damagedPlaces(tree, following, damaged)) known.add(index)
            const isWhole = hashes.length === end - begin
            for (let index = begin; index < end; index++) {
              if (!known.has(index)) {
                following.found({ _tag: isWhole ? "RowMissing" : "LeafMissing", index })
              }
            }
            yield* Slices.forEach(logged, (each) => following.entry(each))
            yield* followHashes(tree, by, { hashes, upTo: end })
            following.ended()
            if (Number.isFinite(rate)) yield* Effect.sleep((1000 * (end - begin)) / rate)
          }
        })

      /**
       * The edge of a tree at the last full tile below a size, if its nodes lead to the root; else that of the empty
       * tree, so that every leaf is followed.
       */
      const edgeAt = (tree: LogTree, from: number) =>
        Effect.gen(function* () {
          const end = Math.floor(Math.min(from, tree.edge.size) / TILE_WIDTH) * TILE_WIDTH
          if (end === 0) return MerkleTree.EMPTY
          const subtrees = MerkleTree.subtreesOf({ begin: 0, end })
          const head = { size: tree.edge.size, root: MerkleTree.root(tree.edge) }
          const tiles = yield* store.listTiles(tree, Tile.needed(head.size, subtrees))
          return Either.match(Tile.authenticate(head, tiles), {
            onLeft: () => MerkleTree.EMPTY,
            onRight: (hashOf) => ({ size: end, hashes: subtrees.map(hashOf) })
          })
        })

      const checkNodes = (tree: LogTree, following: Following) =>
        Effect.gen(function* () {
          const tileOf = ({ index }: MerkleTree.TileNode) => Math.floor(index / TILE_WIDTH)
          const byTile = Arr.groupBy(following.nodes, (node) => `${node.level}/${tileOf(node)}`)
          for (const nodes of Object.values(byTile)) {
            const [first] = nodes
            const tile = { level: first.level, index: tileOf(first), width: TILE_WIDTH }
            const [stored] = yield* store.listTiles(tree, [tile])
            for (const { level, index, hash } of nodes) {
              const there = stored?.hashes[index % TILE_WIDTH]
              if (there === undefined || !Bytes.equals(there, hash)) {
                following.found({ _tag: "NodeChanged", level, index })
              }
            }
          }
        })

      /** Finds journal rows up to the horizon without a leaf: all, or from the first followed entry on. */
      const checkRows = (tree: LogTree, following: Following) =>
        Effect.gen(function* () {
          const { sequences, begin } = following
          let after = Number.MIN_SAFE_INTEGER
          if (begin > 0) after = firstOf(sequences)
          for (;;) {
            const cursor = { org: tree.org_id, after, limit: ROWS }
            const [rows, unreadable] = yield* noting(journal.listNumbersAfter(cursor))
            following.unreadable(unreadable)
            const unknown = rows.filter(
              (sequence) => sequence <= tree.horizon && !sequences.has(sequence)
            )
            // A leaf before the followed part can have an entry with a higher sequence number.
            const places = begin === 0 ? new Map() : yield* store.listPlaces(tree.org_id, unknown)
            for (const sequence of unknown) {
              if (!places.has(sequence)) following.found({ _tag: "RowWithoutLeaf", sequence })
            }
            const last = rows.at(-1)
            if (last === undefined || last >= tree.horizon) return
            after = last
          }
        })

      /**
       * Whether an operator has accepted the loss of part of an epoch. The next epoch records how much was signed; if a
       * larger checkpoint is remembered, the loss happened later.
       */
      const isAccepted = (tree: LogTree, { epochs }: LogKeyVerification.OrgKeys) =>
        Effect.gen(function* () {
          const next = epochs.find(({ epoch }) => epoch === tree.epoch + 1)
          if (next === undefined || next.previous.origin !== tree.origin) return false
          const known = yield* checkpoints.recall(tree.origin)
          return known.every(({ size }) => size <= next.previous.size)
        })

      /** WHY false for an unreadable checkpoint: the comparison of stored checkpoints reports it. */
      const isFork = (tree: LogTree) =>
        Effect.map(
          readable(checkpoints.isFork(tree)),
          Option.getOrElse(() => false)
        )

      /** Finds leaves beyond the size of a tree, and checkpoints that have disappeared from the store. */
      const checkBeyond = (tree: LogTree, newest: Option.Option<LogCheckpoint>) =>
        Effect.gen(function* () {
          const findings: Array<LogFinding> = []
          const index = Math.floor(Math.max(0, tree.edge.size) / TILE_WIDTH)
          const [tile] = yield* store.listTiles(tree, [{ level: 0, index, width: TILE_WIDTH }])
          // INVARIANT: leaves and the size are written together, so a tree that is read later covers all of them.
          const [trees] = yield* noting(store.listTrees(tree.org_id))
          const { size } = trees.find(({ epoch }) => epoch === tree.epoch)?.edge ?? tree.edge
          if (index * TILE_WIDTH + (tile?.hashes.length ?? 0) > size)
            findings.push({ _tag: "TreeChanged", epoch: tree.epoch, column: "size" })
          const known = yield* checkpoints.recall(tree.origin)
          const stored = known.reduce((most, each) => Math.max(most, each.stored ?? 0), 0)
          const largest = Option.match(newest, { onNone: () => 0, onSome: (each) => each.size })
          if (stored > largest) findings.push({ _tag: "CheckpointMissing", size: stored })
          return findings
        })

      /** WHY 0 without a key: the note is then compared only with the tree, which proves no signature. */
      const signedOf = ({ origin }: LogTree, { signed }: Following) =>
        Effect.map(signer.known(origin), (known) => (known.length === 0 ? 0 : signed))

      const verifyTree = (
        tree: LogTree,
        { checkpoint, sequences, isNewest, from, stored, ...rest }: TreeContext
      ): Effect.Effect<LogReport, StoreError> =>
        Effect.gen(function* () {
          const { size } = tree.edge
          const following = new Following(yield* edgeAt(tree, from), sequences)
          const by = { ...rest, keys: yield* parts.trusted(tree.origin, stored) }
          const keys = yield* parts.compareKeys(tree, stored, checkpoint)
          for (const finding of keys) following.found(finding)
          if (from > size) following.found({ _tag: "LogShorter", size, from })
          yield* followLeaves(tree, following, by)
          const root = MerkleTree.root(following.edge)
          if (!Bytes.equals(root, MerkleTree.root(tree.edge))) {
            following.found({ _tag: "RootChanged", size })
          }
          yield* checkNodes(tree, following)
          const isWhole = following.begin === 0
          const facts = { sequences, isWhole, last: yield* store.lastDrawn }
          for (const finding of TreeColumns.compare(tree, facts)) following.found(finding)
          for (const finding of parts.compareBegins(tree, stored, following.firstSigned))
            following.found(finding)
          for (const finding of yield* checkBeyond(tree, checkpoint)) following.found(finding)
          if (isNewest) yield* checkRows(tree, following)
          // INVARIANT: the checkpoint was read before the tree, and a tree never shrinks.
          if (Option.exists(checkpoint, (newest) => newest.size > size)) {
            following.found({ _tag: "CheckpointChanged", size: Option.getOrThrow(checkpoint).size })
          }
          if ((yield* isFork(tree)) && !(yield* isAccepted(tree, stored)))
            following.found({ _tag: "Forked", size })
          if (tree.epoch > 1 && !stored.epochs.some(({ epoch }) => epoch === tree.epoch))
            following.found({ _tag: "EpochUnknown", epoch: tree.epoch })
          return { size, signed: yield* signedOf(tree, following), findings: following.findings }
        })

      /** Verifies the log of an org; a remembered log that is missing is a finding. `from` skips older epochs. */
      const verify = Effect.fn("LogVerification.verify")(function* (
        org: OrgId,
        { rate = Number.POSITIVE_INFINITY, from = 0, name }: LogScope = {}
      ): Effect.fn.Return<LogReport, StoreError> {
        const reports: Array<LogReport> = []
        const sequences = new Set<number>()
        const [signed, unsigned] = yield* noting(store.listSigned(org))
        const [trees, unread] = yield* noting(store.listTrees(org))
        const stored = yield* parts.keysOf(org)
        const damaged = [...unsigned, ...unread, ...stored.unreadable]
        reports.push({
          ...NOTHING,
          findings: damaged.map((row) => ({ _tag: "RowUnreadable" as const, ...row }))
        })
        for (const [at, tree] of trees.entries()) {
          const own = signed.find((each) => each.tree.epoch === tree.epoch)
          const checkpoint = own?.checkpoint ?? Option.none()
          const isNewest = at === trees.length - 1
          if (from > 0 && !isNewest) continue
          const context = { checkpoint, sequences, isNewest, rate, stored, from }
          reports.push(yield* verifyTree(tree, context))
        }
        if (trees.length > 0) {
          reports.push({ ...NOTHING, findings: parts.strangers(trees, stored) })
        }
        if (from > 0 && trees.length === 0) {
          reports.push({ ...NOTHING, findings: [{ _tag: "LogShorter", size: 0, from }] })
        }
        reports.push({
          ...NOTHING,
          findings: yield* presence.missing({ org, name, trees, keys: stored })
        })
        return {
          size: reports.reduce((sum, { size }) => sum + size, 0),
          signed: reports.reduce((sum, { signed: each }) => sum + each, 0),
          findings: distinct(reports.flatMap(({ findings }) => findings)).slice(0, FINDINGS_MAX)
        }
      })

      return { verify, lost: presence.lost } as const
    })
  }
) {}
