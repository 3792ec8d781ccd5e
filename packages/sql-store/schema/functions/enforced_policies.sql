-- The set of policies that are attached to an environment and count; those that only warn do not.
create function enforced_policies(e environment)
returns jsonb
language sql immutable
set search_path = attestry, pg_temp
as $$
  select case when e.policies = '[]' then e.policies else (
    select coalesce(jsonb_agg(p.id order by p.id), '[]')
    from (select distinct a.id collate "C" as id
      from jsonb_array_elements_text(e.policies) as a (id)
      where e.policy_modes ->> a.id is distinct from 'warn') p) end
$$;

grant execute on function enforced_policies to attestry_app;
