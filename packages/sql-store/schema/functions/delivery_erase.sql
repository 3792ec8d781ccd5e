-- Replaces the contents of a delivery by what is left after an erasure.
--
-- WHY as the owner: the application may not change a delivery.
create function delivery_erase(id text, left_notification jsonb)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  update outbox set notification = left_notification
    where org_id = current_setting('attestry.org_id', true) and delivery_id = id
$$;

grant execute on function delivery_erase to attestry_app;
