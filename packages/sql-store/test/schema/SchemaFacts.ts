/** Everything that a schema consists of, one line for each thing, in an order of its own. */
import { Effect } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

/** Grants, in any order. */
const grants = (acl: string): string =>
  `coalesce((select string_agg(x.grantee::text || '=' || x.privilege_type, ','
      order by x.grantee::text, x.privilege_type)
    from aclexplode(${acl}) x), '')`

/** Bodies of functions are compared without comments and layout. */
const BODY = String.raw`btrim(regexp_replace(regexp_replace(regexp_replace(
  p.prosrc, '^\s*--.*$', '', 'gn'), '\s+', ' ', 'g'), ' ?([(),;]) ?', '\1', 'g'))`

const OURS = "'attestry'::regnamespace"
const NO_VERSIONS = "not like 'attestry_migrations%'"

const STATEMENTS = [
  `select format('column %s.%s %s %s %s %s %s %s %s %s %s', c.relname, a.attname, a.attnum,
      format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attidentity,
      a.attgenerated, a.attstorage, coalesce(a.attstattarget, -1), a.attcollation::regcollation)
      || ${grants("a.attacl")}
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = ${OURS} and c.relname ${NO_VERSIONS}`,
  `select format('relation %s %s %s %s %s', c.relname, c.relkind, c.relrowsecurity, c.relforcerowsecurity, c.reloptions)
      || ${grants("c.relacl")}
    from pg_class c where c.relnamespace = ${OURS} and c.relname ${NO_VERSIONS}`,
  // Whether a column may be null is a fact of the column; PostgreSQL 18 has a constraint for it too.
  `select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = ${OURS} and contype <> 'n' and conrelid::regclass::text ${NO_VERSIONS}`,
  `select 'index ' || indexdef from pg_indexes where schemaname = 'attestry' and tablename ${NO_VERSIONS}`,
  // WHY the order: of indexes that seem to cost the same, PostgreSQL takes the youngest.
  `select format('indexes of %s: %s', i.indrelid::regclass,
      string_agg(i.indexrelid::regclass::text, ' ' order by i.indexrelid))
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = ${OURS} and c.relname ${NO_VERSIONS} group by i.indrelid`,
  `select format('function %s(%s) %s %s %s %s %s %s %s', p.proname, pg_get_function_arguments(p.oid),
      pg_get_function_result(p.oid), l.lanname, p.prosecdef, p.provolatile, p.prorows, p.procost, p.proconfig)
      || ${grants("p.proacl")} || ${BODY}
    from pg_proc p join pg_language l on l.oid = p.prolang where p.pronamespace = ${OURS}`,
  `select format('trigger %s %s', pg_get_triggerdef(t.oid), t.tgenabled)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = ${OURS} and not t.tgisinternal`,
  `select format('policy %s %s %s %s %s %s %s', polrelid::regclass, polname, polcmd, polpermissive, polroles,
      pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
    from pg_policy`,
  `select format('view %s %s', relname, pg_get_viewdef(oid))
    from pg_class where relkind = 'v' and relnamespace = ${OURS}`,
  `select format('sequence %s %s %s %s', c.relname, s.seqtypid::regtype, s.seqstart, s.seqincrement)
    from pg_sequence s join pg_class c on c.oid = s.seqrelid where c.relnamespace = ${OURS}`,
  "select 'schema ' || nspacl::text from pg_namespace where nspname = 'attestry'"
]

/** The schema of a database. */
export const read = Effect.gen(function* () {
  const { query } = yield* PgLayer.TestDatabase
  const found = yield* Effect.forEach(STATEMENTS, (statement) => query(statement))
  return found
    .flat()
    .flatMap((row) => Object.values(row).map(String))
    .sort()
})
