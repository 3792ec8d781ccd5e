-- Appends a snapshot whose rows and events were sent before in parts, in their order.
create function snapshot_append_parts(org text, env text, draft jsonb)
returns void
language plpgsql
set search_path = attestry, pg_temp
as $$
begin
  perform snapshot_append(org, env, draft || (
    select jsonb_object_agg(k.kind, (
      select coalesce(jsonb_agg(r.value order by p.part, r.at), '[]')
      from snapshot_part p cross join lateral jsonb_array_elements(p.rows -> k.kind) with ordinality r (value, at)
      where p.org_id = org and p.environment_id = env))
    from (values ('ended'), ('begun'), ('events')) k (kind)));
  delete from snapshot_part p where p.org_id = org and p.environment_id = env;
end
$$;

grant execute on function snapshot_append_parts to attestry_app;
