-- Stores a key.
--
-- Runs as the owner. WHY it fails for another org: a key that was not stored must not be returned.
create function api_key_insert(
  id text, person text, org text, account text, note text, hash text, at int8, expires int8, narrowed jsonb,
  for_emergency boolean
)
returns void
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
begin
  if org is not null and org is distinct from current_setting('attestry.org_id', true) then
    raise exception 'a key of another org' using errcode = 'insufficient_privilege';
  end if;
  insert into api_key values (id, person, org, account, note, hash, at, expires,
    null, null, null, narrowed, for_emergency);
end
$$;

grant execute on function api_key_insert to attestry_app;
