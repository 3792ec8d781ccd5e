-- Whether the log of an org may be read without a key.
--
-- Runs as the owner: the reader belongs to no org.
create function public_log_has(of text)
returns setof boolean
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select true from public_log p where p.org_id = of
$$;

grant execute on function public_log_has to attestry_app;
