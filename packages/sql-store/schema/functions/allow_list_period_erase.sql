-- Erases texts from the history of an allow-list.
--
-- WHY as the owner: the application may not change past entries.
create function allow_list_period_erase(env text, texts text[], left_reason text)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  update allow_list_period set
      reason = case when reason = any(texts) then left_reason else reason end,
      created_by = case when created_by = any(texts) then left_reason else created_by end
    where org_id = current_setting('attestry.org_id', true) and environment_id = env
      and (reason = any(texts) or created_by = any(texts))
$$;

grant execute on function allow_list_period_erase to attestry_app;
