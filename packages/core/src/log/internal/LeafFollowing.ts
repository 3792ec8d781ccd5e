/**
 * Follows the leaves of a log: computes the tree above them, and compares each leaf with its entry and with the
 * previous entry of its subject. Pure.
 */
import * as Bytes from "@attestry/transparency-log/Bytes"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import type { DamagedRow } from "../../shared/DamagedRecords.js"
import { entryOf, type LoggedEntry, type LogLeaf } from "../Log.js"
import type { LogFinding } from "../LogFinding.js"

/** The maximum number of findings of a verification. */
export const FINDINGS_MAX = 1_000

/** Whether the hash of an entry equals its leaf. */
const fits = (logged: LoggedEntry): boolean => {
  try {
    return Bytes.equals(entryOf(logged).hash, logged.leaf.hash)
  } catch {
    // WHY every failure: a tampered value can make any step throw; such an entry matches no leaf.
    return false
  }
}

/** Follows the leaves of a log from a size on. */
export class Following {
  readonly findings: Array<LogFinding> = []
  readonly nodes: Array<MerkleTree.TileNode> = []
  /** The largest size with a matching checkpoint. */
  signed = 0
  /** The smallest size with a matching checkpoint, by the id of the key that signed it. */
  readonly firstSigned = new Map<string, number>()
  /** The size at which following starts. */
  readonly begin: number
  readonly #newest = new Map<string, number>()
  /** The newest time among the entries up to the end of each run. */
  #times: Array<readonly [index: number, at: number]> = []
  #newestTime = 0

  constructor(
    public edge: MerkleTree.Edge,
    /** The sequence numbers of entries with a leaf, in this and earlier epochs. */
    readonly sequences: Set<number>
  ) {
    this.begin = edge.size
  }

  /** Records a matching checkpoint; called in the order of sizes. */
  signedAt(size: number, signers: Iterable<string>): void {
    this.signed = size
    for (const id of signers) if (!this.firstSigned.has(id)) this.firstSigned.set(id, size)
  }

  /** Reports rows that are omitted because they are unreadable. */
  unreadable(rows: ReadonlyArray<DamagedRow>): void {
    for (const row of rows) this.found({ _tag: "RowUnreadable", ...row })
  }

  found(finding: LogFinding): void {
    if (this.findings.length < FINDINGS_MAX) this.findings.push(finding)
  }

  /** Adds the stored hashes of the next leaves, in order. Returns the roots at the requested sizes. */
  hashes(
    stored: ReadonlyArray<MerkleTree.Hash>,
    wanted: ReadonlySet<number>
  ): ReadonlyMap<number, MerkleTree.Hash> {
    const roots = new Map<number, MerkleTree.Hash>()
    for (const hash of stored) {
      const { edge, nodes } = MerkleTree.append(this.edge, [hash])
      this.edge = edge
      this.nodes.push(...nodes)
      if (wanted.has(edge.size)) roots.set(edge.size, MerkleTree.root(edge))
    }
    return roots
  }

  /** Whether `prev` of an entry is the previous entry of its subject, as far as entries were followed. */
  #isChained({ prev }: LogLeaf, expected: number | null): boolean {
    if (prev === expected) return true
    return expected === null && prev !== null && prev < this.begin
  }

  /** The newest time among the entries of a tree of this size. */
  timeAt(size: number): number {
    return this.#times.reduce(
      (newest, [index, at]) => (index < size ? Math.max(newest, at) : newest),
      this.#newestTime
    )
  }

  /** Ends a run of entries. */
  ended(): void {
    this.#newestTime = this.timeAt(Number.POSITIVE_INFINITY)
    this.#times = []
  }

  entry(logged: LoggedEntry): void {
    const { entry, leaf } = logged
    const { index, sequence } = leaf
    this.#times.push([index, entry.at])
    this.sequences.add(sequence)
    const key = `${entry.subject.type}\u0000${entry.subject.id}`
    const expected = this.#newest.get(key) ?? null
    this.#newest.set(key, index)
    if (!this.#isChained(leaf, expected)) this.found({ _tag: "ChainBroken", index, expected })
    if (!fits(logged)) {
      this.found({ _tag: "EntryChanged", index, sequence, subject: entry.subject })
    }
  }
}
