-- Writes the events of a logical environment: a member that moved on contributes the events of its own snapshot, rows of a
-- member that joined have started, and rows of a member that left have exited. Returns their number.
create function member_events(org text, env text, at_index int4, old_members jsonb, new_members jsonb)
returns int4
language plpgsql
set search_path = attestry, pg_temp
as $$
declare
  told int4;
begin
  insert into snapshot_event (org_id, environment_id, index, position, bucket, row_no, type, was, now,
      arrived, member_id)
    with change as materialized (
      select coalesce(n.environment_id, o.environment_id) as member, o.index as before,
          n.index as after
        from jsonb_to_recordset(old_members) as o (environment_id text, index int4)
        full join jsonb_to_recordset(new_members) as n (environment_id text, index int4)
          on n.environment_id = o.environment_id
        where o.index is distinct from n.index),
    told (member, bucket, row_no, type, was, now, name, fingerprint) as (
      -- Members that moved on. WHY `offset 0`: the inner query runs as it stands, by the key of its table.
      select c.member, e.bucket, e.row_no, e.type, e.was, e.now, r.name, r.fingerprint
        from change c
        cross join lateral (select e.bucket, e.row_no, e.type, e.was, e.now from snapshot_event e
          where e.org_id = org and e.environment_id = c.member and e.index = c.after offset 0) e
        cross join lateral (select r.name, r.fingerprint from snapshot_row r
          where r.org_id = org and r.environment_id = c.member and r.bucket = e.bucket
            and r.row_no = e.row_no offset 0) r
        where c.before is not null and c.after is not null
      union all
      -- Members that joined or left.
      select c.member, r.bucket, r.row_no,
          case when c.after is null then 'exited' else r.started end,
          case when c.after is null then r.instances else 0 end,
          case when c.after is null then 0 else r.instances end, r.name, r.fingerprint
        from change c
        cross join lateral (select s.bucket, s.index from snapshot s where s.org_id = org
          and s.environment_id = c.member and s.index = coalesce(c.after, c.before) offset 0) s
        cross join lateral (select r.bucket, r.row_no, r.name, r.fingerprint,
            json_array_length(r.doc::json -> 0) as instances, case r.verdict
              when 'Compliant' then 'started-compliant' when 'NonCompliant' then 'started-non-compliant'
              else 'started-unknown' end as started
          from snapshot_row r where r.org_id = org and r.environment_id = c.member
            and r.bucket = s.bucket and r.first_index <= s.index and r.last_index >= s.index offset 0) r
        where c.before is null or c.after is null)
    -- Two members may run the same artifact, so the member is the last key of the order.
    select org, env, at_index,
        row_number() over (order by
          case when t.type = 'exited' then 0 when t.type like 'started-%' then 2 else 1 end,
          t.name, t.fingerprint, t.member),
        t.bucket, t.row_no, t.type, t.was, t.now, false, t.member
      from told t;
  get diagnostics told = row_count;
  return told;
end
$$;

grant execute on function member_events to attestry_app;
