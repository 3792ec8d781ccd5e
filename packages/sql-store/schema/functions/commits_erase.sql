-- Erases texts of a commit from the flow views of snapshot rows. A flow view is found by its digest, so the remaining view
-- gets a new digest, and rows are pointed to it.
--
-- WHY as the owner: the application may not change rows of snapshots.
create function commits_erase(trail text, texts text[], left_text text)
returns void
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
declare
  each record;
  flows_left jsonb;
  digest_left bytea;
begin
  for each in select f.digest, f.flows from snapshot_flows f
    where f.org_id = current_setting('attestry.org_id', true)
      and exists (select from jsonb_array_elements(f.flows) v (view)
        where v.view ->> 'trail_id' = trail
          and exists (select from unnest(array['author','author_username','message','signer_username']) m (name)
            where v.view -> 'git_commit_info' ->> m.name = any(texts)))
  loop
    select jsonb_agg(case when v.view ->> 'trail_id' = trail
          and jsonb_typeof(v.view -> 'git_commit_info') = 'object'
        then v.view || jsonb_build_object('git_commit_info', (
          select jsonb_object_agg(c.name,
            case when c.name in ('author','author_username','message','signer_username')
              and c.value #>> '{}' = any(texts) then to_jsonb(left_text) else c.value end)
          from jsonb_each(v.view -> 'git_commit_info') c (name, value)))
        else v.view end order by v.place) into flows_left
      from jsonb_array_elements(each.flows) with ordinality v (view, place);
    digest_left := sha256(convert_to(flows_left::text, 'UTF8'));
    insert into snapshot_flows (org_id, digest, flows)
      values (current_setting('attestry.org_id', true), digest_left, flows_left)
      on conflict do nothing;
    update snapshot_row r set flows_digest = digest_left
      where r.org_id = current_setting('attestry.org_id', true) and r.flows_digest = each.digest;
    delete from snapshot_flows f
      where f.org_id = current_setting('attestry.org_id', true) and f.digest = each.digest;
  end loop;
end
$$;

grant execute on function commits_erase to attestry_app;
