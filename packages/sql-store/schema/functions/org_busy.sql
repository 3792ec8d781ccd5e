-- Orgs that have background work of a kind, by name: environments that are pending or due, ends of waivers or proposals that may
-- have to be recorded, or openings of break-glass that run or wait for a review.
--
-- Runs as the owner: it reads across orgs. The setting lets the policies `due` show it the rows of the partial indexes that it
-- reads, so that orgs without work cost nothing.
create function org_busy(work text)
returns setof org
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
declare
  instant int8 := (extract(epoch from clock_timestamp()) * 1000000)::int8;
  found text[];
begin
  perform set_config('attestry.due', 'on', true);
  if work = 'evaluation' then
    found := array(select p.org_id from environment p where p.is_pending
      union select d.org_id from environment d where d.due_at <= instant and d.archived_at is null
      union select s.org_id from environment s where s.silence_due_at <= instant and s.archived_at is null);
  elsif work = 'waiver' then
    found := array(select distinct w.org_id from waiver w
      where w.settled is null and w.rejected is null and w.revoked is null);
  elsif work = 'proposal' then
    found := array(select distinct p.org_id from proposal p where p.ended is null and p.expires_at <= instant);
  elsif work = 'break-glass' then
    found := array(select g.org_id from break_glass g where g.closed_at is null
      union select r.org_id from break_glass r where r.reviewed is null);
  end if;
  perform set_config('attestry.due', '', true);
  return query select * from org o where o.org_id = any (found) order by o.name;
end
$$;

grant execute on function org_busy to attestry_app;
