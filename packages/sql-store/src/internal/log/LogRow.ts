/** Rows of the tables of logs, and their values. */

import { OrgId } from "@attestry/core/Identifier"
import type { JournalEntry } from "@attestry/core/JournalEntry"
import type { LogGrowth, LoggedEntry, LogTree } from "@attestry/core/Log"
import * as LogEntry from "@attestry/core/LogEntry"
import type {
  EntryNumber,
  EntryNumbers,
  LeafRun,
  SignedTree,
  SubjectsBelow,
  TreeKey
} from "@attestry/core/LogStore"
import { Timestamp } from "@attestry/core/Timestamp"
import * as Base64 from "@attestry/transparency-log/Base64"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import type { Tile } from "@attestry/transparency-log/Tile"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as JournalRow from "../journal/JournalRow.js"
import { ByteColumn } from "../shared/ByteColumn.js"
import * as TenantQueries from "../shared/TenantQueries.js"

/** A tree. */
export const Tree = Schema.Struct({
  org_id: OrgId,
  epoch: Schema.Int,
  origin: Schema.String,
  entry_key: ByteColumn,
  size: Schema.Int,
  edge: ByteColumn,
  horizon: Schema.Int,
  done: Schema.Array(Schema.Int)
})

/** The value of a tree's row. */
export const treeOf = ({ entry_key, size, edge, ...row }: typeof Tree.Type): LogTree => ({
  ...row,
  entryKey: entry_key,
  edge: MerkleTree.readEdge(size, edge)
})

const Prev = { prev: Schema.NullOr(Schema.Int) }

/** A tree with its newest checkpoint. */
export const Signed = Schema.Struct({
  ...Tree.fields,
  signed_size: Schema.NullOr(Schema.Int),
  signed_at: Schema.NullOr(Timestamp),
  note: Schema.NullOr(Schema.String)
})

const CHECKPOINT: ReadonlySet<string> = new Set(["signed_size", "signed_at", "note"])

/** The name of a damaged row of a tree, or of its newest checkpoint. */
export const treeName: TenantQueries.NameOf = ({ epoch, signed_size }, column) =>
  CHECKPOINT.has(column)
    ? { kind: "log", table: "log_checkpoint", key: `${epoch} ${signed_size}` }
    : { kind: "log", table: "log_tree", key: String(epoch) }

/** The value of such a row. */
export const signedOf = ({
  signed_size: size,
  signed_at,
  note,
  ...tree
}: typeof Signed.Type): SignedTree => ({
  tree: treeOf(tree),
  checkpoint:
    size === null || signed_at === null || note === null
      ? Option.none()
      : Option.some({ epoch: tree.epoch, size, signed_at, note })
})

/** An entry without a leaf. */
export const Unlogged = TenantQueries.readBy(
  Schema.Struct({ ...JournalRow.shownFields, ...Prev }),
  {
    stored: Schema.Struct({ ...JournalRow.Columns.fields, ...Prev }),
    read: JournalRow.withJson
  }
)

const Texts = Schema.Record({ key: Schema.String, value: Schema.String })

/** The remaining salts after an erasure. */
const Remains = Schema.Struct({ salts: Texts, erased: Texts })

const NOTHING_LEFT: LogEntry.Remains = { salts: {}, erased: {} }

const Leaf = Schema.Struct({
  leaf_index: Schema.Int,
  ...Prev,
  hash: ByteColumn,
  salt: Schema.NullOr(ByteColumn),
  disclosures: Schema.NullOr(Remains)
})

/** An entry with its leaf. */
export const Logged = TenantQueries.readBy(
  Schema.Struct({ ...JournalRow.shownFields, ...Leaf.fields }),
  {
    stored: Schema.Struct({ ...JournalRow.Columns.fields, ...Leaf.fields }),
    read: JournalRow.withJson
  }
)

/** The name of a damaged row of an entry, or of its leaf in an epoch. */
export const loggedName =
  (epoch: number): TenantQueries.NameOf =>
  (row, column) =>
    Object.hasOwn(Leaf.fields, column)
      ? { kind: "log", table: "log_leaf", key: `${epoch} ${row.leaf_index}` }
      : JournalRow.nameOf(row, column)

/** The place of an entry's leaf. */
export const Place = Schema.Struct({
  sequence: Schema.Int,
  index: Schema.Int,
  prev: Schema.NullOr(Schema.Int)
})

/** The leaf of an entry about a subject. */
export const SubjectLeaf = Schema.Struct({
  index: Schema.Int,
  sequence: Schema.Int,
  bytes: Schema.Int
})

/** The leaves of entries about subjects. WHY lateral and `offset`: each subject and entry is found by its key. */
export const subjectLeaves = (
  sql: SqlClient,
  { epoch, org_id: org }: TreeKey,
  { below, ids, type }: SubjectsBelow
): Fragment => sql`select l.leaf_index as index, j.sequence, j.bytes
  from (select distinct unnest(${[...ids]}::text[]) as id) s
  cross join lateral (select sequence, octet_length(content) as bytes from journal
    where org_id = ${org} and subject_type = ${type} and subject_id = s.id offset 0) j
  cross join lateral (select leaf_index from log_leaf
    where org_id = ${org} and sequence = j.sequence and epoch + 0 = ${epoch} offset 0) l
  where l.leaf_index < ${below} order by l.leaf_index`

/** The value of a row of an entry with its leaf. */
export const loggedOf = ({
  leaf_index,
  prev,
  hash,
  salt,
  disclosures,
  ...entry
}: JournalEntry & typeof Leaf.Type): LoggedEntry => ({
  entry,
  leaf: {
    index: leaf_index,
    sequence: entry.sequence,
    hash,
    prev,
    salt: salt ?? disclosures ?? NOTHING_LEFT
  }
})

/**
 * The condition on the table `l`. WHY `+ 0`: an entry is found by the index on its number; with old statistics
 * PostgreSQL would read the whole epoch by its key instead.
 */
export const condition = (
  sql: SqlClient,
  epoch: number,
  which: LeafRun | EntryNumber | EntryNumbers
): Fragment =>
  "sequence" in which
    ? sql`l.sequence = ${which.sequence} and l.epoch + 0 = ${epoch}`
    : "sequences" in which
      ? sql`l.sequence = any(${[...which.sequences]}::int8[]) and l.epoch + 0 = ${epoch}`
      : sql`l.epoch = ${epoch} and l.leaf_index >= ${which.begin} and l.leaf_index < ${which.end}`

/** The hashes of a tile. */
export const Hashes = Schema.Struct({ hashes: ByteColumn })

/** A key that has signed. */
export const Key = Schema.Struct({
  generation: Schema.Int,
  vkey: Schema.String,
  first_size: Schema.Int,
  retired_at: Schema.NullOr(Timestamp)
})

/** A checkpoint. */
export const Checkpoint = Schema.Struct({
  epoch: Schema.Int,
  size: Schema.Int,
  signed_at: Timestamp,
  note: Schema.String
})

/** The name of a damaged row of a key. */
export const keyName: TenantQueries.NameOf = ({ vkey }) => ({
  kind: "log",
  table: "log_key",
  key: String(vkey)
})

/** The name of a damaged row of a checkpoint. */
export const checkpointName: TenantQueries.NameOf = ({ epoch, size }) => ({
  kind: "log",
  table: "log_checkpoint",
  key: `${epoch} ${size}`
})

/** A checkpoint with the newest time of its entries. */
export const TimedCheckpoint = Schema.Struct({
  ...Checkpoint.fields,
  max_at: Schema.optionalWith(Timestamp, { exact: true, nullable: true })
})

/** An org whose log is behind. */
export const Behind = Schema.Struct({ org_id: OrgId })

/** New leaves as JSON, with bytes in hexadecimal. */
export const leavesText = ({ leaves }: LogGrowth): string =>
  JSON.stringify(
    leaves.map(({ index, sequence, prev, hash, salt }) => ({
      leaf_index: index,
      sequence,
      prev,
      hash: Base64.encodeHex(hash),
      // INVARIANT: a new leaf has its master bytes.
      salt: LogEntry.isRemains(salt) ? null : Base64.encodeHex(salt)
    }))
  )

/** New nodes as JSON, with hashes in hexadecimal. */
export const nodesText = ({ nodes }: LogGrowth): string =>
  JSON.stringify(
    nodes.map(({ level, index, hash }) => ({
      level,
      node_index: index,
      hash: Base64.encodeHex(hash)
    }))
  )

/** Tiles as runs of hashes of their levels, as JSON. */
export const tilesText = (tiles: ReadonlyArray<Tile>): string =>
  JSON.stringify(
    tiles.map(({ level, index, width }) => ({
      level,
      first: index * MerkleTree.TILE_WIDTH,
      bound: index * MerkleTree.TILE_WIDTH + width
    }))
  )
