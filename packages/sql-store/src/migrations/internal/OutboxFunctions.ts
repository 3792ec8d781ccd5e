/**
 * Claiming deliveries and writing their outcomes, across orgs and in one round trip each.
 *
 * Locks are always taken in the order configuration, target, delivery, each by key. Statements that replace targets
 * take them in the same order, so there is no deadlock.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

const CLOCK = "(extract(epoch from clock_timestamp()) * 1000000)::int8"

/** A number that no other lock combines with the names of queues. */
const QUEUE_LOCKS = "8245"

/** Whether a queue has room for another lease. */
const HAS_ROOM = `(select count(*) from outbox l where l.org_id = q.org_id and l.queue = q.queue
    and l.leased and l.due_at > instant) < per_queue`

/** A queue is locked before it is counted again, so that two workers never take more of it than one may. */
const LOCKED = `pg_try_advisory_xact_lock(
    hashtextextended(c.org_id || ' ' || c.queue, ${QUEUE_LOCKS}))`

/** The queues that a worker has named. */
const NAMED = `(select n.org_id, n.queue from jsonb_to_recordset(named) as n (org_id text, queue text))`

/** Whether a queue's target accepted the last attempt; a queue without a target counts as one that did. */
const IS_ANSWERING = `not exists (select from notification_target t
    where t.org_id = q.org_id and t.target_id = q.queue
      and (t.last_success_at is null or t.last_failure_at > t.last_success_at))`

/** Whether a queue is among those that are handed out from. */
const IS_WANTED = `(q.org_id, q.queue) not in ${NAMED}
  and (choice <> 'AnsweringBut' or ${IS_ANSWERING})`

/** How many deliveries are looked at, for each one wanted, before queues are looked for one by one. */
const LOOKED_AT = "4"

/** The queues of what has been due longest: enough while many queues have something due. */
const longestDue = `
  select array_agg(c.org_id), array_agg(c.queue) into orgs, queues from (
    select q.org_id, q.queue from (
      select d.org_id, d.queue, min(d.due_at) as due_at from (
        select o.org_id, o.queue, o.due_at from outbox o
          where o.dead_at is null and o.due_at <= instant
          order by o.due_at limit most * ${LOOKED_AT}
      ) d group by d.org_id, d.queue
    ) q where ${IS_WANTED} and ${HAS_ROOM} order by q.due_at limit most
  ) c where ${LOCKED};`

/**
 * Every queue with something due, by jumping from one to the next in the index: a queue with a long backlog
 * costs no more than one with a single delivery, and cannot hide another.
 */
const everyQueue = `
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
    select q.org_id, q.queue from q where q.due_at <= instant and ${IS_WANTED} and ${HAS_ROOM}
      order by random() limit most
  ) c where ${LOCKED};`

/** The named queues with something due. */
const namedQueues = `
  select array_agg(c.org_id), array_agg(c.queue) into orgs, queues from (
    select q.org_id, q.queue from ${NAMED} q cross join lateral (
      select o.due_at from outbox o where o.org_id = q.org_id and o.queue = q.queue
          and o.dead_at is null and o.due_at <= instant
        order by o.due_at limit 1
    ) f where ${HAS_ROOM} order by f.due_at limit most
  ) c where ${LOCKED};`

/** A write that raced the removal of its target can leave a delivery without a target. */
const dropOrphans = `
  delete from outbox o using unnest(orgs, queues) as c (org_id, queue)
    where o.org_id = c.org_id and o.queue = c.queue and o.queue is distinct from o.notification_type
      and not exists (select from notification_target t
        where t.org_id = c.org_id and t.target_id = c.queue);`

const lease = `
  with picked as (
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
    returning o.org_id, o.delivery_id, o.queue, o.intent, o.target::text, o.notification::text, o.attempts,
      o.created_at, o.token, o.due_at`

/** Makes the function that hands out deliveries. */
export const claimFunction = (sql: SqlClient) => sql`create function outbox_claim(
      most int4, per_queue int4, lease_millis int8, named jsonb, choice text
    ) returns table (org_id text, id text, queue text, intent text, target text,
      notification text, attempts int4, created_at int8, token int8, leased_until int8)
    language plpgsql security definer set search_path = attestry, pg_temp
    as $$
    #variable_conflict use_column
    declare
      instant int8 := ${sql.literal(CLOCK)};
      orgs text[];
      queues text[];
    begin
      if not exists (select from outbox o where o.dead_at is null and o.due_at <= instant) then
        return;
      end if;
      if choice = 'Only' then
        ${sql.literal(namedQueues)}
      else
        ${sql.literal(longestDue)}
        if coalesce(cardinality(orgs), 0) < most then
          ${sql.literal(everyQueue)}
        end if;
      end if;
      if orgs is null then return; end if;
      ${sql.literal(dropOrphans)}
      return query ${sql.literal(lease)};
    end
    $$`

const SETTLEMENTS = `jsonb_to_recordset(settlements)
  as s (org_id text, id text, token int8, outcome text, error text, after int8, position int4)
  join outbox o on o.org_id = s.org_id and o.delivery_id = s.id`

/** Locks the rows that will be written, in order, and keeps the outcome of each. */
const take = `
  insert into notification_config (org_id, notification_type)
    select distinct o.org_id, o.notification_type from ${SETTLEMENTS}
      where o.notification_type is not null order by 1, 2
    on conflict do nothing;
  perform from notification_config c
    where (c.org_id, c.notification_type) in
      (select o.org_id, o.notification_type from ${SETTLEMENTS})
    order by c.org_id, c.notification_type for update;
  perform from notification_target t
    where (t.org_id, t.target_id) in (select o.org_id, o.queue from ${SETTLEMENTS})
    order by t.org_id, t.target_id for no key update;
  select coalesce(jsonb_agg(to_jsonb(x)), '[]') into taken from (
    select o.org_id, o.delivery_id, o.queue, o.notification_type, s.outcome, s.error, s.after,
        s.position, o.notification #>> '{api_key,id}' as key_id,
        (o.notification #>> '{api_key,days_left}')::int4 as days
      from ${SETTLEMENTS}
      where o.token = s.token and o.leased and o.dead_at is null
      order by o.org_id, o.delivery_id for update of o
  ) x;`

const TAKEN = `jsonb_to_recordset(taken) as t (org_id text, delivery_id text, queue text,
  notification_type text, outcome text, error text, after int8, position int4, key_id text,
  days int4)`

const writeDeliveries = `
  delete from outbox o using ${TAKEN}
    where o.org_id = t.org_id and o.delivery_id = t.delivery_id and t.outcome = 'Delivered';
  update outbox o set leased = false,
      attempts = o.attempts + case when t.outcome = 'Released' then 0 else 1 end,
      due_at = case t.outcome when 'Retry' then instant + t.after * 1000
        when 'Released' then instant else o.due_at end,
      dead_at = case when t.outcome in ('Dead', 'Gone') then instant end,
      error = case when t.outcome in ('Dead', 'Gone') then t.error end
    from ${TAKEN}
    where o.org_id = t.org_id and o.delivery_id = t.delivery_id and t.outcome <> 'Delivered';
  update outbox o set leased = false, dead_at = instant, error = t.error
    from ${TAKEN}
    where t.outcome = 'Gone' and o.org_id = t.org_id and o.queue = t.queue and o.dead_at is null;`

const writeBooks = `
  update notification_target n set
      last_success_at = case when b.succeeded then instant else n.last_success_at end,
      last_failure_at = case when b.failed then instant else n.last_failure_at end,
      last_error = case when b.failed then b.error else n.last_error end,
      disabled_at = case when b.gone then instant else n.disabled_at end
    from (select t.org_id, t.queue, bool_or(t.outcome = 'Delivered') as succeeded,
        bool_or(t.outcome in ('Retry', 'Dead', 'Gone')) as failed, bool_or(t.outcome = 'Gone') as gone,
        (array_agg(t.error order by t.position desc)
          filter (where t.outcome in ('Retry', 'Dead', 'Gone')))[1] as error
      from ${TAKEN} group by t.org_id, t.queue) b
    where n.org_id = b.org_id and n.target_id = b.queue and (b.succeeded or b.failed);
  update notification_config c set last_notified_at = instant
    from ${TAKEN}
    where c.org_id = t.org_id and c.notification_type = t.notification_type
      and t.outcome = 'Delivered';
  update notification_config c set failed_at = instant, error = f.error
    from (select distinct on (t.org_id, t.notification_type) t.org_id, t.notification_type, t.error
      from ${TAKEN} where t.outcome in ('Retry', 'Dead', 'Gone')
      order by t.org_id, t.notification_type, t.position desc) f
    where c.org_id = f.org_id and c.notification_type = f.notification_type;
  insert into api_key_notice as n (org_id, key_id, told_days)
    select t.org_id, t.key_id, min(t.days) from ${TAKEN}
      where t.outcome = 'Delivered' and t.key_id is not null
      group by t.org_id, t.key_id order by 1, 2
    on conflict (org_id, key_id) do update set told_days = least(n.told_days, excluded.told_days);`

/** Makes the function that writes the outcomes of deliveries. */
export const settleFunction = (
  sql: SqlClient
) => sql`create or replace function outbox_settle(settlements jsonb)
    returns table (taken_positions jsonb)
    language plpgsql security definer set search_path = attestry, pg_temp
    as $$
    #variable_conflict use_column
    declare
      instant int8 := ${sql.literal(CLOCK)};
      taken jsonb;
    begin
      ${sql.literal(take)}
      ${sql.literal(writeDeliveries)}
      ${sql.literal(writeBooks)}
      return query select coalesce(jsonb_agg(t.position order by t.position), '[]')
        from ${sql.literal(TAKEN)};
    end
    $$`

/** Makes the functions that delete old dead letters and that measure the outbox. */
export const upkeepFunctions = (sql: SqlClient) =>
  Effect.all([
    sql`create function outbox_prune(older_millis int8, most int4) returns int4
      language plpgsql security definer set search_path = attestry, pg_temp
      as $$
      declare
        removed int4;
      begin
        delete from outbox o using (
            select d.org_id, d.delivery_id from outbox d
              where d.dead_at <= ${sql.literal(CLOCK)} - older_millis * 1000
              order by d.dead_at limit most for update skip locked
          ) old
          where o.org_id = old.org_id and o.delivery_id = old.delivery_id;
        get diagnostics removed = row_count;
        return removed;
      end
      $$`,
    sql`create function outbox_depth(most int4) returns table (due int8, oldest int8, dead int8)
      language sql stable security definer set search_path = attestry, pg_temp
      as $$
        select
          (select count(*) from (select from outbox o where o.dead_at is null
            and o.due_at <= ${sql.literal(CLOCK)} limit most) d),
          (select greatest(0, (${sql.literal(CLOCK)} - min(o.due_at)) / 1000) from outbox o
            where o.dead_at is null and o.due_at <= ${sql.literal(CLOCK)}),
          (select count(*) from (select from outbox o where o.dead_at is not null limit most) d)
      $$`
  ])
