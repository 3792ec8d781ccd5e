-- The identities of a person, by provider.
--
-- Runs as the owner: the table is global.
create function user_identity_list(person text)
returns setof user_identity
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select * from user_identity i where i.user_id = person order by i.provider_id
$$;

grant execute on function user_identity_list to attestry_app;
