-- When tables are vacuumed.
--
-- Tables that only grow: their pages are visited while they are still in memory, and frozen at once, so that no large vacuum
-- comes years later. Tables of which a few rows change all the time: dead rows are removed before they are many.
do $$
declare
  name text;
begin
  foreach name in array array[
    'artifact', 'attestation', 'journal', 'log_leaf', 'snapshot', 'snapshot_decisions', 'snapshot_event', 'snapshot_flows',
    'snapshot_policies', 'snapshot_row', 'snapshot_start', 'trail_event'
  ] loop
    execute format('alter table %I set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_freeze_min_age = 0)', name);
  end loop;
  foreach name in array array['environment', 'exposure', 'list_total', 'outbox', 'trail_evaluation'] loop
    execute format('alter table %I set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)', name);
  end loop;
end $$;
