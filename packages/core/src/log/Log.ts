/**
 * The transparency log of an org: a Merkle tree with one leaf for each journal entry.
 *
 * A log has epochs. A new epoch begins only after an operator has accepted the loss of part of the old one.
 */

import type { Edge, Hash, TileNode } from "@attestry/transparency-log/MerkleTree"
import type { JournalEntry } from "../journal/JournalEntry.js"
import type { Json } from "../shared/CanonicalJson.js"
import type { OrgId } from "../shared/Identifier.js"
import type { Timestamp } from "../shared/Timestamp.js"
import * as LogEntry from "./LogEntry.js"

/** The tree of an epoch, and the journal entries that it contains. */
export interface LogTree {
  readonly org_id: OrgId
  readonly epoch: number
  /** The name under which checkpoints are signed; never changes. */
  readonly origin: string
  /** The key that `EntryId` encrypts with. */
  readonly entryKey: Uint8Array
  readonly edge: Edge
  /** Every journal entry up to this sequence number has a leaf. */
  readonly horizon: number
  /** The sequence numbers above the horizon that have a leaf, in ascending order. */
  readonly done: ReadonlyArray<number>
}

/** A leaf: its index, its journal entry, and the salt of its bytes. */
export interface LogLeaf {
  readonly index: number
  readonly sequence: number
  readonly hash: Hash
  /** The master bytes of `LogEntry`; after an erasure, the remaining salts. */
  readonly salt: LogEntry.Salting
  /** The index of the previous entry with the same subject. */
  readonly prev: number | null
}

/** A journal entry without a leaf, and the newest leaf of its subject. */
export interface UnloggedEntry {
  readonly entry: JournalEntry
  readonly prev: number | null
}

/** A journal entry with its leaf. */
export interface LoggedEntry {
  readonly entry: JournalEntry
  readonly leaf: LogLeaf
}

/** The leaves and nodes that an integration adds to a tree. */
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
  /** The newest time among its entries. Absent if it was not requested or is unknown. */
  readonly max_at?: Timestamp
}

/** A public key of a log: the first size that it signed, and when it was retired. */
export interface RecordedKey {
  readonly generation: number
  readonly vkey: string
  readonly first_size: number
  readonly retired_at: Timestamp | null
}

/** The members of a journal entry that its log entry records. */
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

/** The log entry for a journal entry and its leaf. */
export const entryOf = ({ entry, leaf }: LoggedEntry): LogEntry.LogEntry =>
  LogEntry.make(recordedOf(entry, leaf.prev), leaf.salt)

/** The origin of an org's first epoch: the deployment's public URL without its scheme, and a path. */
export const originOf = (publicUrl: string, org: string): string =>
  `${publicUrl.replace(/^[a-z]+:\/\//i, "").replace(/\/+$/, "")}/api/v2/log/${org}`

/** The name of the org in the origin of any epoch. Undefined for an origin of another form. */
export const orgOf = (origin: string): string | undefined =>
  /\/api\/v2\/log\/([^/]+)(?:\/epochs\/\d+)?$/.exec(origin)?.[1]
