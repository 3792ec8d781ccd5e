-- The org, for verification.
--
-- Runs as the owner, for the org of the transaction alone.
create function record_org()
returns table(id text, name text, created_at int8)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select o.org_id, o.name, o.created_at from org o
  where o.org_id = current_setting('attestry.org_id', true)
$$;

grant execute on function record_org to attestry_app;
