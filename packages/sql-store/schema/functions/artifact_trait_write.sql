-- Writes the traits of an artifact again after its report has changed, as an erasure does.
create function artifact_trait_write()
returns trigger
language plpgsql
set search_path = attestry, pg_temp
as $$
begin
  if tg_op = 'UPDATE' then
    delete from artifact_trait where org_id = new.org_id and fingerprint = new.fingerprint;
    insert into artifact_trait (org_id, kind, digest, fingerprint)
      select a.org_id, t.kind, sha256(convert_to(t.value, 'UTF8')), a.fingerprint
      from (select * from artifact a
        where a.org_id = new.org_id and a.fingerprint = new.fingerprint) a
      cross join lateral (values
        ('author', a.report #>> '{git_commit_info,author}'),
        ('builder', substring(a.report ->> 'build_url' from '^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]+'))) as t (kind, value)
      where t.value is not null
      on conflict do nothing;
    return null;
  end if;
  insert into artifact_trait (org_id, kind, digest, fingerprint)
    select a.org_id, t.kind, sha256(convert_to(t.value, 'UTF8')), a.fingerprint
    from (select new.*) a cross join lateral (values
      ('author', a.report #>> '{git_commit_info,author}'),
      ('builder', substring(a.report ->> 'build_url' from '^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]+'))) as t (kind, value)
    where t.value is not null
    on conflict do nothing;
  return null;
end
$$;

create trigger artifact_trait_write
  after update of report on artifact
  for each row
  when (current_setting('attestry.loading', true) is distinct from 'on')
  execute function artifact_trait_write();
