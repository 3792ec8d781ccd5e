-- Writes the traits of artifacts that a statement has inserted.
--
-- WHY ordered: a trait waits for the same trait of another transaction; in one order, no two wait for each other.
create function artifact_trait_added()
returns trigger
language plpgsql
set search_path = attestry, pg_temp
as $$
begin
  insert into artifact_trait (org_id, kind, digest, fingerprint)
    select a.org_id, t.kind, sha256(convert_to(t.value, 'UTF8')), a.fingerprint
    from added a cross join lateral (values
      ('author', a.report #>> '{git_commit_info,author}'),
      ('builder', substring(a.report ->> 'build_url' from '^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]+'))) as t (kind, value)
    where t.value is not null order by a.org_id, a.fingerprint, t.kind
    on conflict do nothing;
  return null;
end
$$;

create trigger artifact_trait_added
  after insert on artifact
  referencing new table as added
  for each statement
  when (current_setting('attestry.loading', true) is distinct from 'on')
  execute function artifact_trait_added();
