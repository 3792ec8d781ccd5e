-- Erases the name of the creator of a notification.
--
-- WHY as the owner: the application may not change the creator.
create function creator_erase(notification int4, texts text[], left_name text)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  update environment_notification set created_by = left_name
    where org_id = current_setting('attestry.org_id', true) and number = notification and created_by = any(texts)
$$;

grant execute on function creator_erase to attestry_app;
