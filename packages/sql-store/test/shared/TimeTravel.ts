/**
 * Lets time pass on a database whose clock is the machine's: every instant that it stores moves into the past.
 *
 * Afterwards each answer is the one that it would give later, but for instants in documents, such as those of the
 * journal.
 */
import { Effect } from "effect"
import type { TestDatabase } from "./PgLayer.js"

const INSTANTS = `select table_name, string_agg(format('%I = %I - $1', column_name, column_name), ', ') as moved
  from information_schema.columns
  join information_schema.tables using (table_schema, table_name)
  where table_schema = 'attestry' and table_type = 'BASE TABLE' and data_type = 'bigint'
    and column_name ~ '(^|_)(at|timestamp)$'
  group by table_name`

/** Moves every stored instant back by some minutes. */
export const moveBack = (
  { query }: TestDatabase["Type"],
  minutes: number
): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    yield* query("begin")
    // WHY: triggers would keep versions of what moves.
    yield* query("set local session_replication_role = replica")
    for (const { table_name, moved } of yield* query(INSTANTS))
      yield* query(`update "${table_name}" set ${moved}`, [minutes * 60_000_000])
    yield* query("commit")
  })
