-- Environments by name or former name, with the time of the database, and names the org for row-level security.
--
-- A report begins with this read, so it takes one round trip. WHY one JSON value: describing and reading a dozen columns
-- costs more than the lookup. An environment that has not seen the latest change of flows is returned without digests, so
-- that its next report is evaluated under the lock, and as pending if it is behind a change of a policy.
create function environments_by_name(org text, wanted text[], out asked text, out document json, out now int8,
  out is_org_due boolean)
returns setof record
language plpgsql
set search_path = attestry, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  named text := set_config('attestry.org_id', org, true);
  clock int8 := coalesce((select c.number from flow_change_counter c where c.org_id = org), 0);
  seen int8;
  is_logical boolean;
begin
  now := (extract(epoch from clock_timestamp()) * 1000000)::int8;
  is_org_due := exists (select from environment d
      where d.org_id = named and d.due_at <= now and d.archived_at is null)
    or exists (select from environment s
      where s.org_id = named and s.silence_due_at <= now and s.archived_at is null);
  foreach asked in array wanted loop
    select row_to_json(e), e.flow_changes_seen, e.type = 'logical' into document, seen, is_logical
      from environment e where e.org_id = named and e.name = asked and e.archived_at is null;
    if document is null then
      select row_to_json(e), e.flow_changes_seen, e.type = 'logical' into document, seen, is_logical
        from environment_former_name f
        join environment e on e.org_id = f.org_id and e.environment_id = f.environment_id
        where f.org_id = named and f.name = asked;
    end if;
    if seen < clock then
      document := (document::jsonb || '{"body_digest": null, "rows_digest": null}')::json;
    end if;
    if (seen < clock or is_logical) and exists (select from policy_change c where c.org_id = named)
      and is_behind(named, document ->> 'environment_id') then
      document := (document::jsonb || '{"is_pending": true}')::json;
    end if;
    return next;
  end loop;
end
$$;

grant execute on function environments_by_name to attestry_app;
