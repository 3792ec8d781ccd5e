-- An invitation with its org, for the person who has its secret.
--
-- Runs as the owner: the org is not known yet. It names the invitation to row-level security while it reads.
create function invitation_by_id(wanted text)
returns table(found invitation, org text, now int8)
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
begin
  perform set_config('attestry.invitation_id', wanted, true);
  return query select i, o.name, (extract(epoch from clock_timestamp()) * 1000000)::int8
    from invitation i join org o on o.org_id = i.org_id where i.invitation_id = wanted;
  perform set_config('attestry.invitation_id', '', true);
end
$$;

grant execute on function invitation_by_id to attestry_app;
