-- Removes an attached file with its contents, for an erasure.
--
-- Runs as the owner, for the org of the transaction alone: the application may not remove files.
create function attachment_erase(file text)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  delete from attachment_chunk
    where org_id = current_setting('attestry.org_id', true) and fingerprint = file;
  delete from attachment
    where org_id = current_setting('attestry.org_id', true) and fingerprint = file;
$$;

grant execute on function attachment_erase to attestry_app;
