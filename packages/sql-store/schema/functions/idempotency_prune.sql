-- Removes requests whose time has ended.
--
-- WHY as the owner: an org that sends no more requests would keep its last answers forever.
create function idempotency_prune(most int4)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  delete from idempotency where (org_id, request) in (
    select org_id, request from idempotency where ends_at <= (extract(epoch from clock_timestamp()) * 1000000)::int8
    order by ends_at limit most for update skip locked
  )
$$;

grant execute on function idempotency_prune to attestry_app;
