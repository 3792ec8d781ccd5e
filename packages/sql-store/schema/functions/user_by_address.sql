-- At most two people with an address, and what decides whether an identity may be linked to them. People whom one org
-- alone has are not among them: that org has written the address.
--
-- Runs as the owner, and names each person for row-level security while it reads.
create function user_by_address(address text)
returns table(user_id text, is_linked boolean, is_admin boolean)
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
declare
  person text;
begin
  for person in
    select u.user_id from app_user u
      where u.email is not null and lower(u.email collate "C") = lower(address collate "C")
        and u.home_org_id is null
      order by u.user_id limit 2
  loop
    perform set_config('attestry.user_id', person, true);
    return query select person,
      exists (select from user_identity i where i.user_id = person),
      exists (select from membership m where m.user_id = person and m.role = 'admin');
  end loop;
  perform set_config('attestry.user_id', '', true);
end
$$;

grant execute on function user_by_address to attestry_app;
