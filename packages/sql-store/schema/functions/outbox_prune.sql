-- Removes deliveries that failed long ago.
--
-- Runs as the owner: it removes across orgs.
create function outbox_prune(older_millis int8, most int4)
returns int4
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
declare
  removed int4;
begin
  delete from outbox o using (
      select d.org_id, d.delivery_id from outbox d
        where d.dead_at <= (extract(epoch from clock_timestamp()) * 1000000)::int8 - older_millis * 1000
        order by d.dead_at limit most for update skip locked
    ) old
    where o.org_id = old.org_id and o.delivery_id = old.delivery_id;
  get diagnostics removed = row_count;
  return removed;
end
$$;

grant execute on function outbox_prune to attestry_app;
