-- Orgs whose journal has an entry without a leaf.
--
-- Runs as the owner: it names one org after the other for row-level security.
create function log_behind(most int4)
returns table(org_id text)
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
declare
  named text := current_setting('attestry.org_id', true);
  found int4 := 0;
  is_behind boolean;
begin
  for org_id in select o.org_id from org o order by o.org_id loop
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
