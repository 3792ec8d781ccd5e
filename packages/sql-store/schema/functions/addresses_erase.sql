-- Erases addresses from a notification target and from deliveries that wait for it. A target without an address is
-- disabled, and its deliveries are removed.
--
-- WHY as the owner: the application may not change the address of a delivery.
create function addresses_erase(who text, urls text[], emails text[], instant int8)
returns void
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
begin
  update notification_target t set target = case
      when t.target ->> 'webhook' = any(urls)
        then t.target || jsonb_build_object('webhook', 'https://erased.invalid/')
      when t.target ? 'emails' then t.target || jsonb_build_object('emails', (
        select coalesce(jsonb_agg(e.email), '[]') from jsonb_array_elements(t.target -> 'emails') e (email)
          where e.email #>> '{}' <> all(emails)))
      else t.target end
    where t.org_id = current_setting('attestry.org_id', true) and t.target_id = who
      and (t.target ->> 'webhook' = any(urls) or t.target -> 'emails' ?| emails);
  update notification_target t set disabled_at = instant
    where t.org_id = current_setting('attestry.org_id', true) and t.target_id = who and t.disabled_at is null
      and (t.target ->> 'webhook' = 'https://erased.invalid/' or t.target -> 'emails' = '[]');
  update outbox t set target = case
      when t.target ->> 'webhook' = any(urls)
        then t.target || jsonb_build_object('webhook', 'https://erased.invalid/')
      when t.target ? 'emails' then t.target || jsonb_build_object('emails', (
        select coalesce(jsonb_agg(e.email), '[]') from jsonb_array_elements(t.target -> 'emails') e (email)
          where e.email #>> '{}' <> all(emails)))
      else t.target end
    where t.org_id = current_setting('attestry.org_id', true) and t.queue = coalesce(who, t.queue)
      and (t.target ->> 'webhook' = any(urls) or t.target -> 'emails' ?| emails);
  delete from outbox t
    where t.org_id = current_setting('attestry.org_id', true) and t.queue = coalesce(who, t.queue)
      and (t.target ->> 'webhook' = 'https://erased.invalid/' or t.target -> 'emails' = '[]');
end
$$;

grant execute on function addresses_erase to attestry_app;
