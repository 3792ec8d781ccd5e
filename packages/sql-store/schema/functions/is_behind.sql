-- Whether the verdict of an environment is older than a change of its policies that moved `flow_change_counter`, or that of a member
-- of a logical one is.
create function is_behind(org text, wanted text)
returns boolean
language plpgsql stable
set search_path = attestry, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return exists (select from environment_behind b where b.org_id = org and b.environment_id = wanted)
    or exists (select from environment e
      cross join lateral jsonb_array_elements_text(e.included) as member (id)
      cross join lateral (select from environment_behind b
        where b.org_id = org and b.environment_id = member.id offset 0) b
      where e.org_id = org and e.environment_id = wanted and e.type = 'logical');
end
$$;

grant execute on function is_behind to attestry_app;
