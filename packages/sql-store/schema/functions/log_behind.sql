-- Orgs whose journal has an entry without a leaf: of those that have entries above a number, and of those that are named. Above
-- 0, every org is looked at.
--
-- Runs as the owner: it names one org after the other for row-level security, and the setting lets the policy `behind` show it
-- the numbers of all orgs. WHY a number: what is at or below it was found to have its leaves, so idle orgs cost nothing.
create function log_behind(above int8, also text[], most int4)
returns table(org_id text)
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
declare
  named text := current_setting('attestry.org_id', true);
  written text[];
  found int4 := 0;
  is_behind boolean;
begin
  if above <= 0 then
    written := array(select o.org_id from org o);
  else
    perform set_config('attestry.behind', 'on', true);
    written := array(select distinct w.org_id from journal w where w.sequence > above);
    perform set_config('attestry.behind', '', true);
  end if;
  for org_id in select distinct c.org_id from unnest(written || also) as c (org_id) order by c.org_id loop
    exit when found >= most;
    perform set_config('attestry.org_id', org_id, true);
    select exists (select from journal j
      where j.org_id = log_behind.org_id and j.sequence > coalesce((select t.horizon from log_tree t
          where t.org_id = log_behind.org_id order by t.epoch desc limit 1), 0)
        and not exists (select from log_leaf l
          where l.org_id = log_behind.org_id and l.sequence = j.sequence)) into is_behind;
    if is_behind then
      found := found + 1;
      return next;
    end if;
  end loop;
  perform set_config('attestry.org_id', coalesce(named, ''), true);
end
$$;

grant execute on function log_behind to attestry_app;
