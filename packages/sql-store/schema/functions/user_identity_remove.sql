-- Unlinks the identity of a person at a provider; its sessions end with it.
--
-- Runs as the owner: the table is global.
create function user_identity_remove(person text, provider text)
returns setof text
language sql security definer
set search_path = attestry, pg_temp
as $$
  delete from user_identity i where i.user_id = person and i.provider_id = provider returning i.subject
$$;

grant execute on function user_identity_remove to attestry_app;
