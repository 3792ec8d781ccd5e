-- Replaces the contents of an entry, and the salts of its leaf, by what is left after an erasure.
--
-- WHY as the owner: the application may only add entries.
create function journal_erase(
  of int8, left_content text, left_digest text, remains jsonb, left_actor text default null
)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  update journal set content = convert_to(left_content, 'UTF8'), digest = decode(left_digest, 'hex'),
      actor_name = coalesce(left_actor, actor_name)
    where org_id = current_setting('attestry.org_id', true) and sequence = of;
  update log_leaf set salt = null, disclosures = remains
    where org_id = current_setting('attestry.org_id', true) and sequence = of;
$$;

grant execute on function journal_erase to attestry_app;
