-- Opens or closes the log of the org to everyone.
--
-- Runs as the owner, for the org of the transaction alone.
create function public_log_put(is_public boolean)
returns void
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
begin
  if is_public then
    insert into public_log (org_id) values (current_setting('attestry.org_id', true))
      on conflict do nothing;
  else
    delete from public_log p where p.org_id = current_setting('attestry.org_id', true);
  end if;
end
$$;

grant execute on function public_log_put to attestry_app;
