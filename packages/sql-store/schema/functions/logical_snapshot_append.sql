-- Appends a snapshot of a logical environment, with its events.
--
-- INVARIANT: the caller holds the lock of the environment, so the number is drawn after it. Instants of evaluations never fall.
create function logical_snapshot_append(org text, env text, draft jsonb)
returns void
language plpgsql
set search_path = attestry, pg_temp
as $$
declare
  next_index int4 := (draft ->> 'index')::int4;
  old snapshot;
  told int4;
  is_full boolean;
  policy_digest bytea := case when draft -> 'policies' <> '[]'
    then sha256(convert_to((draft -> 'policies')::text, 'UTF8')) end;
begin
  select * into old from snapshot s
    where s.org_id = org and s.environment_id = env order by s.index desc limit 1;
  told := member_events(org, env, next_index, coalesce(old.members, '[]'), draft -> 'members');
  is_full := coalesce(old.changes, 0) + told > 2000;
  insert into snapshot_policies (org_id, digest, policies)
    select org, policy_digest, draft -> 'policies' where policy_digest is not null
    on conflict do nothing;
  insert into snapshot (org_id, environment_id, index, timestamp, verdict, count_true,
      count_false, count_null, bucket, changes, events_total, members, policies_digest, commit_position, semantics, is_decay)
    values (org, env, next_index, (draft ->> 'timestamp')::int8, draft ->> 'verdict',
      (draft #>> '{counts,true}')::int4, (draft #>> '{counts,false}')::int4,
      (draft #>> '{counts,"null"}')::int4,
      coalesce(old.bucket, 0) + case when is_full then 1 else 0 end,
      case when is_full then told else coalesce(old.changes, 0) + told end,
      coalesce(old.events_total, 0) + told, draft -> 'members', policy_digest, nextval('commit_position_sequence'),
      (draft ->> 'semantics')::int4, coalesce((draft ->> 'is_decay')::boolean, false));
  insert into environment_evaluation (org_id, environment_id, commit_position, at, index, is_decay)
    select s.org_id, s.environment_id, s.commit_position, greatest(s.timestamp, (select j.at from environment_evaluation j
        where j.org_id = org and j.environment_id = env order by j.commit_position desc limit 1)), s.index, s.is_decay
    from snapshot s
    where s.org_id = org and s.environment_id = env and s.index = next_index;
end
$$;

grant execute on function logical_snapshot_append to attestry_app;
