/**
 * The log of an org: a Merkle tree with one leaf for each entry of its journal.
 *
 * A log has epochs; a new one begins only when an operator has accepted that a part of the old one was lost.
 */

import type { Edge, Hash, TileNode } from "@attestry/transparency-log/MerkleTree"
import type { JournalEntry } from "../journal/JournalEntry.js"
import type { Json } from "../shared/CanonicalJson.js"
import type { OrgId } from "../shared/Identifier.js"
import type { Timestamp } from "../shared/Timestamp.js"
import * as LogEntry from "./LogEntry.js"

/** The tree of an epoch, and how far the journal is in it. */
export interface LogTree {
  readonly org_id: OrgId
  readonly epoch: number
  /** The name under which checkpoints are signed. It never changes. */
  readonly origin: string
  /** The key of `EntryId`. */
  readonly entryKey: Uint8Array
  readonly edge: Edge
  /** Every entry of the journal up to this number has its leaf. */
  readonly horizon: number
  /** The numbers above the horizon that have a leaf, in ascending order. */
  readonly done: ReadonlyArray<number>
}

/** A leaf: where it is, which entry of the journal it is of, and what its bytes are made with. */
export interface LogLeaf {
  readonly index: number
  readonly sequence: number
  readonly hash: Hash
  /** The master bytes of `LogEntry`, or what is left of them where members of the entry were erased. */
  readonly salt: LogEntry.Salting
  /** The index of the entry before it with the same subject. */
  readonly prev: number | null
}

/** An entry of the journal without a leaf, and the newest leaf of its subject. */
export interface UnloggedEntry {
  readonly entry: JournalEntry
  readonly prev: number | null
}

/** An entry of the journal with its leaf. */
export interface LoggedEntry {
  readonly entry: JournalEntry
  readonly leaf: LogLeaf
}

/** What a tree gains. */
export interface LogGrowth {
  readonly leaves: ReadonlyArray<LogLeaf>
  readonly nodes: ReadonlyArray<TileNode>
  readonly edge: Edge
  readonly horizon: number
  readonly done: ReadonlyArray<number>
}

/** A signed checkpoint of a tree. */
export interface LogCheckpoint {
  readonly epoch: number
  readonly size: number
  readonly signed_at: Timestamp
  /** The signed note. */
  readonly note: string
  /** The newest time of its entries; absent where it is not asked for or not known. */
  readonly max_at?: Timestamp
}

/** A public key of a log: from which size it signs, and when it ended. */
export interface RecordedKey {
  readonly generation: number
  readonly vkey: string
  readonly first_size: number
  readonly retired_at: Timestamp | null
}

/** What the log records of an entry of the journal. */
export const recordedOf = (
  { kind, subject, actor, at, content }: JournalEntry,
  prev: number | null
): LogEntry.Recorded => {
  // INVARIANT: the content of an entry is JSON.
  const value: Json = JSON.parse(content)
  return {
    kind,
    subject,
    actor: { ...actor, credential: actor.credential ?? null },
    at,
    prev,
    content: value
  }
}

/** The entry of the log for an entry of the journal and its leaf. */
export const entryOf = ({ entry, leaf }: LoggedEntry): LogEntry.LogEntry =>
  LogEntry.make(recordedOf(entry, leaf.prev), leaf.salt)

/** The origin of the first epoch of an org's log, below the public address of a deployment. It has no scheme. */
export const originOf = (publicUrl: string, org: string): string =>
  `${publicUrl.replace(/^[a-z]+:\/\//i, "").replace(/\/+$/, "")}/api/v2/log/${org}`

/** The name of the org in the origin of a log, whatever its epoch; none for an origin of another form. */
export const orgOf = (origin: string): string | undefined =>
  /\/api\/v2\/log\/([^/]+)(?:\/epochs\/\d+)?$/.exec(origin)?.[1]
