-- Row-level security.
--
-- A transaction names its org in the setting `attestry.org_id`. These tables show it the rows of that org alone, also where
-- the owner reads them.
do $$
declare
  name text;
begin
  foreach name in array array[
    'access_grant', 'agent_accounts', 'allow_list', 'allow_list_period', 'expiry_notice', 'approval', 'artifact', 'artifact_trait', 'attachment',
    'attachment_chunk', 'attestation', 'attestation_fold', 'attestation_type', 'break_glass', 'build', 'component', 'component_listing',
    'component_set', 'component_use', 'control', 'control_version', 'decay_notice', 'deployment', 'deployment_flow', 'deployment_repo', 'environment',
    'environment_former_name', 'environment_notification', 'environment_notification_number',
    'environment_version', 'evidence_document', 'evidence_link', 'evidence_subject', 'exposure', 'fingerprint_change', 'flow',
    'flow_change', 'flow_change_counter', 'flow_former_name', 'flow_unsettled',
    'flow_version', 'idempotency', 'identity_rule', 'identity_token_use', 'invitation', 'journal', 'environment_evaluation', 'list_total',
    'log_checkpoint', 'log_cosignature', 'log_key', 'log_late', 'log_leaf', 'log_node',
    'log_scrub', 'log_tree', 'membership', 'membership_event', 'notification_config', 'notification_target',
    'outbox', 'placement_rule', 'policy', 'policy_attachment', 'policy_change', 'policy_version', 'proposal', 'protection', 'repo', 'repo_flow', 'scim_user', 'service_account', 'sign_in_setting', 'signing_secret', 'silence',
    'snapshot', 'snapshot_decisions', 'snapshot_event', 'snapshot_flows', 'snapshot_part', 'snapshot_policies', 'snapshot_row',
    'snapshot_start', 'space', 'team', 'team_member', 'template_version', 'thing_place', 'trail', 'trail_commit', 'trail_evaluation', 'trail_event',
    'trust_policy_version', 'vex_statement', 'vulnerable_component', 'waiver', 'waiver_settings', 'waiver_use'
  ] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_org on %I
      using (org_id = current_setting(''attestry.org_id'', true))
      with check (org_id = current_setting(''attestry.org_id'', true))', name);
  end loop;
end $$;

-- Functions that authenticate a key name its user or its account, and read the memberships of that one; the function that
-- finds an invitation names it, and that for people whom a SCIM client has described the external id.
create policy own_user on membership for select
  using (user_id = nullif(current_setting('attestry.user_id', true), ''));
create policy own_invitation on invitation for select
  using (invitation_id = nullif(current_setting('attestry.invitation_id', true), ''));
create policy own_external_id on scim_user for select
  using (external_id = nullif(current_setting('attestry.external_id', true), ''));
create policy own_account on service_account for select
  using (service_account_id = nullif(current_setting('attestry.service_account_id', true), ''));

-- Functions that judge a session read the settings of every org of its person.
create policy of_session on sign_in_setting for select to current_user
  using (current_setting('attestry.sign_in', true) = 'on');

-- Functions of workers run as the owner and work for every org.
create policy worker on notification_config to current_user using (true) with check (true);
create policy worker on notification_target to current_user using (true) with check (true);
create policy worker on outbox to current_user using (true) with check (true);
create policy worker on expiry_notice to current_user using (true) with check (true);
create policy forgetting on idempotency to current_user using (true);
create policy due on environment for select to current_user
  using ((due_at is not null or silence_due_at is not null or is_pending) and current_setting('attestry.due', true) = 'on');
create policy due on environment_notification for select to current_user
  using (current_setting('attestry.due', true) = 'on');
create policy due on decay_notice for select to current_user
  using (current_setting('attestry.due', true) = 'on');
create policy due on waiver for select to current_user
  using (current_setting('attestry.due', true) = 'on');
create policy due on proposal for select to current_user
  using (current_setting('attestry.due', true) = 'on');
create policy due on policy_change for select to current_user
  using (current_setting('attestry.due', true) = 'on');
create policy due on break_glass for select to current_user
  using (current_setting('attestry.due', true) = 'on');

-- The workers of logs ask which orgs have written, and which logs have grown.
create policy behind on journal for select to current_user
  using (current_setting('attestry.behind', true) = 'on');
create policy behind on log_tree for select to current_user
  using (current_setting('attestry.behind', true) = 'on');
create policy behind on log_scrub for select to current_user
  using (current_setting('attestry.behind', true) = 'on');
