-- Locks fingerprints for a writer of evidence, and clears the report digests of environments that run them, so that their
-- next report is evaluated. Objects in `locked` are events on trails, which get a number after the last lock.
--
-- INVARIANT: environments are locked before fingerprints, as evaluations do. Most evidence is about artifacts that run nowhere,
-- so the first attempt locks no environment; where one has begun to run the artifact meanwhile, the block fails, which frees
-- its locks, and is tried again. While it holds one environment it waits only 200 ms for the next.
--
-- A fingerprint that runs in more than 256 environments locks none of them: it moves the counter of flow changes, which every
-- environment compares before its next report. Evaluations of the org are waited for first, as by a change of a flow, so that
-- each is either before or after the evidence. WHY the setting: tests move the limit.
create function invalidate_running(org text, locked jsonb)
returns void
language plpgsql
set search_path = attestry, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  events jsonb := jsonb_path_query_array(locked, '$[*] ? (@.type() == "object")');
  number int8;
  marked text;
  running text[];
  held text[];
  is_patient boolean;
  most int4 := coalesce(nullif(current_setting('attestry.wide_above', true), '')::int4, 256);
  wide text[];
  is_wide boolean := false;
  now_at int8;
  patience text := current_setting('lock_timeout');
begin
  if events <> '[]' then
    locked := jsonb_path_query_array(locked, '$[*] ? (@.type() == "string")');
  end if;
  if locked <> '[]' then
    running := '{}';
    for attempt in 1..20 loop
      begin
        is_patient := true;
        if is_wide then perform lock_evaluations(org, 200); end if;
        foreach marked in array running loop
          perform from environment e
            where e.org_id = org and e.environment_id = marked for no key update;
          if is_patient and attempt < 20 and array_length(running, 1) > 1 then
            is_patient := false;
            perform set_config('lock_timeout', '200ms', true);
          end if;
        end loop;
        if not is_patient then
          perform set_config('lock_timeout', patience, true);
          is_patient := true;
        end if;
        perform lock_fingerprints(org, locked);
        held := running;
        running := array(select distinct f.environment_id
          from (select distinct jsonb_array_elements_text(locked) as fingerprint) q
          cross join lateral (select distinct r.environment_id from running_fingerprint r
            where r.org_id = org and r.fingerprint = q.fingerprint
            order by r.environment_id limit most + 1) f
          order by f.environment_id);
        wide := '{}';
        if cardinality(running) > most then
          wide := array(select q.fingerprint
            from (select distinct jsonb_array_elements_text(locked) as fingerprint) q
            where (select count(*) from (select distinct r.environment_id from running_fingerprint r
              where r.org_id = org and r.fingerprint = q.fingerprint
              order by r.environment_id limit most + 1) f) > most);
          running := array(select distinct f.environment_id
            from (select distinct jsonb_array_elements_text(locked) as fingerprint) q
            cross join lateral (select r.environment_id from running_fingerprint r
              where r.org_id = org and r.fingerprint = q.fingerprint
                and q.fingerprint <> all (wide) offset 0) f
            order by f.environment_id);
        end if;
        exit when (running <@ held and (is_wide or wide = '{}')) or attempt = 20;
        is_wide := is_wide or wide <> '{}';
        raise sqlstate 'ATR01';
      exception
        when sqlstate 'ATR01' or deadlock_detected then
          if attempt = 20 then raise; end if;
        when lock_not_available then
          if is_patient then raise; end if;
      end;
    end loop;
    foreach marked in array running loop
      update environment e set body_digest = null, rows_digest = null
        where e.org_id = org and e.environment_id = marked;
    end loop;
    if wide <> '{}' then
      now_at := flow_changes_next(org);
      insert into fingerprint_change (org_id, fingerprint, number)
        select org, f.fingerprint, now_at from unnest(wide) as f (fingerprint)
        on conflict (org_id, fingerprint) do update set number = excluded.number;
    end if;
  end if;
  if events <> '[]' then
    number := nextval('commit_position_sequence');
    insert into trail_event (org_id, trail_id, sequence, commit_position, at, template_id, status)
      select org, e.trail_id, e.sequence, number, e.at, e.template_id, e.status
      from jsonb_to_recordset(events)
        as e (trail_id text, sequence int8, at int8, template_id text, status text)
      on conflict do nothing;
  end if;
end
$$;

grant execute on function invalidate_running to attestry_app;
