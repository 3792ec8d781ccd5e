-- Denied requests, newest first.
--
-- Runs as the owner: the table is global.
create function denied_attempt_list(wanted_org text, most int4)
returns setof denied_attempt
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select * from denied_attempt d where wanted_org is null or d.org = wanted_org
  order by d.at desc limit most
$$;

grant execute on function denied_attempt_list to attestry_app;
