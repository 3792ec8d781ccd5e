-- Records the results of deliveries whose lease is still the caller's, and returns the positions of those that were taken.
--
-- INVARIANT: configurations, then targets, then deliveries are locked, each in order.
--
-- Runs as the owner: workers deliver for every org.
create function outbox_settle(settlements jsonb)
returns table(taken_positions jsonb)
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
#variable_conflict use_column
declare
  instant int8 := (extract(epoch from clock_timestamp()) * 1000000)::int8;
  taken jsonb;
begin
  -- Locks, and the deliveries whose lease is still the caller's.
  insert into notification_config (org_id, notification_type)
    select distinct o.org_id, o.notification_type
      from jsonb_to_recordset(settlements)
        as s (org_id text, id text, token int8, outcome text, error text, after int8, position int4)
      join outbox o on o.org_id = s.org_id and o.delivery_id = s.id
      where o.notification_type is not null order by 1, 2
    on conflict do nothing;
  perform from notification_config c
    where (c.org_id, c.notification_type) in (select o.org_id, o.notification_type
      from jsonb_to_recordset(settlements)
        as s (org_id text, id text, token int8, outcome text, error text, after int8, position int4)
      join outbox o on o.org_id = s.org_id and o.delivery_id = s.id)
    order by c.org_id, c.notification_type for update;
  perform from notification_target t
    where (t.org_id, t.target_id) in (select o.org_id, o.queue
      from jsonb_to_recordset(settlements)
        as s (org_id text, id text, token int8, outcome text, error text, after int8, position int4)
      join outbox o on o.org_id = s.org_id and o.delivery_id = s.id)
    order by t.org_id, t.target_id for no key update;
  select coalesce(jsonb_agg(to_jsonb(x)), '[]') into taken from (
    select o.org_id, o.delivery_id, o.queue, o.notification_type, s.outcome, s.error, s.after,
        s.position, coalesce(o.notification #>> '{api_key,id}', o.notification #>> '{waiver,number}') as subject_id,
        coalesce(o.notification #>> '{api_key,days_left}', o.notification #>> '{waiver,days_left}')::int4 as days
      from jsonb_to_recordset(settlements)
        as s (org_id text, id text, token int8, outcome text, error text, after int8, position int4)
      join outbox o on o.org_id = s.org_id and o.delivery_id = s.id
      where o.token = s.token and o.leased and o.dead_at is null
      order by o.org_id, o.delivery_id for update of o
  ) x;

  -- Deliveries: delivered and dropped ones go, failed ones wait or are dead, and all of a target that is gone are dead.
  delete from outbox o using jsonb_to_recordset(taken)
      as t (org_id text, delivery_id text, queue text, notification_type text, outcome text,
        error text, after int8, position int4, subject_id text, days int4)
    where o.org_id = t.org_id and o.delivery_id = t.delivery_id and t.outcome in ('Delivered', 'Dropped');
  update outbox o set leased = false,
      attempts = o.attempts + case when t.outcome = 'Released' then 0 else 1 end,
      due_at = case t.outcome when 'Retry' then instant + t.after * 1000
        when 'Released' then instant else o.due_at end,
      dead_at = case when t.outcome in ('Dead', 'Gone') then instant end,
      error = case when t.outcome in ('Dead', 'Gone') then t.error end
    from jsonb_to_recordset(taken)
      as t (org_id text, delivery_id text, queue text, notification_type text, outcome text,
        error text, after int8, position int4, subject_id text, days int4)
    where o.org_id = t.org_id and o.delivery_id = t.delivery_id and t.outcome not in ('Delivered', 'Dropped');
  update outbox o set leased = false, dead_at = instant, error = t.error
    from jsonb_to_recordset(taken)
      as t (org_id text, delivery_id text, queue text, notification_type text, outcome text,
        error text, after int8, position int4, subject_id text, days int4)
    where t.outcome = 'Gone' and o.org_id = t.org_id and o.queue = t.queue and o.dead_at is null;

  -- Targets, configurations and notices of what expires.
  update notification_target n set
      last_success_at = case when b.succeeded then instant else n.last_success_at end,
      last_failure_at = case when b.failed then instant else n.last_failure_at end,
      last_error = case when b.failed then b.error else n.last_error end,
      disabled_at = case when b.gone then instant else n.disabled_at end
    from (select t.org_id, t.queue, bool_or(t.outcome = 'Delivered') as succeeded,
        bool_or(t.outcome in ('Retry', 'Dead', 'Gone')) as failed, bool_or(t.outcome = 'Gone') as gone,
        (array_agg(t.error order by t.position desc)
          filter (where t.outcome in ('Retry', 'Dead', 'Gone')))[1] as error
      from jsonb_to_recordset(taken)
        as t (org_id text, delivery_id text, queue text, notification_type text, outcome text,
          error text, after int8, position int4, subject_id text, days int4)
      group by t.org_id, t.queue) b
    where n.org_id = b.org_id and n.target_id = b.queue and (b.succeeded or b.failed);
  update notification_config c set last_notified_at = instant
    from jsonb_to_recordset(taken)
      as t (org_id text, delivery_id text, queue text, notification_type text, outcome text,
        error text, after int8, position int4, subject_id text, days int4)
    where c.org_id = t.org_id and c.notification_type = t.notification_type
      and t.outcome = 'Delivered';
  update notification_config c set failed_at = instant, error = f.error
    from (select distinct on (t.org_id, t.notification_type) t.org_id, t.notification_type, t.error
      from jsonb_to_recordset(taken)
        as t (org_id text, delivery_id text, queue text, notification_type text, outcome text,
          error text, after int8, position int4, subject_id text, days int4)
      where t.outcome in ('Retry', 'Dead', 'Gone')
      order by t.org_id, t.notification_type, t.position desc) f
    where c.org_id = f.org_id and c.notification_type = f.notification_type;
  insert into expiry_notice as n (org_id, notification_type, subject_id, notified_days)
    select t.org_id, t.notification_type, t.subject_id, min(t.days)
      from jsonb_to_recordset(taken)
        as t (org_id text, delivery_id text, queue text, notification_type text, outcome text,
          error text, after int8, position int4, subject_id text, days int4)
      where t.outcome = 'Delivered' and t.notification_type is not null and t.days is not null
      group by t.org_id, t.notification_type, t.subject_id order by 1, 2, 3
    on conflict (org_id, notification_type, subject_id)
      do update set notified_days = least(n.notified_days, excluded.notified_days);
  return query select coalesce(jsonb_agg(t.position order by t.position), '[]')
    from jsonb_to_recordset(taken)
      as t (org_id text, delivery_id text, queue text, notification_type text, outcome text,
        error text, after int8, position int4, subject_id text, days int4);
end
$$;

grant execute on function outbox_settle to attestry_app;
