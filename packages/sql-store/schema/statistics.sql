-- ANALYZE gathers nothing about any column, so that no plan depends on when a table was analyzed.
--
-- WHY: statistics name the orgs that existed when they were gathered. Of an org that came later the planner expects no row,
-- and takes any index that begins with the org. Statements are written for a database without statistics. A migration that
-- adds a column, or an index on an expression, runs this file again.
do $$
declare
  command text;
begin
  for command in select format('alter %s %s alter column %s set statistics 0',
      case c.relkind when 'r' then 'table' else 'index' end, c.oid::regclass,
      case c.relkind when 'r' then quote_ident(a.attname) else a.attnum::text end)
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_index i on i.indexrelid = c.oid
    where c.relnamespace = 'attestry'::regnamespace
      and (c.relkind = 'r' or i.indkey[a.attnum - 1] = 0)
      and coalesce(a.attstattarget, -1) <> 0
  loop
    execute command;
  end loop;
end $$;
