-- Leases deliveries that are due: of the named queues, of all others, or of all others whose target answers.
--
-- A queue is claimed by one worker at a time. Deliveries of removed targets are deleted.
--
-- Runs as the owner: workers deliver for every org.
create function outbox_claim(most int4, per_queue int4, lease_millis int8, named jsonb, choice text)
returns table(org_id text, id text, queue text, intent text, target text, notification text, audience jsonb, attempts int4,
  created_at int8, token int8, leased_until int8)
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
#variable_conflict use_column
declare
  instant int8 := (extract(epoch from clock_timestamp()) * 1000000)::int8;
  orgs text[];
  queues text[];
begin
  if not exists (select from outbox o where o.dead_at is null and o.due_at <= instant) then
    return;
  end if;
  -- Queues, each locked until the end of the transaction and with room for another delivery.
  if choice = 'Only' then
    select array_agg(c.org_id), array_agg(c.queue) into orgs, queues from (
      select q.org_id, q.queue
      from (select n.org_id, n.queue from jsonb_to_recordset(named) as n (org_id text, queue text)) q
      cross join lateral (
        select o.due_at from outbox o where o.org_id = q.org_id and o.queue = q.queue
            and o.dead_at is null and o.due_at <= instant
          order by o.due_at limit 1
      ) f
      where (select count(*) from outbox l where l.org_id = q.org_id and l.queue = q.queue
        and l.leased and l.due_at > instant) < per_queue
      order by f.due_at limit most
    ) c where pg_try_advisory_xact_lock(hashtextextended(c.org_id || ' ' || c.queue, 8245));
  else
    -- Queues of the deliveries that have been due longest.
    select array_agg(c.org_id), array_agg(c.queue) into orgs, queues from (
      select q.org_id, q.queue from (
        select d.org_id, d.queue, min(d.due_at) as due_at from (
          select o.org_id, o.queue, o.due_at from outbox o
            where o.dead_at is null and o.due_at <= instant
            order by o.due_at limit most * 4
        ) d group by d.org_id, d.queue
      ) q
      where (q.org_id, q.queue) not in (select n.org_id, n.queue
          from jsonb_to_recordset(named) as n (org_id text, queue text))
        and (choice <> 'AnsweringBut' or not exists (select from notification_target t
          where t.org_id = q.org_id and t.target_id = q.queue
            and (t.last_success_at is null or t.last_failure_at > t.last_success_at)))
        and (select count(*) from outbox l where l.org_id = q.org_id and l.queue = q.queue
          and l.leased and l.due_at > instant) < per_queue
      order by q.due_at limit most
    ) c where pg_try_advisory_xact_lock(hashtextextended(c.org_id || ' ' || c.queue, 8245));
    -- Where those are too few, any queues, found by stepping through the index.
    if coalesce(cardinality(orgs), 0) < most then
      with recursive q as (
        (select o.org_id, o.queue, o.due_at from outbox o where o.dead_at is null
          order by o.org_id, o.queue, o.due_at limit 1)
        union all
        select n.org_id, n.queue, n.due_at from q cross join lateral (
          select o.org_id, o.queue, o.due_at from outbox o
            where o.dead_at is null and (o.org_id, o.queue) > (q.org_id, q.queue)
            order by o.org_id, o.queue, o.due_at limit 1
        ) n
      )
      select array_agg(c.org_id), array_agg(c.queue) into orgs, queues from (
        select q.org_id, q.queue from q
        where q.due_at <= instant
          and (q.org_id, q.queue) not in (select n.org_id, n.queue
            from jsonb_to_recordset(named) as n (org_id text, queue text))
          and (choice <> 'AnsweringBut' or not exists (select from notification_target t
            where t.org_id = q.org_id and t.target_id = q.queue
              and (t.last_success_at is null or t.last_failure_at > t.last_success_at)))
          and (select count(*) from outbox l where l.org_id = q.org_id and l.queue = q.queue
            and l.leased and l.due_at > instant) < per_queue
        order by random() limit most
      ) c where pg_try_advisory_xact_lock(hashtextextended(c.org_id || ' ' || c.queue, 8245));
    end if;
  end if;
  if orgs is null then return; end if;
  -- Deliveries of removed targets.
  delete from outbox o using unnest(orgs, queues) as c (org_id, queue)
    where o.org_id = c.org_id and o.queue = c.queue and o.queue is distinct from o.notification_type
      and not exists (select from notification_target t
        where t.org_id = c.org_id and t.target_id = c.queue);
  return query with picked as (
    select p.org_id, p.delivery_id, p.due_at,
        row_number() over (partition by p.org_id, p.queue order by p.due_at, p.sequence) as place
      from unnest(orgs, queues) as c (org_id, queue) cross join lateral (
        select o.org_id, o.delivery_id, o.queue, o.due_at, o.sequence from outbox o
          where o.org_id = c.org_id and o.queue = c.queue and o.dead_at is null
            and o.due_at <= instant
          order by o.due_at, o.sequence
          limit greatest(0, per_queue - (select count(*) from outbox l
            where l.org_id = c.org_id and l.queue = c.queue and l.leased and l.due_at > instant))
          for update skip locked
      ) p
  ), taken as (
    select p.org_id, p.delivery_id from picked p order by p.place, p.due_at limit most
  )
  update outbox o
    set token = o.token + 1, leased = true, due_at = instant + lease_millis * 1000
    from taken t where o.org_id = t.org_id and o.delivery_id = t.delivery_id
    returning o.org_id, o.delivery_id, o.queue, o.intent, o.target::text, o.notification::text, o.audience,
      o.attempts, o.created_at, o.token, o.due_at;
end
$$;

grant execute on function outbox_claim to attestry_app;
