-- Adds attestations up to the visibility watermark of the log to the totals; below it no attestation arrives any more.
--
-- WHY skip locked: two transactions that count at once would count twice, and none waits.
create function fold_attestations(org text)
returns void
language plpgsql
set search_path = attestry, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  counted int8;
  settled int8 := (select l.horizon from log_tree l where l.org_id = org order by l.epoch desc limit 1);
  each record;
begin
  if settled is null then return; end if;
  insert into attestation_fold (org_id, upto) select org, 0
    where not exists (select from attestation_fold f where f.org_id = org) on conflict do nothing;
  select f.upto into counted from attestation_fold f where f.org_id = org for update skip locked;
  if counted is null or counted >= settled then return; end if;
  for each in select c.subject, count(*) as more from attestation r
    cross join lateral (values (''), (r.flow_id)) as c (subject)
    where r.org_id = org and r.sequence > counted and r.sequence <= settled group by c.subject
  loop
    perform list_total_add(org, 'attestation', each.subject, each.more);
  end loop;
  update attestation_fold set upto = settled where org_id = org;
end
$$;

grant execute on function fold_attestations to attestry_app;
