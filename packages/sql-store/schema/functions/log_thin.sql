-- Removes old checkpoints for which a later one of the same minute or hour stands, and their cosignatures. The newest
-- checkpoint that a witness has cosigned stays: the next proof for that witness begins with its size.
--
-- WHY as the owner: the application may not remove checkpoints.
create function log_thin(whole_after int8, minutes_after int8)
returns setof int8
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
declare
  org text := current_setting('attestry.org_id', true);
  thinned jsonb;
begin
  select coalesce(jsonb_agg(jsonb_build_object('epoch', d.epoch, 'size', d.size)), '[]') into thinned
    from (select c.epoch, c.size, row_number() over (
          partition by c.epoch, c.signed_at >= minutes_after, c.signed_at /
            case when c.signed_at >= minutes_after then 60000000 else 3600000000 end
          order by c.size desc) as place
        from log_checkpoint c where c.org_id = org and c.signed_at < whole_after) d
    where d.place > 1 and not exists (select from (select w.key_id, max(w.size) as size
        from log_cosignature w where w.org_id = org and w.epoch = d.epoch group by w.key_id) n
      where n.size = d.size);
  delete from log_cosignature w
    using jsonb_to_recordset(thinned) as t (epoch int4, size int8)
    where w.org_id = org and w.epoch = t.epoch and w.size = t.size;
  return query with gone as (delete from log_checkpoint c
      using jsonb_to_recordset(thinned) as t (epoch int4, size int8)
      where c.org_id = org and c.epoch = t.epoch and c.size = t.size returning c.size)
    select count(*) from gone;
end
$$;

grant execute on function log_thin to attestry_app;
