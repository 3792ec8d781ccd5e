-- The newest report of each fingerprint in each flow, after waiting for writers of evidence about the locked fingerprints.
--
-- WHY several statements: in READ COMMITTED, the statement after the locks sees rows that were committed while they were
-- waited for. WHY lateral with offset 0: each lookup uses the key, with any statistics.
create function flow_records(org text, locked jsonb, asked jsonb)
returns setof json
language plpgsql
set search_path = attestry, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  perform lock_fingerprints(org, locked);
  return query select row_to_json(known) from (
    select a.org_id, a.artifact_id as id, a.flow_id, a.trail_id, a.sequence, a.slot, a.fingerprint,
      a.report, a.repo_id, a.created_by, a.created_at, w.name as flow_name, w.tags,
      standing.document as standing, t.name as trail_name, t.details, g.first as first_sequence,
      o.created_at as first_reported_at
    from (select distinct jsonb_array_elements_text(asked) as fingerprint) q
    cross join lateral (select r.flow_id, min(r.sequence) as first, max(r.sequence) as last
      from artifact r where r.org_id = org and r.fingerprint = q.fingerprint group by r.flow_id) g
    cross join lateral (select * from artifact r where r.org_id = org
      and r.fingerprint = q.fingerprint and r.flow_id = g.flow_id and r.sequence = g.last offset 0) a
    cross join lateral (select r.created_at from artifact r where r.org_id = org
      and r.fingerprint = q.fingerprint and r.flow_id = g.flow_id and r.sequence = g.first offset 0) o
    cross join lateral (select r.name, r.details from trail r
      where r.org_id = org and r.trail_id = a.trail_id offset 0) t
    cross join lateral (select r.name, r.tags from flow r
      where r.org_id = org and r.flow_id = a.flow_id offset 0) w
    cross join lateral (select r.record_statuses from trail_evaluation r
      where r.org_id = org and r.trail_id = a.trail_id offset 0) v
    cross join lateral (select s.document from json_array_elements(v.record_statuses) as s (document)
      where s.document ->> 'artifact_id' = a.artifact_id) standing) known;
end
$$;

grant execute on function flow_records to attestry_app;
