-- Waits for transactions that write evidence about fingerprints, or that evaluate them, and locks the fingerprints.
--
-- INVARIANT: the org is locked before its fingerprints, and those in order, so that no two transactions deadlock. Above 256
-- fingerprints the whole org is locked.
create function lock_fingerprints(org text, locked jsonb)
returns void
language plpgsql
set search_path = attestry, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  if jsonb_array_length(locked) > 256 then
    perform pg_advisory_xact_lock(hashtext(org), 0);
  elsif locked <> '[]' then
    perform pg_advisory_xact_lock_shared(hashtext(org), 0);
    perform pg_advisory_xact_lock(hashtextextended(org || value, 0))
      from (select value from jsonb_array_elements_text(locked) as value order by value) wanted;
  end if;
end
$$;

grant execute on function lock_fingerprints to attestry_app;
