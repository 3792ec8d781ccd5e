-- The person whom a provider knows by a subject.
--
-- Runs as the owner: the table is global.
create function user_identity_get(provider text, wanted text)
returns setof user_identity
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select * from user_identity i where i.provider_id = provider and i.subject = wanted
$$;

grant execute on function user_identity_get to attestry_app;
