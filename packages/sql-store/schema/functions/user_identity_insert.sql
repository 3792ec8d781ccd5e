-- Links an identity to a person; nothing where it is linked or the person has one of that provider.
--
-- Runs as the owner: the table is global.
create function user_identity_insert(provider text, wanted text, named_issuer text, person text)
returns setof user_identity
language sql security definer
set search_path = attestry, pg_temp
as $$
  insert into user_identity
    values (provider, wanted, named_issuer, person, (extract(epoch from clock_timestamp()) * 1000000)::int8)
    on conflict do nothing returning *
$$;

grant execute on function user_identity_insert to attestry_app;
