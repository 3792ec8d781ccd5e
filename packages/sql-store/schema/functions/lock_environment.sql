-- Locks an environment and reads what its next snapshot is decided by, in one round trip.
--
-- WHY several statements: in READ COMMITTED, the statement after the lock sees rows that were committed while it was waited
-- for. A caller that has the rows of the snapshot at `known_at` gets no rows when that is still the newest one. WHY the lock
-- of flows first: an evaluation that waits for it holds nothing that writers of evidence wait for.
create function lock_environment(
  org text, wanted text, wanted_id text, known_id text, known_at int8, out document json, out now int8, out is_org_due boolean, out state json
)
language plpgsql
set search_path = attestry, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  e environment;
  head snapshot;
  is_known boolean;
  clock int8;
begin
  perform pg_advisory_xact_lock_shared(hashtext(org), 1);
  if wanted_id is null then
    select * into e from environment
      where org_id = org and name = wanted and archived_at is null for update;
    if not found then
      select old.environment_id into wanted_id from environment_former_name old
        where old.org_id = org and old.name = wanted;
    end if;
  end if;
  if e.environment_id is null then
    select * into e from environment where org_id = org and environment_id = wanted_id for update;
  end if;
  if e.environment_id is null then return; end if;
  -- The clock is read before the state, so that the state has every change of flows up to it.
  clock := coalesce((select c.number from flow_change_counter c where c.org_id = org), 0);
  if e.flow_changes_seen < clock then e := apply_flow_changes(e, clock); end if;
  document := row_to_json(e);
  now := (extract(epoch from clock_timestamp()) * 1000000)::int8;
  is_org_due := exists (select from environment d where d.org_id = org and d.due_at <= now and d.archived_at is null)
    or exists (select from environment s where s.org_id = org and s.silence_due_at <= now and s.archived_at is null);
  -- With the bucket of the newest snapshot, its rows are found by their key.
  select * into head from snapshot s
    where s.org_id = org and s.environment_id = e.environment_id order by s.index desc limit 1;
  is_known := e.environment_id is not distinct from known_id
    and head.timestamp is not distinct from known_at;
  state := json_build_object(
    'head', case when head.index is not null then json_build_object('index', head.index,
      'timestamp', head.timestamp, 'verdict', head.verdict, 'count_true', head.count_true,
      'count_false', head.count_false, 'count_null', head.count_null, 'bucket', head.bucket,
      'members', head.members, 'reasons', head.reasons, 'policies', (select p.policies from snapshot_policies p
        where p.org_id = org and p.digest = head.policies_digest)) end,
    'rows', case when not is_known then (select coalesce(json_agg(json_build_object('name', r.name,
          'fingerprint', r.fingerprint, 'verdict', r.verdict, 'started_index', r.started_index,
          'flows', f.flows, 'decisions', d.decisions, 'doc', r.doc)), '[]')
      from snapshot_row r
      left join snapshot_flows f on f.org_id = r.org_id and f.digest = r.flows_digest
      left join snapshot_decisions d on d.org_id = r.org_id and d.digest = r.decisions_digest
      where r.org_id = org and r.environment_id = e.environment_id and r.bucket = head.bucket
        and r.last_index = 2147483647) end,
    'allowed', (select coalesce(json_agg(row_to_json(a) order by a.created_at, a.fingerprint), '[]')
      from allow_list a where a.org_id = org and a.environment_id = e.environment_id),
    'is_member', exists (select from environment g where g.org_id = org and g.type = 'logical'
      and g.archived_at is null and g.included @> jsonb_build_array(e.environment_id)),
    'is_watched', exists (select from environment_notification n where n.org_id = org));
end
$$;

grant execute on function lock_environment to attestry_app;
