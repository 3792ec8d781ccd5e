/** Compares the stored columns of a tree that describe its progress through the journal. Pure. */
import type { LogTree } from "../Log.js"
import type { LogFinding } from "../LogFinding.js"

/** The facts to compare the columns with. */
export interface TreeFacts {
  /** The sequence numbers of followed entries with a leaf, in this and earlier epochs. */
  readonly sequences: ReadonlySet<number>
  /** Whether all leaves were followed. */
  readonly isWhole: boolean
  /** The last assigned sequence number. */
  readonly last: number
}

/** Whether `done` has exactly the sequence numbers above the horizon that have a leaf, in ascending order. */
const isDone = ({ horizon, done }: LogTree, { sequences, isWhole }: TreeFacts): boolean => {
  const known = new Set(done)
  const isSorted = done.every((sequence, at) => sequence > (done[at - 1] ?? horizon))
  const isKnown = !isWhole || done.every((sequence) => sequences.has(sequence))
  if (!isSorted || !isKnown) return false
  for (const sequence of sequences) if (sequence > horizon && !known.has(sequence)) return false
  return true
}

/** The columns that differ. */
export const compare = (tree: LogTree, facts: TreeFacts): ReadonlyArray<LogFinding> => {
  const { epoch } = tree
  const changed = (column: string): LogFinding => ({ _tag: "TreeChanged", epoch, column })
  const { horizon } = tree
  return [
    ...(horizon >= 0 && horizon <= facts.last ? [] : [changed("horizon")]),
    ...(isDone(tree, facts) ? [] : [changed("done")])
  ]
}
