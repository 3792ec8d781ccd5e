-- Numbers of due and of failed deliveries, each counted up to `most`, and the delay of the oldest in milliseconds.
--
-- Runs as the owner: it reads across orgs.
create function outbox_depth(most int4)
returns table(due int8, oldest int8, dead int8)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select
    (select count(*) from (select from outbox o where o.dead_at is null
      and o.due_at <= (extract(epoch from clock_timestamp()) * 1000000)::int8 limit most) d),
    (select greatest(0, ((extract(epoch from clock_timestamp()) * 1000000)::int8 - min(o.due_at)) / 1000) from outbox o
      where o.dead_at is null and o.due_at <= (extract(epoch from clock_timestamp()) * 1000000)::int8),
    (select count(*) from (select from outbox o where o.dead_at is not null limit most) d)
$$;

grant execute on function outbox_depth to attestry_app;
