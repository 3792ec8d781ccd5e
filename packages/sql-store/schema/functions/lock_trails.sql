-- Locks trails and reads what reports into them are decided by, in one round trip.
--
-- WHY several statements: as in `lock_environment`. WHY the org as row-level security spells it: with a second, different
-- condition PostgreSQL expects next to no rows, and reads all reports of the org to find those of a trail. WHY `offset 0`:
-- merged into the search for the trail, `coalesce` would keep PostgreSQL from using the index. WHY `|| ''`: the index of
-- trails by flow must not be used to find one by its name. With a fingerprint the caller reports an artifact: the lock of
-- `evidence_subjects_hold` is taken after the trail's, and `is_awaited` tells whether there are such subjects.
create function lock_trails(asked json, waits boolean)
returns table(document json)
language plpgsql
set search_path = attestry, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  trails text[];
  flows text[];
  prints text[];
  held boolean[];
begin
  if waits then
    select array_agg(l.trail_id order by q.n), array_agg(l.flow_id order by q.n), array_agg(q.fingerprint order by q.n)
      into trails, flows, prints
      from rows from (json_to_recordset(asked) as (flow text, name text, fingerprint text))
        with ordinality as q (flow, name, fingerprint, n)
      cross join lateral (select coalesce(
        (select w.flow_id from flow w
          where w.org_id = current_setting('attestry.org_id', true) and w.name = q.flow),
        (select o.flow_id from flow_former_name o
          where o.org_id = current_setting('attestry.org_id', true) and o.name = q.flow)) as id offset 0) f
      left join lateral (select r.trail_id, r.flow_id from trail r
        where r.org_id = current_setting('attestry.org_id', true) and r.flow_id || '' = f.id
          and r.name = q.name for update) l on true;
  else
    -- The same, without the trails that other transactions hold.
    select array_agg(l.trail_id order by q.n), array_agg(l.flow_id order by q.n), array_agg(q.fingerprint order by q.n)
      into trails, flows, prints
      from rows from (json_to_recordset(asked) as (flow text, name text, fingerprint text))
        with ordinality as q (flow, name, fingerprint, n)
      cross join lateral (select coalesce(
        (select w.flow_id from flow w
          where w.org_id = current_setting('attestry.org_id', true) and w.name = q.flow),
        (select o.flow_id from flow_former_name o
          where o.org_id = current_setting('attestry.org_id', true) and o.name = q.flow)) as id offset 0) f
      left join lateral (select r.trail_id, r.flow_id from trail r
        where r.org_id = current_setting('attestry.org_id', true) and r.flow_id || '' = f.id
          and r.name = q.name for update skip locked) l on true;
  end if;
  if array_remove(prints, null) <> '{}' then
    select array_agg(case
        when trails[q.n] is null or q.fingerprint is null then true
        when waits then pg_advisory_xact_lock_shared(hashtextextended(
          current_setting('attestry.org_id', true) || ' subject ' || q.fingerprint, 0)) is not null
        else pg_try_advisory_xact_lock_shared(hashtextextended(
          current_setting('attestry.org_id', true) || ' subject ' || q.fingerprint, 0)) end order by q.n) into held
      from unnest(prints) with ordinality q (fingerprint, n);
  end if;
  return query select
      case when h.id is not null and array_position(trails, h.id) = h.n and coalesce(held[h.n], true) then (select json_build_object(
        'sequence', nextval('journal_sequence'),
        'flow', case when array_position(flows, t.flow_id) = h.n then (select row_to_json(f) from flow f
          where f.org_id = current_setting('attestry.org_id', true) and f.flow_id = t.flow_id) end,
        'trail', row_to_json(t),
        'is_watched', exists (select from environment_notification n
          where n.org_id = current_setting('attestry.org_id', true)
            and n.flows @> to_jsonb(array[t.flow_id])),
        'is_awaited', prints[h.n] is not null and exists (select from evidence_subject s
          where s.org_id = current_setting('attestry.org_id', true) and s.fingerprint = prints[h.n]),
        'artifacts', (select coalesce(json_agg(json_build_object('sequence', a.sequence,
            'id', a.artifact_id, 'slot', a.slot, 'fingerprint', a.fingerprint,
            'commit', a.git_commit) order by a.sequence), '[]')
          from artifact a
          where a.org_id = current_setting('attestry.org_id', true) and a.trail_id = t.trail_id),
        'attestations', (select coalesce(json_agg(json_build_object('sequence', a.sequence,
            'id', a.attestation_id, 'name', a.name, 'type', a.type, 'isCompliant', a.is_compliant,
            'isOverride', a.is_override, 'fingerprint', a.fingerprint, 'slots', a.slots,
            'commit', a.git_commit, 'digest', a.digest) order by a.sequence), '[]')
          from attestation a
          where a.org_id = current_setting('attestry.org_id', true) and a.trail_id = t.trail_id))
        from trail t
        where t.org_id = current_setting('attestry.org_id', true) and t.trail_id = h.id) end
    from unnest(trails) with ordinality h (id, n) order by h.n;
end
$$;

grant execute on function lock_trails to attestry_app;
