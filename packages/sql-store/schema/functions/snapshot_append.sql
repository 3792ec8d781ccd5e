-- Appends a snapshot of an environment: its rows, events, deployments and exposures.
--
-- The caller holds the lock of the environment. WHY no nested loops: every join reads both of its sides whole. A new bucket
-- begins when a bucket has more changes than four times the rows that run; open rows are copied into it.
create function snapshot_append(org text, env text, draft jsonb)
returns void
language plpgsql
set search_path = attestry, pg_temp
set enable_nestloop = off
as $$
#variable_conflict use_column
declare
  next_index int4 := (draft ->> 'index')::int4;
  changed int4 := greatest(jsonb_array_length(draft -> 'ended'),
    jsonb_array_length(draft -> 'begun'));
  running int4 := (draft ->> 'running')::int4;
  old_bucket int4;
  old_changes int4;
  old_events int8;
  new_bucket int4;
  told int4;
  policy_digest bytea := case when draft -> 'policies' <> '[]'
    then sha256(convert_to((draft -> 'policies')::text, 'UTF8')) end;
begin
  -- The snapshot.
  select s.bucket, s.changes, s.events_total into old_bucket, old_changes, old_events
    from snapshot s
    where s.org_id = org and s.environment_id = env order by s.index desc limit 1;
  old_bucket := coalesce(old_bucket, 0);
  old_changes := coalesce(old_changes, 0);
  new_bucket := old_bucket;
  if old_changes + changed > greatest(4 * running, 32) then
    new_bucket := old_bucket + 1;
  end if;
  insert into snapshot (org_id, environment_id, index, timestamp, verdict, count_true, count_false,
      count_null, bucket, changes, events_total, members, policies_digest, commit_position, semantics, is_decay,
      reasons)
    values (org, env, next_index, (draft ->> 'timestamp')::int8,
      draft ->> 'verdict', (draft #>> '{counts,true}')::int4, (draft #>> '{counts,false}')::int4,
      (draft #>> '{counts,"null"}')::int4, new_bucket,
      case when new_bucket > old_bucket then 0 else old_changes + changed end,
      coalesce(old_events, 0) + jsonb_array_length(draft -> 'events'),
      nullif(draft -> 'members', 'null'), policy_digest,
      nextval('commit_position_sequence'), (draft ->> 'semantics')::int4, coalesce((draft ->> 'is_decay')::boolean, false),
      draft -> 'reasons');

  -- Values that many rows share.
  insert into snapshot_policies (org_id, digest, policies)
    select org, policy_digest, draft -> 'policies' where policy_digest is not null
    on conflict do nothing;
  insert into snapshot_flows (org_id, digest, flows)
    select distinct org, sha256(convert_to(b.flows::text, 'UTF8')), b.flows
    from jsonb_to_recordset(draft -> 'begun') as b (flows jsonb)
    where b.flows <> '[]'
    on conflict do nothing;
  insert into snapshot_decisions (org_id, digest, decisions)
    select distinct org, sha256(convert_to(b.decisions::text, 'UTF8')), b.decisions
    from jsonb_to_recordset(draft -> 'begun') as b (decisions jsonb)
    where b.decisions <> '[]'
    on conflict do nothing;

  -- Rows that end, rows that begin, and the events about them.
  with event as materialized (
    select e.position, e.event ->> 'name' as name, e.event ->> 'fingerprint' as fingerprint,
      e.event ->> 'type' as type, (e.event ->> 'was')::int4 as was, (e.event ->> 'now')::int4 as now,
      (e.event ->> 'arrived')::boolean as arrived
    from jsonb_array_elements(draft -> 'events') with ordinality as e (event, position)),
  ended as (
    update snapshot_row r set last_index = next_index - 1
      from jsonb_to_recordset(draft -> 'ended') as e (name text, fingerprint text)
      where r.org_id = org and r.environment_id = env and r.bucket = old_bucket
        and r.last_index = 2147483647 and r.name = e.name and r.fingerprint = e.fingerprint
      returning r.row_no, r.name, r.fingerprint),
  begun as (
    insert into snapshot_row (org_id, environment_id, bucket, first_index, last_index,
        started_index, name, fingerprint, verdict, flows_digest, decisions_digest, doc)
      select org, env, new_bucket, next_index, 2147483647, b.started_index, b.name, b.fingerprint,
        b.verdict,
        case when b.flows <> '[]' then sha256(convert_to(b.flows::text, 'UTF8')) end,
        case when b.decisions <> '[]' then sha256(convert_to(b.decisions::text, 'UTF8')) end, b.doc
      from jsonb_to_recordset(draft -> 'begun')
        as b (name text, fingerprint text, verdict text, started_index int4, flows jsonb,
          decisions jsonb, doc text)
      returning row_no, name, fingerprint)
  insert into snapshot_event (org_id, environment_id, index, position, bucket, row_no, type, was, now,
      arrived)
    select org, env, next_index, e.position, old_bucket, r.row_no, e.type, e.was, e.now, e.arrived
      from event e join ended r on r.name = e.name and r.fingerprint = e.fingerprint
      where e.type = 'exited'
    union all
    select org, env, next_index, e.position, new_bucket, r.row_no, e.type, e.was, e.now, e.arrived
      from event e join begun r on r.name = e.name and r.fingerprint = e.fingerprint
      where e.type <> 'exited';
  get diagnostics told = row_count;

  -- Rows that continue into a new bucket.
  if new_bucket > old_bucket then
    insert into snapshot_row (org_id, environment_id, bucket, first_index, last_index,
        started_index, name, fingerprint, verdict, flows_digest, decisions_digest, doc)
      select org, env, new_bucket, next_index, 2147483647, r.started_index, r.name, r.fingerprint,
        r.verdict, r.flows_digest, r.decisions_digest, r.doc
      from snapshot_row r
      where r.org_id = org and r.environment_id = env and r.bucket = old_bucket
        and r.last_index = 2147483647
      order by r.row_no;
  end if;

  -- Events of rows that continue unchanged; reports make none.
  if told < jsonb_array_length(draft -> 'events') then
    insert into snapshot_event (org_id, environment_id, index, position, bucket, row_no, type, was, now,
        arrived)
      with event as materialized (
        select e.position, e.event ->> 'name' as name, e.event ->> 'fingerprint' as fingerprint,
          e.event ->> 'type' as type, (e.event ->> 'was')::int4 as was, (e.event ->> 'now')::int4 as now,
          (e.event ->> 'arrived')::boolean as arrived
        from jsonb_array_elements(draft -> 'events') with ordinality as e (event, position))
      select org, env, next_index, e.position, new_bucket, r.row_no, e.type, e.was, e.now, e.arrived
        from event e
        join snapshot_row r on r.org_id = org and r.environment_id = env and r.bucket = new_bucket
          and r.last_index = 2147483647 and r.name = e.name and r.fingerprint = e.fingerprint
        where e.type <> 'exited'
      on conflict do nothing;
  end if;

  -- Deployments. WHY scalar selects: the joins of this function are no nested loops, and these are lookups by key. WHY views
  -- are not joined with their rows: that can only be a nested loop, and PostgreSQL up to 17 gives a join that is switched off
  -- a cost for which it compiles the statement.
  if jsonb_path_exists(draft, '$.events[*] ? (@.arrived == true)') then
    with arrived as materialized (
      select e.position::int4 as position, e.event ->> 'name' as name,
        e.event ->> 'fingerprint' as fingerprint
      from jsonb_array_elements(draft -> 'events') with ordinality as e (event, position)
      where (e.event ->> 'arrived')::boolean),
    known as materialized (
      select a.position, b.flows, (b.flows #>> '{0,first_reported_at}')::int8 as first_reported_at,
        (select r.repo_id from artifact r where r.org_id = org
          and r.artifact_id = b.flows #>> '{0,artifact_id}') as repo_id
      from arrived a
      join jsonb_to_recordset(draft -> 'begun') as b (name text, fingerprint text, flows jsonb)
        on b.name = a.name and b.fingerprint = a.fingerprint),
    counted as materialized (
      select k.repo_id, count(*) + coalesce((select d.total from deployment_repo d
        where d.org_id = org and d.repo_id = k.repo_id and d.environment_id = env
        order by d.timestamp desc limit 1), 0) as total
      from known k where k.repo_id is not null group by k.repo_id),
    viewed as materialized (
      select distinct v.position, v.view ->> 'flow_id' as flow_id
      from (select k.position, jsonb_array_elements(k.flows) as view from known k) v),
    counted_flows as materialized (
      select v.flow_id, count(*) + coalesce((select d.total from deployment_flow d
        where d.org_id = org and d.flow_id = v.flow_id and d.environment_id = env
        order by d.timestamp desc limit 1), 0) as total
      from viewed v group by v.flow_id),
    listed as (
      insert into deployment (org_id, environment_id, index, position, timestamp, fingerprint, total)
        select org, env, next_index, a.position, (draft ->> 'timestamp')::int8, a.fingerprint,
          (select count(*) from arrived) + coalesce((select d.total from deployment d
            where d.org_id = org and d.environment_id = env order by d.timestamp desc limit 1), 0)
        from arrived a),
    of_repos as (
      insert into deployment_repo (org_id, repo_id, flow_id, environment_id, index, position, timestamp,
          first_reported_at, total)
        select org, k.repo_id, k.flows #>> '{0,flow_id}', env, next_index, k.position, (draft ->> 'timestamp')::int8,
          k.first_reported_at, c.total
        from known k join counted c on c.repo_id = k.repo_id)
    insert into deployment_flow (org_id, flow_id, environment_id, index, position, timestamp, total)
      select org, v.flow_id, env, next_index, v.position, (draft ->> 'timestamp')::int8, c.total
      from viewed v join counted_flows c on c.flow_id = v.flow_id;
  end if;
  insert into snapshot_start (org_id, environment_id, flow_id, slot, index, name, fingerprint, view)
    select org, env, v.view ->> 'flow_id', v.view ->> 'slot', v.started_index, v.name,
      v.fingerprint, v.view - 'previous' - 'reasons' - 'git_commit_info' - 'repo'
    from (select b.name, b.fingerprint, b.started_index, jsonb_array_elements(b.flows) as view
      from jsonb_to_recordset(draft -> 'begun')
        as b (name text, fingerprint text, started_index int4, flows jsonb)) v
    on conflict do nothing;

  -- Exposures: a row that only begins has started, a row that only ends is gone, and a row that ends and begins may have
  -- another verdict. WHY an array of fingerprints: the exposures are then found by key.
  with moved as materialized (
    select name, fingerprint, b.verdict, e.ended is null as is_new, b.verdict is null as is_gone
    from jsonb_to_recordset(draft -> 'begun') as b (name text, fingerprint text, verdict text)
    full join (select name, fingerprint, true as ended
      from jsonb_to_recordset(draft -> 'ended') as r (name text, fingerprint text)) e
      using (name, fingerprint)
    where fingerprint <> ''),
  changed as (
    update exposure x set
        last_index = case when m.is_gone then next_index - 1 end,
        to_at = case when m.is_gone then (draft ->> 'timestamp')::int8 end,
        verdict = coalesce(m.verdict, x.verdict),
        non_compliant = x.non_compliant
          + case when x.verdict = 'NonCompliant' then (draft ->> 'timestamp')::int8 else 0 end
          - case when m.verdict = 'NonCompliant' then (draft ->> 'timestamp')::int8 else 0 end
      from moved m
      where x.org_id = org and x.environment_id = env and x.last_index is null
        and x.fingerprint = any (array(select o.fingerprint from moved o where not o.is_new))
        and m.fingerprint = x.fingerprint and m.name = x.name and not m.is_new
        and (m.is_gone or m.verdict <> x.verdict))
  insert into exposure (org_id, fingerprint, environment_id, first_index, from_at, started_verdict,
      verdict, non_compliant, name)
    select org, m.fingerprint, env, next_index, (draft ->> 'timestamp')::int8, m.verdict, m.verdict,
      case when m.verdict = 'NonCompliant' then -(draft ->> 'timestamp')::int8 else 0 end, m.name
    from moved m where m.is_new;

  -- The evaluation of all rows. Instants of evaluations never fall.
  if (draft ->> 'evaluated_all')::boolean then
    insert into environment_evaluation (org_id, environment_id, commit_position, at, index, is_decay)
      select s.org_id, s.environment_id, s.commit_position, greatest(s.timestamp, (select j.at from environment_evaluation j
          where j.org_id = org and j.environment_id = env order by j.commit_position desc limit 1)), s.index, s.is_decay
      from snapshot s
      where s.org_id = org and s.environment_id = env and s.index = next_index;
  end if;
end
$$;

grant execute on function snapshot_append to attestry_app;
