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

/** The instants, in seconds, in the contexts of decisions. */
const CONTEXTS = `update snapshot_decisions set decisions = (
    select jsonb_agg(case when d ? 'contexts' then jsonb_set(d, '{contexts}', (
      select jsonb_agg((select jsonb_object_agg(key, case
          when key in ('expired_at', 'expires_at') then to_jsonb((value #>> '{}')::numeric - $1) else value end)
        from jsonb_each(c)) order by nth)
      from jsonb_array_elements(d -> 'contexts') with ordinality contexts (c, nth))) else d end order by place)
    from jsonb_array_elements(decisions) with ordinality all_decisions (d, place))
  where decisions @? '$[*].contexts'`

/** Moves every stored instant back by some minutes; a negative number moves it into the future. */
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
    yield* query(CONTEXTS, [minutes * 60])
    yield* query("commit")
  })
