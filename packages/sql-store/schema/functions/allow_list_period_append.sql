-- Keeps the history of allow-lists: ends the entry in force and begins the new one.
create function allow_list_period_append()
returns trigger
language plpgsql
set search_path = attestry, pg_temp
as $$
declare
  number int8 := nextval('commit_position_sequence');
begin
  if tg_op <> 'INSERT' then
    update allow_list_period a set to_position = number,
        to_at = case tg_op when 'DELETE' then (extract(epoch from clock_timestamp()) * 1000000)::int8 else new.created_at end
      where a.org_id = old.org_id and a.environment_id = old.environment_id
        and a.fingerprint = old.fingerprint and a.to_position is null;
  end if;
  if tg_op <> 'DELETE' then
    insert into allow_list_period (org_id, environment_id, fingerprint, from_position, from_at, name, reason,
        created_by, expires_at)
      values (new.org_id, new.environment_id, new.fingerprint, number, new.created_at, new.name,
        new.reason, new.created_by, new.expires_at);
  end if;
  return null;
end
$$;

create trigger allow_list_period_append
  after insert or delete or update on allow_list
  for each row
  when (current_setting('attestry.loading', true) is distinct from 'on')
  execute function allow_list_period_append();
