-- Keeps the history of attached policies and of their modes.
create function policy_attachment_append()
returns trigger
language plpgsql
set search_path = attestry, pg_temp
as $$
declare
  number int8 := nextval('commit_position_sequence');
begin
  update policy_attachment a set to_position = number, to_at = new.last_modified_at
    where a.org_id = new.org_id and a.environment_id = new.environment_id and a.to_position is null
      and not (new.policies @> to_jsonb(a.policy_id)
        and coalesce(new.policy_modes ->> a.policy_id, 'enforce') = a.mode);
  insert into policy_attachment (org_id, environment_id, policy_id, from_position, from_at, mode)
    select new.org_id, new.environment_id, p.id, number, new.last_modified_at,
      coalesce(new.policy_modes ->> p.id, 'enforce')
    from (select distinct jsonb_array_elements_text(new.policies) as id) p
    where not exists (select from policy_attachment a where a.org_id = new.org_id
      and a.environment_id = new.environment_id and a.policy_id = p.id and a.to_position is null);
  return null;
end
$$;

create trigger policy_attachment_created
  after insert on environment
  for each row
  when (current_setting('attestry.loading', true) is distinct from 'on'
    and new.policies <> '[]')
  execute function policy_attachment_append();

create trigger policy_attachment_changed
  after update of policies, policy_modes on environment
  for each row
  when (current_setting('attestry.loading', true) is distinct from 'on'
    and ((old.policies is distinct from new.policies) or (old.policy_modes is distinct from new.policy_modes)))
  execute function policy_attachment_append();
