/**
 * Reading the rows of one snapshot as the store does, without a server: what that costs against a full copy
 * of the same rows, and how many pages it touches.
 *
 * The subject is `SnapshotStore.find`: head and rows in two statements of one transaction, read into values
 * and put in order. The full copy is one JSONB with the same rows and decisions under its number, fetched
 * by `pg` and parsed; nothing is made of it.
 */
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as PgStore from "@attestry/sql-store/PgStore"
import { Effect, ManagedRuntime, Option, Redacted } from "effect"
import { median, timed } from "./http.mjs"

/** Opens the store; `find(ref, index)` gives how many rows a snapshot has. */
const openStore = (databaseUrl) => {
  const runtime = ManagedRuntime.make(
    PgStore.layer({ url: Redacted.make(databaseUrl), connectionsMax: 1 })
  )
  const find = (ref, index) =>
    runtime.runPromise(
      Effect.map(
        Effect.flatMap(SnapshotStore, (store) => store.find(ref, { _tag: "AtIndex", index })),
        Option.match({ onNone: () => 0, onSome: ({ rows }) => rows.length })
      )
    )
  return { find, close: () => runtime.dispose() }
}

/** Who an environment is. */
export const refOf = async (database, name) => {
  const { rows } = await database.query(
    "select org_id as org, environment_id as environment from environment where name = $1",
    [name]
  )
  return rows[0]
}

/** The rows of snapshots `s` as one document each; `print` is how a row `r` with its decisions is printed. */
export const wholeSnapshots = (print, condition) =>
  `select s.index, jsonb_agg(${print}) as doc
    from snapshot s join snapshot_row r on r.org_id = s.org_id
      and r.environment_id = s.environment_id and r.bucket = s.bucket
      and s.index between r.first_index and r.last_index
    left join snapshot_decisions c on c.org_id = r.org_id and c.digest = r.decisions_digest,
    lateral (select r.doc::jsonb as doc) d
    where ${condition} group by s.index`

/** Makes full copies of snapshots, `print` being how a row `r` with its decisions is printed. */
export const copyWhole = async (database, { environment, indexes, print }) => {
  await database.query("drop table if exists copy_at")
  const wanted = `s.environment_id = '${environment}' and s.index in (${indexes.join(", ")})`
  await database.query(`create temp table copy_at as ${wholeSnapshots(print, wanted)}`)
  await database.query("alter table copy_at add primary key (index)")
  await database.query("analyze copy_at")
}

/** Medians of both ways to read the rows of these snapshots, taking turns after a warm-up. */
export const compareReads = async ({ database, databaseUrl }, ref, { indexes, rounds }) => {
  const { find, close } = openStore(databaseUrl)
  const copied = async (index) => {
    const { rows } = await database.query("select doc from copy_at where index = $1", [index])
    return rows[0].doc.length
  }
  const [ours, copies] = [[], []]
  try {
    for (let round = 0; round < rounds; round++) {
      for (const index of indexes) {
        const [found, copy] = [
          await timed(() => find(ref, index)),
          await timed(() => copied(index))
        ]
        if (round * 3 < rounds) continue
        ours.push(found)
        copies.push(copy)
      }
    }
  } finally {
    await close()
  }
  return { ours: median(ours), copies: median(copies) }
}

const touched = async (database, tables) => {
  const { rows } = await database.query(
    `select sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit
        + coalesce(toast_blks_read + toast_blks_hit + tidx_blks_read + tidx_blks_hit, 0))::int8 as pages
      from pg_statio_user_tables where relname = any($1)`,
    [tables]
  )
  return Number(rows[0].pages)
}

/** Pages of these tables, and of their keys, that reading a snapshot touches, on average. */
export const pagesOf = async ({ database, databaseUrl }, ref, { indexes, tables }) => {
  const before = await touched(database, tables)
  const { find, close } = openStore(databaseUrl)
  for (const index of indexes) await find(ref, index)
  // WHY closed: a connection says what it has touched when it ends, and until then when it likes.
  await close()
  await new Promise((resolve) => setTimeout(resolve, 500))
  return ((await touched(database, tables)) - before) / indexes.length
}
