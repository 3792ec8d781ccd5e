-- Adds checkpoints of several logs; one of the same size stays as it is.
--
-- Names one org after the other for row-level security, which the caller does not bypass. In the order of keys, so that two
-- callers do not wait for each other in a circle. The newest time of a checkpoint is that of its entries: clocks step back, so
-- it is not the time of the last one.
create function log_checkpoints_append(checkpoints jsonb)
returns void
language plpgsql
set search_path = attestry, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  named text := current_setting('attestry.org_id', true);
  given record;
  before_size int8;
  before_max int8;
begin
  for given in select c.org_id, c.epoch, c.size, c.signed_at, c.note
    from jsonb_to_recordset(checkpoints) as c (org_id text, epoch int4, size int8, signed_at int8, note text)
    order by c.org_id collate "C", c.epoch, c.size
  loop
    perform set_config('attestry.org_id', given.org_id, true);
    before_size := null;
    before_max := null;
    select c.size, c.max_at into before_size, before_max from log_checkpoint c
      where c.org_id = given.org_id and c.epoch = given.epoch and c.size < given.size
        and c.max_at is not null
      order by c.size desc limit 1;
    insert into log_checkpoint (org_id, epoch, size, signed_at, note, max_at)
      values (given.org_id, given.epoch, given.size, given.signed_at, given.note,
        greatest(before_max, (select max(j.at) from log_leaf l
          join journal j on j.org_id = l.org_id and j.sequence = l.sequence
          where l.org_id = given.org_id and l.epoch = given.epoch and l.leaf_index < given.size
            and l.leaf_index >= coalesce(before_size, 0))))
      on conflict do nothing;
  end loop;
  perform set_config('attestry.org_id', coalesce(named, ''), true);
end
$$;

grant execute on function log_checkpoints_append to attestry_app;
