-- Records the first report of each fingerprint as a build.
--
-- WHY a trigger: every way to write an artifact records it in the same statement. INVARIANT: fingerprints are inserted in
-- order, so that two transactions with first reports of the same fingerprints never deadlock.
create function build_recorded()
returns trigger
language plpgsql
set search_path = attestry, pg_temp
as $$
begin
  insert into build (org_id, fingerprint, artifact_id, flow_id, repo_id, created_at)
    select distinct on (a.org_id, a.fingerprint) a.org_id, a.fingerprint, a.artifact_id, a.flow_id,
      a.repo_id, a.created_at
    from added a order by a.org_id, a.fingerprint, a.sequence
    on conflict (org_id, fingerprint) do nothing;
  return null;
end
$$;

grant execute on function build_recorded to attestry_app;

create trigger build_recorded
  after insert on artifact
  referencing new table as added
  for each statement
  when (current_setting('attestry.loading', true) is distinct from 'on')
  execute function build_recorded();
