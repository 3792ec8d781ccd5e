/** The findings of the verification of a log. Each finding names what differs, and where. */
import type { DamagedRow } from "../shared/DamagedRecords.js"

/** A difference between a log, its journal and its signed checkpoints. */
export type LogFinding =
  /** The journal row of a leaf is missing. */
  | { readonly _tag: "RowMissing"; readonly index: number }
  /** A leaf is missing. */
  | { readonly _tag: "LeafMissing"; readonly index: number }
  /** The hash of an entry, computed from its journal row, its salt and `prev`, differs from its leaf. */
  | {
      readonly _tag: "EntryChanged"
      readonly index: number
      readonly sequence: number
      readonly subject: { readonly type: string; readonly id: string }
    }
  /** `prev` is not the index of the previous entry with the same subject. */
  | { readonly _tag: "ChainBroken"; readonly index: number; readonly expected: number | null }
  /** A journal row up to the horizon has no leaf. */
  | { readonly _tag: "RowWithoutLeaf"; readonly sequence: number }
  /** A node is not the hash of its children. */
  | { readonly _tag: "NodeChanged"; readonly level: number; readonly index: number }
  /** The root or the size computed from the leaves differs from the tree. */
  | { readonly _tag: "RootChanged"; readonly size: number }
  /** The checkpoint does not match the leaves, is unreadable, or is not signed by a key of the log. */
  | { readonly _tag: "CheckpointChanged"; readonly size: number }
  /** The store has a key that neither the signer nor an entry of the log names. */
  | { readonly _tag: "KeyUnknown"; readonly vkey: string }
  /** The row of a key that has signed is missing. */
  | { readonly _tag: "KeyMissing"; readonly vkey: string }
  /** A column of a key's row differs from the signer's keys or from the log. */
  | { readonly _tag: "KeyChanged"; readonly vkey: string; readonly column: string }
  /** A cosignature has no checkpoint, belongs to another witness, or does not verify. */
  | { readonly _tag: "CosignatureChanged"; readonly size: number; readonly witness: string }
  /** The log has fewer entries than an earlier verification recorded. */
  | { readonly _tag: "LogShorter"; readonly size: number; readonly from: number }
  /** The tree of a log is missing, although the log is remembered outside of the store or its keys are stored. */
  | { readonly _tag: "LogMissing"; readonly origin: string; readonly size: number }
  /** The tree of an epoch is missing, although its leaves or checkpoints are stored. */
  | { readonly _tag: "TreeMissing"; readonly epoch: number }
  /** A column of a tree differs from its leaves and the journal. */
  | { readonly _tag: "TreeChanged"; readonly epoch: number; readonly column: string }
  /** A checkpoint that was stored when a later one was signed is missing, and so is every larger one. */
  | { readonly _tag: "CheckpointMissing"; readonly size: number }
  /** An epoch after the first has no entry that begins it. */
  | { readonly _tag: "EpochUnknown"; readonly epoch: number }
  /** A row has values that no version of the server writes. */
  | {
      readonly _tag: "RowUnreadable"
      readonly kind: DamagedRow["kind"]
      readonly table: string
      readonly key: string
      readonly column: string
    }
  /** The log does not extend its signed checkpoints. */
  | { readonly _tag: "Forked"; readonly size: number }

/** Findings about entries and their rows; all others are about the log itself. */
const OF_ENTRIES: ReadonlySet<LogFinding["_tag"]> = new Set([
  ...(["RowMissing", "EntryChanged", "ChainBroken", "RowWithoutLeaf"] as const)
])

/** Whether a finding is about the log itself: level 1 of verification. */
export const isOfLog = (finding: LogFinding): boolean =>
  finding._tag === "RowUnreadable" ? finding.kind !== "entry" : !OF_ENTRIES.has(finding._tag)

/** A finding as one line of text. */
export const print = (finding: LogFinding): string => {
  switch (finding._tag) {
    case "RowMissing":
      return `entry ${finding.index}: its journal row is missing`
    case "LeafMissing":
      return `entry ${finding.index}: its leaf is missing`
    case "EntryChanged": {
      const { index, sequence, subject } = finding
      const where = `journal ${sequence}, ${subject.type} ${subject.id}`
      return `entry ${index} (${where}): the row does not fit its leaf`
    }
    case "ChainBroken":
      return `entry ${finding.index}: its predecessor should be ${finding.expected ?? "none"}`
    case "RowWithoutLeaf":
      return `journal ${finding.sequence}: the row has no leaf`
    case "NodeChanged":
      return `node ${finding.index} of level ${finding.level}: it does not fit its children`
    case "RootChanged":
      return `tree of size ${finding.size}: the leaves give another root`
    case "CheckpointChanged":
      return `checkpoint of size ${finding.size}: it does not fit the leaves or its signature`
    case "KeyUnknown":
      return `log key ${finding.vkey}: neither the key file nor an entry of the log names it`
    case "KeyMissing":
      return `log key ${finding.vkey}: its row is missing`
    case "KeyChanged": {
      const { vkey, column } = finding
      return `log key ${vkey}: \`${column}\` is not what the key file or the log says`
    }
    case "CosignatureChanged":
      return `cosignature of ${finding.witness} on size ${finding.size}: it does not fit its checkpoint or its key`
    case "LogShorter":
      return `tree of size ${finding.size}: it is smaller than ${finding.from}`
    case "LogMissing":
      return `log ${finding.origin}: it is not there, and had ${finding.size} entries at least`
    case "TreeMissing":
      return `log_tree ${finding.epoch}: the row is missing, and leaves or checkpoints of it are there`
    case "TreeChanged":
      return `log_tree ${finding.epoch}: \`${finding.column}\` is not what the leaves give`
    case "CheckpointMissing":
      return `log_checkpoint of size ${finding.size}: the row is missing`
    case "EpochUnknown":
      return `log_tree ${finding.epoch}: no entry of the log begins this epoch`
    case "RowUnreadable":
      return `${finding.table} ${finding.key}: \`${finding.column}\` cannot be read`
    case "Forked":
      return `tree of size ${finding.size}: it does not continue what was signed`
  }
}
