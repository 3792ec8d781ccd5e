/** What PostgreSQL writes to its write-ahead log. */

/**
 * The bytes that transactions write to it for some work. Whole pages are left out: how many there are depends on when
 * the last checkpoint was.
 */
export const walOf = async (database, work) => {
  await database.query("create extension if not exists pg_walinspect with schema pg_catalog")
  const at = async () =>
    (await database.query("select pg_current_wal_insert_lsn()::text as at")).rows[0].at
  const first = await at()
  await work()
  const { rows } = await database.query(
    `select coalesce(sum(record_length - fpi_length), 0)::int8 as n
      from pg_get_wal_records_info($1::pg_lsn, $2::pg_lsn) where xid::text <> '0'`,
    [first, await at()]
  )
  return Number(rows[0].n)
}
