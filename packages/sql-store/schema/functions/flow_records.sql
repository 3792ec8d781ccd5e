-- The newest report of each fingerprint in each flow, after waiting for writers of evidence about the locked fingerprints.
--
-- WHY several statements: in READ COMMITTED, the statement after the locks sees rows that were committed while they were
-- waited for. INVARIANT: the org is locked before its fingerprints, and those in order, so that no two transactions deadlock.
-- Above 256 fingerprints the whole org is locked. WHY lateral with offset 0: each lookup uses the key, with any statistics.
create function flow_records(org text, locked jsonb, asked jsonb)
returns setof json
language plpgsql
set search_path = attestry, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  if jsonb_array_length(locked) > 256 then
    perform pg_advisory_xact_lock(hashtext(org), 0);
  elsif locked <> '[]' then
    perform pg_advisory_xact_lock_shared(hashtext(org), 0);
    perform pg_advisory_xact_lock(hashtextextended(org || value, 0))
      from (select value from jsonb_array_elements_text(locked) as value order by value) wanted;
  end if;
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
