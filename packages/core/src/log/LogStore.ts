/**
 * Port: the logs of orgs, the cosignatures of witnesses on their checkpoints, and their status: how many entries wait,
 * how far a log was verified, and which logs are public.
 *
 * Leaves, nodes, checkpoints and cosignatures are never changed or removed, except that an erasure removes salts of a
 * leaf, and `thinCheckpoints` removes old checkpoints.
 */
import type { ReadTile, Tile } from "@attestry/transparency-log/Tile"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { JournalSubjects } from "../journal/JournalStore.js"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type {
  LogCheckpoint,
  LogGrowth,
  LoggedEntry,
  LogLeaf,
  LogTree,
  RecordedKey,
  UnloggedEntry
} from "./Log.js"
import type { Remains } from "./LogEntry.js"

/** The beginning of an epoch of a log; without an epoch, a horizon and entries it is the first, before any entry. */
export type NewLog = Pick<LogTree, "org_id" | "origin" | "entryKey"> &
  Partial<Pick<LogTree, "epoch" | "horizon" | "done">>

/** A tree. */
export type TreeKey = Pick<LogTree, "org_id" | "epoch">

/** A tree and its newest checkpoint; none while nothing is signed. */
export interface SignedTree {
  readonly tree: LogTree
  readonly checkpoint: Option.Option<LogCheckpoint>
}

/** A checkpoint of the log of an org; the store finds the newest time of its entries. */
export type NewCheckpoint = Pick<LogTree, "org_id"> & Omit<LogCheckpoint, "max_at">

/** How far the journals of all orgs are visible. */
export interface LogVisibility {
  /** Every entry up to this number is visible. */
  readonly upTo: number
  /**
   * How long the oldest drawn number has not been visible, according to the polls of this process; 0 if all are
   * visible. A transaction that hangs makes it grow.
   */
  readonly lagMillis: number
}

/** Which orgs may be behind: those that have written entries above a number, and those that are named. */
export interface BehindWhich {
  /** 0 for every org. */
  readonly above: number
  readonly also: ReadonlyArray<OrgId>
  readonly limit: number
}

/** A run of leaves, the end excluded. */
export interface LeafRun {
  readonly begin: number
  readonly end: number
}

/** The number of an entry. */
export interface EntryNumber {
  readonly sequence: number
}

/** The numbers of entries. */
export interface EntryNumbers {
  readonly sequences: ReadonlyArray<number>
}

/** Subjects of one type, and the size below which leaves are wanted. */
export interface SubjectsBelow extends JournalSubjects {
  readonly below: number
}

/** The leaf of an entry about a subject, and the size of the entry's content in bytes. */
export interface SubjectLeaf {
  readonly index: number
  readonly sequence: number
  readonly bytes: number
}

/** A range of sizes, the first excluded. */
export interface CheckpointSizes {
  readonly after: number
  readonly upTo: number
}

/** An entry after an erasure. */
export interface ErasedEntry {
  readonly sequence: number
  /** The name of the actor. */
  readonly actor: string
  readonly content: string
  readonly digest: string
  readonly remains: Remains
}

/** The place of a leaf, and the index of the previous entry with the same subject. */
export type LeafPlace = Pick<LogLeaf, "index" | "prev">

/** The last background verification of a log. */
export interface LogScrub {
  /** The size up to which it was verified. */
  readonly through: number
  readonly finished_at: Timestamp
  readonly findings: number
}

/** The log of an org, and how far it was verified. */
export interface ScrubbedLog {
  readonly org_id: OrgId
  /** The number of leaves of all epochs. */
  readonly size: number
  /** None before the first verification. */
  readonly scrub: Option.Option<Omit<LogScrub, "findings">>
}

/**
 * Checkpoints are kept completely from the first instant on, one a minute from the second on, and one an hour before
 * that.
 */
export interface Thinning {
  readonly wholeAfter: Timestamp
  readonly minutesAfter: Timestamp
}

/** A cosignature that was verified. */
export interface Cosignature {
  readonly epoch: number
  readonly size: number
  /** The name of the key. */
  readonly witness: string
  readonly key_id: string
  /** The line of the note, with its newline. */
  readonly line: string
  readonly at: Timestamp
}

/** A checkpoint with its cosignatures. */
export interface CosignedCheckpoint {
  readonly checkpoint: LogCheckpoint
  readonly lines: ReadonlyArray<string>
}

/** Port: the logs of orgs. */
export class LogStore extends Context.Tag("@attestry/core/LogStore")<
  LogStore,
  {
    /**
     * Begins an epoch of an org's log, after the journal entries that the epoch before it has. Returns false, and
     * changes nothing, if an epoch of this number exists.
     */
    readonly start: (log: NewLog) => Effect.Effect<boolean, StoreError>
    /** The trees of all epochs, oldest first. */
    readonly listTrees: (org: OrgId) => Effect.Effect<ReadonlyArray<LogTree>, StoreError>
    /** The same, each with its largest checkpoint, read at one moment. */
    readonly listSigned: (org: OrgId) => Effect.Effect<ReadonlyArray<SignedTree>, StoreError>
    /** The tree of the newest epoch; none while the org has no log. */
    readonly find: (org: OrgId) => Effect.Effect<Option.Option<LogTree>, StoreError>
    /**
     * The same, locked until the transaction ends. Returns none, without waiting, while another transaction holds the
     * lock.
     */
    readonly lock: (org: OrgId) => Effect.Effect<Option.Option<LogTree>, StoreError>
    /**
     * The visibility watermark. A read that begins after this call has ended sees every entry up to `upTo`, of any
     * journal; `upTo` never falls within a process. Not to be called inside of a transaction.
     */
    readonly visibility: Effect.Effect<LogVisibility, StoreError>
    /** The last number that was drawn for an entry of any journal; 0 before the first. */
    readonly lastDrawn: Effect.Effect<number, StoreError>
    /**
     * The first visible entries above the horizon without a leaf, by number, each with the newest leaf of its subject.
     */
    readonly listUnlogged: (
      tree: LogTree,
      limit: number
    ) => Effect.Effect<ReadonlyArray<UnloggedEntry>, StoreError>
    /** Adds leaves and nodes to a tree that the transaction has locked. Fails for an entry that has a leaf already. */
    readonly grow: (tree: LogTree, growth: LogGrowth) => Effect.Effect<void, StoreError>
    /** The existing leaves of a run, or those of the entries with numbers, with their entries, by index. */
    readonly listLogged: (
      tree: TreeKey,
      which: LeafRun | EntryNumber | EntryNumbers
    ) => Effect.Effect<ReadonlyArray<LoggedEntry>, StoreError>
    /** The leaves of all entries about some subjects, by index; unknown subjects have none. */
    readonly listSubjectLeaves: (
      tree: TreeKey,
      of: SubjectsBelow
    ) => Effect.Effect<ReadonlyArray<SubjectLeaf>, StoreError>
    /** The places of the entries with these numbers, by number; entries without a leaf are left out. */
    readonly listPlaces: (
      org: OrgId,
      sequences: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyMap<number, LeafPlace>, StoreError>
    /** Replaces the content of an entry, the name of its actor and the salts of its leaf by their erased forms. */
    readonly erase: (org: OrgId, erased: ErasedEntry) => Effect.Effect<void, StoreError>
    /** The hashes of tiles, in this order; a tile that is not there has fewer hashes than its width. */
    readonly listTiles: (
      tree: TreeKey,
      tiles: ReadonlyArray<Tile>
    ) => Effect.Effect<ReadonlyArray<ReadTile>, StoreError>
    /** The keys that have signed the log of an org, by generation and origin. */
    readonly listKeys: (org: OrgId) => Effect.Effect<ReadonlyArray<RecordedKey>, StoreError>
    /** Adds a key, or replaces its end. */
    readonly putKey: (org: OrgId, key: RecordedKey) => Effect.Effect<void, StoreError>
    /**
     * Adds checkpoints of the logs of some orgs, by one statement. A stored checkpoint of the same size stays as it is.
     */
    readonly insertCheckpoints: (
      checkpoints: ReadonlyArray<NewCheckpoint>
    ) => Effect.Effect<void, StoreError>
    /** The checkpoint of the largest size; none while nothing is signed. */
    readonly findCheckpoint: (
      tree: TreeKey
    ) => Effect.Effect<Option.Option<LogCheckpoint>, StoreError>
    /** The checkpoints with sizes above one and up to another, by size. */
    readonly listCheckpoints: (
      tree: TreeKey,
      sizes: CheckpointSizes
    ) => Effect.Effect<ReadonlyArray<LogCheckpoint>, StoreError>
    /** Orgs whose journal has entries without a leaf; up to a limit, in any order. */
    readonly listBehind: (which: BehindWhich) => Effect.Effect<ReadonlyArray<OrgId>, StoreError>
    /** The number of visible entries without a leaf, counted up to a limit. */
    readonly countPending: (tree: LogTree, most: number) => Effect.Effect<number, StoreError>
    /** The last verification; none before the first one. */
    readonly findScrub: (org: OrgId) => Effect.Effect<Option.Option<LogScrub>, StoreError>
    /** How far the logs of all orgs were verified, by one statement; also of orgs without a log. */
    readonly listScrubs: Effect.Effect<ReadonlyArray<ScrubbedLog>, StoreError>
    /** Replaces the last verification. */
    readonly putScrub: (org: OrgId, scrub: LogScrub) => Effect.Effect<void, StoreError>
    /** Whether all callers may read the log of an org. */
    readonly isPublic: (org: OrgId) => Effect.Effect<boolean, StoreError>
    /** Sets whether all callers may read the log of an org. */
    readonly putPublic: (org: OrgId, isPublic: boolean) => Effect.Effect<void, StoreError>
    /** The orgs whose log all callers may read, by id. */
    readonly listPublic: Effect.Effect<ReadonlyArray<OrgId>, StoreError>
    /**
     * Removes checkpoints of an org that have a later one in the same minute or hour, with their cosignatures. The
     * newest cosigned checkpoint stays. Returns the number of removed checkpoints.
     */
    readonly thinCheckpoints: (org: OrgId, thinning: Thinning) => Effect.Effect<number, StoreError>
    /** Adds a cosignature; one of the same size and key stays as it is. */
    readonly insertCosignature: (
      org: OrgId,
      cosignature: Cosignature
    ) => Effect.Effect<void, StoreError>
    /** The cosignatures on sizes above one and up to another, by size, and by the name and the id of their keys. */
    readonly listCosignatures: (
      tree: TreeKey,
      sizes: CheckpointSizes
    ) => Effect.Effect<ReadonlyArray<Cosignature>, StoreError>
    /** The largest size that a key has cosigned; 0 before its first cosignature. */
    readonly newestCosignedSize: (tree: TreeKey, keyId: string) => Effect.Effect<number, StoreError>
    /** The newest checkpoints with a cosignature, newest first, up to a limit. */
    readonly listCosigned: (
      tree: TreeKey,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CosignedCheckpoint>, StoreError>
  }
>() {}
