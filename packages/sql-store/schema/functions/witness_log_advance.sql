-- Advances the cosigned state of another's log, unless another request has advanced it. A log that was never cosigned has an
-- empty note while its first request is under way.
--
-- Runs as the owner: the table is global.
create function witness_log_advance(named text, from_size int8, next_size int8, next_root text, next_note text)
returns setof boolean
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
begin
  insert into witness_log (origin, size, root, note) values (named, 0, '', '')
    on conflict do nothing;
  return query update witness_log w set size = next_size, root = next_root, note = next_note
    where w.origin = named and w.size = from_size returning true;
end
$$;

grant execute on function witness_log_advance to attestry_app;
