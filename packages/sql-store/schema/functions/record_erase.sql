-- Replaces a column that can hold personal texts, for an erasure; other columns are refused.
--
-- Runs as the owner, for the org of the transaction alone. WHY a json column is given as a text: its members have an order.
create function record_erase(tab text, place tid, col text, val jsonb)
returns void
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
declare kind text;
  begin
    if not exists (select from (values ('access_grant', 'reason'), ('agent_accounts', 'accounts'), ('allow_list', 'reason'), ('allow_list', 'created_by'), ('allow_list', 'owner'),
('approval', 'request'),
('approval', 'created_by'), ('artifact', 'report'), ('artifact', 'created_by'), ('attestation', 'body'),
('attestation', 'digest'), ('attestation', 'policy_facts'), ('attestation', 'created_by'), ('attestation_type', 'description'),
('attestation_type', 'versions'), ('attestation_type', 'created_by'), ('break_glass', 'opened_by'), ('break_glass', 'reason'),
('break_glass', 'closed_by'), ('break_glass', 'reviewed'), ('control', 'description'),
('control', 'created_by'), ('control_version', 'description'), ('control_version', 'created_by'),
('environment', 'description'), ('evidence_document', 'facts'), ('evidence_document', 'accepted_by'),
('flow', 'description'), ('invitation', 'login'), ('invitation', 'display_name'), ('invitation', 'email'),
('invitation', 'created_by'), ('invitation', 'accepted_by'), ('invitation', 'revoked_by'), ('membership_event', 'changed_by'),
('membership_event', 'changed_by_folded'), ('policy', 'description'), ('policy', 'created_by'),
('policy_version', 'comment'), ('policy_version', 'created_by'), ('proposal', 'request'), ('proposal', 'changes'),
('proposal', 'reason'), ('proposal', 'proposer'), ('proposal', 'approvals'), ('proposal', 'ended'), ('repo', 'description'),
('service_account', 'description'), ('space', 'description'), ('team', 'description'), ('trail', 'details'), ('trail', 'created_by'),
('trust_policy_version', 'comment'), ('trust_policy_version', 'created_by'), ('waiver', 'reason'), ('waiver', 'owner'),
('waiver', 'requested_by'), ('waiver', 'approvals'), ('waiver', 'rejected'), ('waiver', 'revoked')) w (t, c) where w.t = tab and w.c = col) then
      raise exception 'column % of % holds no personal members', col, tab;
    end if;
    select format_type(a.atttypid, null) into kind from pg_catalog.pg_attribute a
      where a.attrelid = format('attestry.%I', tab)::regclass and a.attname = col;
    execute format('update %I set %I = %s where org_id = $2 and ctid = $3', tab, col,
        case kind when 'text' then '$1 #>> ''{}''' when 'json' then '($1 #>> ''{}'')::json'
          else '$1' end)
      using val, current_setting('attestry.org_id', true), place;
  end
$$;

grant execute on function record_erase to attestry_app;
