-- Waits for the evaluations of an org, and keeps others from beginning until the caller commits.
--
-- WHY it tries for a while before it queues: evaluations would wait behind a caller that waits for a long report.
create function lock_evaluations(org text, tried_millis int4)
returns void
language plpgsql
set search_path = attestry, pg_temp
as $$
begin
  for attempt in 1..tried_millis / 10 loop
    exit when pg_try_advisory_xact_lock(hashtext(org), 1);
    perform pg_sleep(0.01);
  end loop;
  perform pg_advisory_xact_lock(hashtext(org), 1);
end
$$;

grant execute on function lock_evaluations to attestry_app;
