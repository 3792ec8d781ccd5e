/** Dry runs store nothing, on PostgreSQL: rows of all tables and the numbers of all sequences stay. */
import { dryRunSuite } from "@attestry/policy-lab/testing/DryRunSuite"
import { Effect } from "effect"
import { effort } from "../../../core/test/shared/Effort.js"
import * as PgLayer from "../shared/PgLayer.js"

const LIVES = effort(6, 60)

const TABLES = `select c.oid::regclass::text as name from pg_class c
  where c.relnamespace = 'attestry'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by 1`

const SEQUENCES = `select sequencename as name, last_value::text as held from pg_sequences
  where schemaname = 'attestry' order by 1`

/**
 * A digest of the rows of each table, and the last number of each sequence. When an environment last reported is left
 * out: reports that changed nothing write it a little later.
 */
const picture = Effect.gen(function* () {
  const { query } = yield* PgLayer.TestDatabase
  const tables = yield* query(TABLES)
  const digests = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      query(`select count(*)::int4 as rows, md5(string_agg(r.held, E'\\n' order by r.held)) as held
        from ${name} t, lateral (select (to_jsonb(t) - 'last_reported_at')::text as held) r`),
      (rows) => ({ name, ...rows[0] })
    )
  )
  return [...digests, ...(yield* query(SEQUENCES))]
})

dryRunSuite("PostgreSQL", PgLayer.layer, { lives: LIVES, picture })
