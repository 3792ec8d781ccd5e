/** `LogStore` on PostgreSQL. Statements are index ranges on purpose: plans of joins cost many times as much. */
import type { LoggedEntry, LogTree } from "@attestry/core/Log"
import {
  type EntryNumber,
  type EntryNumbers,
  type LeafRun,
  LogStore,
  type LogVisibility,
  type TreeKey
} from "@attestry/core/LogStore"
import * as VisibilityWatermark from "@attestry/core/VisibilityWatermark"
import * as Tile from "@attestry/transparency-log/Tile"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as JournalRow from "../journal/JournalRow.js"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as CosignaturesSql from "./CosignaturesSql.js"
import * as LogGrowthSql from "./LogGrowthSql.js"
import * as LogLinksSql from "./LogLinksSql.js"
import * as LogRow from "./LogRow.js"
import * as LogStatusSql from "./LogStatusSql.js"

const Poll = Schema.Struct({
  last: Schema.Int,
  holders: Schema.Array(Schema.String),
  run: Schema.String
})

/** The visibility watermark, by polls of this process, one at a time. */
const makeWatermark = (sql: SqlClient.SqlClient) =>
  Effect.map(Effect.makeSemaphore(1), (one) => {
    let known = VisibilityWatermark.NONE
    let waiting: ReadonlyMap<number, number> = new Map()
    return sql`select last, holders, run from log_poll()`.pipe(
      Effect.flatMap(TenantQueries.decoderOf(Poll)),
      Effect.zip(Clock.currentTimeMillis),
      Effect.map(([found, now]): LogVisibility => {
        for (const each of found) known = VisibilityWatermark.advance(known, each)
        waiting = new Map(known.polls.map(({ last }) => [last, waiting.get(last) ?? now]))
        return {
          upTo: known.visible,
          lagMillis: Math.max(0, ...[...waiting.values()].map((since) => now - since))
        }
      }),
      SqlFailure.toStoreError("LogStore.visibility"),
      one.withPermits(1)
    )
  })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make

  const treeColumns = sql.literal(
    "org_id, epoch, origin, entry_key, size, edge, horizon, to_jsonb(done) as done"
  )
  const findTree = (org: LogTree["org_id"], operation: string, lock: Fragment) =>
    Effect.map(
      rows.first(LogRow.Tree, {
        operation,
        org,
        statement: sql`select ${treeColumns} from log_tree where org_id = ${org}
          and epoch = (select max(epoch) from log_tree where org_id = ${org}) ${lock}`
      }),
      Option.map(LogRow.treeOf)
    )

  const logged = (tree: TreeKey, which: LeafRun | EntryNumber | EntryNumbers) =>
    Effect.map(
      rows.all(LogRow.Logged, {
        operation: "LogStore.listLogged",
        nameOf: LogRow.loggedName(tree.epoch),
        org: tree.org_id,
        statement: sql`select ${JournalRow.columns(sql)}, l.leaf_index, l.prev, l.hash, l.salt,
            l.disclosures
          from log_leaf l join journal on journal.org_id = l.org_id and journal.sequence = l.sequence
          where l.org_id = ${tree.org_id} and ${LogRow.condition(sql, tree.epoch, which)}
          order by l.leaf_index`
      }),
      (found): ReadonlyArray<LoggedEntry> => found.map(LogRow.loggedOf)
    )

  return LogStore.of({
    ...(yield* LogStatusSql.make),
    ...(yield* CosignaturesSql.make),
    visibility: yield* makeWatermark(sql),
    lastDrawn: sql`select last, holders, run from log_poll()`.pipe(
      Effect.flatMap(TenantQueries.decoderOf(Poll)),
      Effect.map((found) => found[0]?.last ?? 0),
      SqlFailure.toStoreError("LogStore.lastDrawn")
    ),
    start: ({ org_id, epoch = 1, origin, entryKey, horizon = 0, done = [] }) =>
      rows.wrote({
        operation: "LogStore.start",
        org: org_id,
        statement: sql`insert into log_tree (org_id, epoch, origin, entry_key, horizon, done)
          values (${org_id}, ${epoch}, ${origin}, ${entryKey}, ${horizon}, ${[...done]}::int8[])
          on conflict do nothing returning epoch`
      }),
    listTrees: (org) =>
      Effect.map(
        rows.all(LogRow.Tree, {
          operation: "LogStore.listTrees",
          nameOf: LogRow.treeName,
          org,
          statement: sql`select ${treeColumns} from log_tree where org_id = ${org} order by epoch`
        }),
        (found) => found.map(LogRow.treeOf)
      ),
    listSigned: (org) =>
      Effect.map(
        rows.all(LogRow.Signed, {
          operation: "LogStore.listSigned",
          nameOf: LogRow.treeName,
          org,
          statement: sql`select t.*, c.size as signed_size, c.signed_at, c.note
            from (select ${treeColumns} from log_tree where org_id = ${org}) t
            left join lateral (select size, signed_at, note from log_checkpoint
              where org_id = ${org} and epoch = t.epoch order by size desc limit 1) c on true
            order by t.epoch`
        }),
        (found) => found.map(LogRow.signedOf)
      ),
    find: (org) => findTree(org, "LogStore.find", sql``),
    lock: (org) => findTree(org, "LogStore.lock", sql`for update skip locked`),
    listUnlogged: (tree, limit) =>
      Effect.map(
        rows.all(LogRow.Unlogged, {
          operation: "LogStore.listUnlogged",
          org: tree.org_id,
          statement: LogLinksSql.unlogged(sql, tree, limit)
        }),
        (found) => found.map(({ prev, ...entry }) => ({ entry, prev }))
      ),
    grow: (tree, growth) =>
      Effect.gen(function* () {
        const call = { operation: "LogStore.grow", org: tree.org_id }
        // WHY a statement of its own: PostgreSQL finds no good plan for it as a part of the statement below.
        if (LogLinksSql.hasLate(tree, growth))
          yield* rows.run({ ...call, statement: LogLinksSql.keepLate(sql, tree, growth) })
        for (const [row, statement] of LogGrowthSql.statements(sql, tree, growth)) {
          yield* rows.write({ ...call, row, statement })
        }
      }),
    listLogged: logged,
    listSubjectLeaves: (tree, of) =>
      of.ids.length === 0
        ? Effect.succeed([])
        : rows.all(LogRow.SubjectLeaf, {
            operation: "LogStore.listSubjectLeaves",
            org: tree.org_id,
            statement: sql`${LogRow.subjectLeaves(sql, tree, of)}`
          }),
    listPlaces: (org, sequences) =>
      sequences.length === 0
        ? Effect.succeed(new Map())
        : Effect.map(
            rows.all(LogRow.Place, {
              operation: "LogStore.listPlaces",
              org,
              statement: sql`select sequence, leaf_index as index, prev from log_leaf
                where org_id = ${org} and sequence = any(${[...sequences]}::int8[])`
            }),
            (found) => new Map(found.map(({ sequence, ...place }) => [sequence, place] as const))
          ),
    erase: (org, { sequence, actor, content, digest, remains }) =>
      rows.run({
        operation: "LogStore.erase",
        org,
        statement: sql`select journal_erase(${sequence}, ${content}, ${digest},
          ${JSON.stringify(remains)}::jsonb, ${actor})`
      }),
    listTiles: ({ org_id: org, epoch }, tiles) =>
      Effect.map(
        rows.all(LogRow.Hashes, {
          operation: "LogStore.listTiles",
          org,
          statement: sql`select coalesce(case when t.level = 0
              then (select string_agg(l.hash, ''::bytea order by l.leaf_index) from log_leaf l
                where l.org_id = ${org} and l.epoch = ${epoch}
                  and l.leaf_index >= t.first and l.leaf_index < t.bound)
              else (select string_agg(n.hash, ''::bytea order by n.node_index) from log_node n
                where n.org_id = ${org} and n.epoch = ${epoch} and n.level = t.level
                  and n.node_index >= t.first and n.node_index < t.bound) end, ''::bytea) as hashes
            from rows from (json_to_recordset(${LogRow.tilesText(tiles)}::json) as (level int2,
              first int8, bound int8)) with ordinality t order by t.ordinality`
        }),
        (found) =>
          tiles.map((tile, place) => ({
            tile,
            hashes: Tile.read(found[place]?.hashes ?? new Uint8Array(0))
          }))
      ),
    listKeys: (org) =>
      rows.all(LogRow.Key, {
        operation: "LogStore.listKeys",
        nameOf: LogRow.keyName,
        org,
        statement: sql`select generation, vkey, first_size, retired_at from log_key
          where org_id = ${org} order by generation, first_size`
      }),
    putKey: (org, key) =>
      rows.run({
        operation: "LogStore.putKey",
        org,
        statement: sql`insert into log_key (org_id, vkey, generation, first_size, retired_at)
          values (${org}, ${key.vkey}, ${key.generation}, ${key.first_size}, ${key.retired_at})
          on conflict (org_id, vkey) do update set retired_at = excluded.retired_at`
      }),
    insertCheckpoints: (checkpoints) =>
      sql`select log_checkpoints_append(${JSON.stringify(checkpoints)}::jsonb)`.pipe(
        Effect.asVoid,
        SqlFailure.toStoreError("LogStore.insertCheckpoints")
      ),
    findCheckpoint: ({ org_id, epoch }) =>
      rows.first(LogRow.Checkpoint, {
        operation: "LogStore.findCheckpoint",
        org: org_id,
        statement: sql`select epoch, size, signed_at, note from log_checkpoint
          where org_id = ${org_id} and epoch = ${epoch} order by size desc limit 1`
      }),
    listCheckpoints: ({ org_id, epoch }, { after, upTo }) =>
      rows.all(LogRow.TimedCheckpoint, {
        operation: "LogStore.listCheckpoints",
        nameOf: LogRow.checkpointName,
        org: org_id,
        statement: sql`select epoch, size, signed_at, note, max_at from log_checkpoint
          where org_id = ${org_id} and epoch = ${epoch} and size > ${after} and size <= ${upTo}
          order by size`
      }),
    listBehind: ({ above, also, limit }) =>
      sql`select org_id from log_behind(${above}, ${[...also]}::text[], ${limit})`.pipe(
        Effect.flatMap(TenantQueries.decoderOf(LogRow.Behind)),
        Effect.map((found) => found.map(({ org_id }) => org_id)),
        SqlFailure.toStoreError("LogStore.listBehind")
      )
  })
})

/** `LogStore` on PostgreSQL. */
export const layer: Layer.Layer<LogStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(LogStore, make)
