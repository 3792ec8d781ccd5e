-- Orgs whose log may be read without a key.
--
-- Runs as the owner: the reader belongs to no org.
create function public_log_list()
returns table(org_id text)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select p.org_id from public_log p order by p.org_id
$$;

grant execute on function public_log_list to attestry_app;
