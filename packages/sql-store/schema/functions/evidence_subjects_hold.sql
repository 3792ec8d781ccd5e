-- The subjects with a fingerprint. Waits for transactions that have locked the fingerprint as a target of evidence, and
-- holds it against later ones.
--
-- WHY a function: its second statement sees what its first one has waited for.
create function evidence_subjects_hold(org text, held text)
returns setof evidence_subject
language plpgsql
set search_path = attestry, pg_temp
as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(org || ' subject ' || held, 0));
  return query select s.* from evidence_subject s
    where s.org_id = org and s.fingerprint = held
    order by s.digest, s.position, s.name;
end
$$;

grant execute on function evidence_subjects_hold to attestry_app;
