-- A row as one JSON value, for verification.
--
-- A column of type json may hold a text that jsonb refuses: an escape of NUL, or a number out of range. Such a column is
-- shown as damaged, and the others as they are.
create function record_columns(stored anyelement)
returns jsonb
language plpgsql stable
set search_path = attestry, pg_temp
as $$
declare
  name text;
  shown jsonb := '{}';
  value jsonb;
begin
  return to_jsonb(stored);
exception when data_exception or program_limit_exceeded then
  for name in select a.attname from pg_catalog.pg_attribute a
    join pg_catalog.pg_type t on t.typrelid = a.attrelid
    where t.oid = pg_typeof(stored)::oid and a.attnum > 0 and not a.attisdropped
  loop
    begin
      execute format('select to_jsonb(($1).%I)', name) into value using stored;
    exception when data_exception or program_limit_exceeded then
      value := to_jsonb('a value that cannot be read'::text);
    end;
    shown := shown || jsonb_build_object(name, value);
  end loop;
  return shown;
end
$$;

grant execute on function record_columns to attestry_app;
