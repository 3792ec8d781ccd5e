-- Brings the totals of attestations up to date with one attestation in 256.
create function attestation_folded()
returns trigger
language plpgsql
set search_path = attestry, pg_temp
as $$
begin perform fold_attestations(new.org_id); return null; end
$$;

grant execute on function attestation_folded to attestry_app;

create trigger attestation_folded
  after insert on attestation
  for each row
  when (current_setting('attestry.loading', true) is distinct from 'on'
    and (new.sequence % 256) = 0)
  execute function attestation_folded();
