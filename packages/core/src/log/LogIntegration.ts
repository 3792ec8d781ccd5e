/** Computes the leaves and nodes that journal entries add to a tree, in the order of sequence numbers. Pure. */

import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import type { JournalSubject } from "../journal/JournalEntry.js"
import { entryOf, type LogGrowth, type LogLeaf, type LogTree, type UnloggedEntry } from "./Log.js"
import * as LogEntry from "./LogEntry.js"

/** Entries to add, and whether there are more. */
export interface IntegrationInput {
  /** In the order of sequence numbers, without entries that have a leaf. */
  readonly entries: ReadonlyArray<UnloggedEntry>
  /** Random bytes, `LogEntry.MASTER_BYTES` for each entry. */
  readonly salts: Uint8Array
  /** Every entry up to this sequence number is among `entries` or has a leaf, unless `isPart`. */
  readonly visibleUpTo: number
  /** Whether more entries wait than were read. */
  readonly isPart: boolean
}

const subjectKey = ({ type, id }: JournalSubject): string => `${type}\u0000${id}`

/** The sequence number up to which every entry has a leaf, once these entries are added. */
const horizonOf = (tree: LogTree, { entries, visibleUpTo, isPart }: IntegrationInput): number => {
  const last = entries.at(-1)?.entry.sequence ?? visibleUpTo
  return Math.max(tree.horizon, isPart ? Math.min(visibleUpTo, last) : visibleUpTo)
}

/**
 * Computes the growth of a tree. It yields after each leaf so that `Slices.run` can pause, because an entry may have
 * megabytes.
 */
export function* grow(tree: LogTree, input: IntegrationInput): Generator<void, LogGrowth> {
  const newest = new Map<string, number>()
  const leaves: Array<LogLeaf> = []
  for (const [place, { entry, prev }] of input.entries.entries()) {
    const key = subjectKey(entry.subject)
    const index = tree.edge.size + place
    const salt = input.salts.slice(
      place * LogEntry.MASTER_BYTES,
      (place + 1) * LogEntry.MASTER_BYTES
    )
    const leaf = {
      index,
      sequence: entry.sequence,
      salt,
      hash: MerkleTree.EMPTY_ROOT,
      prev: newest.get(key) ?? prev
    }
    newest.set(key, index)
    leaves.push({ ...leaf, hash: entryOf({ entry, leaf }).hash })
    yield
  }
  const { edge, nodes } = MerkleTree.append(
    tree.edge,
    leaves.map(({ hash }) => hash)
  )
  const horizon = horizonOf(tree, input)
  const done = [...tree.done, ...leaves.map(({ sequence }) => sequence)]
    .filter((sequence) => sequence > horizon)
    .sort((left, right) => left - right)
  return { leaves, nodes, edge, horizon, done }
}
