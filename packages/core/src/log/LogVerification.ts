/**
 * Verifies a log against its journal, its nodes and what was signed: levels 1 and 2.
 *
 * It reads in runs of one tile, and goes on after a finding. It needs no snapshot: what lies below the size and the
 * horizon of a tree never changes, and a checkpoint that was read before the tree is not larger than it.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { JournalStore } from "../journal/JournalStore.js"
import * as Bytes from "../shared/Bytes.js"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import * as Checkpoint from "./Checkpoint.js"
import { entryOf, type LogCheckpoint, type LoggedEntry, type LogTree } from "./Log.js"
import { LogCheckpoints } from "./LogCheckpoints.js"
import type { LogFinding } from "./LogFinding.js"
import { LogSigner } from "./LogSigner.js"
import { LogStore } from "./LogStore.js"
import * as MerkleTree from "./MerkleTree.js"
import * as SignedNote from "./SignedNote.js"

/** What was verified, and what was found; at most `FINDINGS_MAX` findings. */
export interface LogReport {
  readonly size: number
  readonly findings: ReadonlyArray<LogFinding>
}

/** The most findings that are told. */
export const FINDINGS_MAX = 1_000

const { TILE_WIDTH } = MerkleTree

/** Journal rows that are read at a time. */
const ROWS = 1_000

/** What the tree of an epoch is verified with. */
interface TreeContext {
  readonly checkpoint: Option.Option<LogCheckpoint>
  readonly sequences: Set<number>
  /** WHY: an epoch that has ended was signed beyond what it has now. */
  readonly isNewest: boolean
  readonly rate: number
}

/** Follows the leaves of a log from the first on. */
class Following {
  readonly findings: Array<LogFinding> = []
  readonly nodes: Array<MerkleTree.TileNode> = []
  edge = MerkleTree.EMPTY
  /** The root at the size of the checkpoint. */
  rootThere: MerkleTree.Hash | undefined
  readonly #newest = new Map<string, number>()

  constructor(
    readonly sizeThere: number | undefined,
    /** The numbers of entries with a leaf, of this epoch and those before it. */
    readonly sequences: Set<number>
  ) {}

  found(finding: LogFinding): void {
    if (this.findings.length < FINDINGS_MAX) this.findings.push(finding)
  }

  /** The stored hashes of the next leaves, in order. */
  hashes(stored: ReadonlyArray<MerkleTree.Hash>): void {
    for (const hash of stored) {
      const { edge, nodes } = MerkleTree.append(this.edge, [hash])
      this.edge = edge
      this.nodes.push(...nodes)
      if (edge.size === this.sizeThere) this.rootThere = MerkleTree.root(edge)
    }
  }

  entry(logged: LoggedEntry): void {
    const { entry, leaf } = logged
    const { index, sequence } = leaf
    this.sequences.add(sequence)
    const key = `${entry.subject.type}\u0000${entry.subject.id}`
    const expected = this.#newest.get(key) ?? null
    this.#newest.set(key, index)
    if (leaf.prev !== expected) this.found({ _tag: "ChainBroken", index, expected })
    if (!Bytes.equals(entryOf(logged).hash, leaf.hash)) {
      this.found({ _tag: "EntryChanged", index, sequence, subject: entry.subject })
    }
  }
}

/** Use case: verifies logs. */
export class LogVerification extends Effect.Service<LogVerification>()(
  "@attestry/core/LogVerification",
  {
    effect: Effect.gen(function* () {
      const [store, journal] = [yield* LogStore, yield* JournalStore]
      const [checkpoints, signer] = [yield* LogCheckpoints, yield* LogSigner]

      const followLeaves = (tree: LogTree, following: Following, rate: number) =>
        Effect.gen(function* () {
          const { size } = tree.edge
          for (let begin = 0; begin < size; begin += TILE_WIDTH) {
            const end = Math.min(begin + TILE_WIDTH, size)
            const tile = { level: 0, index: begin / TILE_WIDTH, width: end - begin }
            const [stored] = yield* store.listTiles(tree, [tile])
            const logged = yield* store.listLogged(tree, { begin, end })
            const known = new Set(logged.map(({ leaf }) => leaf.index))
            const isWhole = stored?.hashes.length === tile.width
            for (let index = begin; index < end; index++) {
              if (!known.has(index)) {
                following.found({ _tag: isWhole ? "RowMissing" : "LeafMissing", index })
              }
            }
            for (const each of logged) following.entry(each)
            following.hashes(stored?.hashes ?? [])
            if (Number.isFinite(rate)) yield* Effect.sleep((1000 * tile.width) / rate)
          }
        })

      const checkNodes = (tree: LogTree, following: Following) =>
        Effect.forEach(
          following.nodes,
          ({ level, index, hash }) =>
            Effect.gen(function* () {
              const tile = { level, index: Math.floor(index / TILE_WIDTH), width: TILE_WIDTH }
              const [stored] = yield* store.listTiles(tree, [tile])
              const there = stored?.hashes[index % TILE_WIDTH]
              if (there === undefined || !Bytes.equals(there, hash)) {
                following.found({ _tag: "NodeChanged", level, index })
              }
            }),
          { discard: true }
        )

      /** Rows up to the horizon that have no leaf. */
      const checkRows = (tree: LogTree, following: Following) =>
        Effect.gen(function* () {
          let after = Number.MIN_SAFE_INTEGER
          for (;;) {
            const rows = yield* journal.listAfter({ org: tree.org_id, after, limit: ROWS })
            for (const { sequence } of rows) {
              if (sequence <= tree.horizon && !following.sequences.has(sequence)) {
                following.found({ _tag: "RowWithoutLeaf", sequence })
              }
            }
            const last = rows.at(-1)?.sequence
            if (last === undefined || last >= tree.horizon) return
            after = last
          }
        })

      /** WHY by signing again: a signature of Ed25519 is the same each time, and keys are not in the store. */
      const isSigned = (tree: LogTree, note: SignedNote.SignedNote) =>
        Effect.map(signer.sign(tree.origin, note.text), (lines) => {
          const own = new Set(lines.map(SignedNote.printLine))
          return (
            own.size === 0 || note.signatures.some((line) => own.has(SignedNote.printLine(line)))
          )
        })

      const checkCheckpoint = (
        tree: LogTree,
        following: Following,
        { size, note }: LogCheckpoint
      ) =>
        Effect.gen(function* () {
          const parsed = SignedNote.parse(note)
          const said = Option.flatMap(parsed, ({ text }) => Checkpoint.parse(text))
          const there = following.rootThere
          const fits =
            Option.isSome(parsed) &&
            Option.isSome(said) &&
            there !== undefined &&
            said.value.size === size &&
            said.value.origin === tree.origin &&
            Bytes.equals(said.value.root, there) &&
            (yield* isSigned(tree, parsed.value))
          if (!fits) following.found({ _tag: "CheckpointChanged", size })
        })

      const verifyTree = (
        tree: LogTree,
        { checkpoint, sequences, isNewest, rate }: TreeContext
      ): Effect.Effect<LogReport, StoreError> =>
        Effect.gen(function* () {
          const { size } = tree.edge
          const following = new Following(Option.getOrUndefined(checkpoint)?.size, sequences)
          yield* followLeaves(tree, following, rate)
          const root = MerkleTree.root(following.edge)
          if (!Bytes.equals(root, MerkleTree.root(tree.edge))) {
            following.found({ _tag: "RootChanged", size })
          }
          yield* checkNodes(tree, following)
          if (isNewest) yield* checkRows(tree, following)
          if (Option.isSome(checkpoint)) yield* checkCheckpoint(tree, following, checkpoint.value)
          if (isNewest && (yield* checkpoints.isFork(tree)))
            following.found({ _tag: "Forked", size })
          return { size, findings: following.findings }
        })

      /** Verifies the log of an org, at most so many entries a second; an org without a log has nothing to find. */
      const verify = Effect.fn("LogVerification.verify")(function* (
        org: OrgId,
        rate: number = Number.POSITIVE_INFINITY
      ): Effect.fn.Return<LogReport, StoreError> {
        const reports: Array<LogReport> = []
        const sequences = new Set<number>()
        const before = yield* store.listTrees(org)
        const signed = yield* Effect.forEach(before, (tree) => store.findCheckpoint(tree))
        const trees = yield* store.listTrees(org)
        for (const [at, tree] of trees.entries()) {
          const checkpoint = signed[at] ?? Option.none()
          const isNewest = at === trees.length - 1
          reports.push(yield* verifyTree(tree, { checkpoint, sequences, isNewest, rate }))
        }
        return {
          size: reports.reduce((sum, { size }) => sum + size, 0),
          findings: reports.flatMap(({ findings }) => findings).slice(0, FINDINGS_MAX)
        }
      })

      return { verify } as const
    })
  }
) {}
