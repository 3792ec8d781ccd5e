-- Writes when keys were last used.
--
-- Runs as the owner: uses of all orgs are written together. INVARIANT: keys are locked in order.
create function api_key_touch(uses jsonb)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  with used as (select * from jsonb_to_recordset(uses) as u (id text, at int8)),
    held as (select k.key_id from api_key k where k.key_id in (select id from used)
      order by k.key_id for no key update)
  update api_key k set last_used_at = greatest(k.last_used_at, u.at)
    from held h join used u on u.id = h.key_id where k.key_id = h.key_id
$$;

grant execute on function api_key_touch to attestry_app;
