-- The application may read and add rows, remove them where removing is part of the domain, and update the columns that
-- change. Global tables have no grant: the application reaches them through functions.

grant select, insert, delete on allow_list, decay_notice, environment_former_name, environment_notification, flow_former_name,
  flow_unsettled, idempotency, identity_rule, identity_token_use, membership, notification_target, outbox,
  policy_change, scim_user, service_account, snapshot_part to attestry_app;

grant select, insert on access_grant, agent_accounts, allow_list_period, approval, artifact, artifact_trait, attachment, attachment_chunk, attestation,
  attestation_fold, attestation_type, break_glass, build, component, component_listing, component_set, component_use, control,
  control_version, deployment, deployment_flow, deployment_repo, environment, environment_notification_number, environment_version, evidence_document, evidence_link,
  evidence_subject, exposure, fingerprint_change, flow, flow_change, flow_change_counter,
  flow_version, invitation, journal, environment_evaluation, list_total, log_checkpoint, log_cosignature, log_key, log_late,
  log_leaf, log_node, log_scrub, log_tree, membership_event, notification_config, placement_rule, policy, policy_attachment,
  policy_version, proposal, protection, repo, repo_flow, sign_in_setting, signing_secret, snapshot, snapshot_decisions, snapshot_event, snapshot_flows,
  snapshot_policies, snapshot_row, snapshot_start, silence, space, team, team_member, template_version, thing_place, trail, trail_commit, trail_evaluation,
  trail_event, trust_policy_version, vex_statement, vulnerable_component, waiver, waiver_settings,
  waiver_use to attestry_app;

grant select on environment_behind, expiry_notice, fingerprint_run, running_fingerprint to attestry_app;

grant usage on sequence component_sequence, component_set_sequence, journal_sequence, commit_position_sequence, outbox_sequence, snapshot_row_sequence to attestry_app;

grant update (to_at) on access_grant to attestry_app;
grant update (accounts) on agent_accounts to attestry_app;
grant update (name, reason, created_by, created_at, expires_at, owner) on allow_list to attestry_app;
grant update (to_position, to_at) on allow_list_period to attestry_app;
grant update (upto) on attestation_fold to attestry_app;
grant update (description, archived, versions, last_modified_at) on attestation_type to attestry_app;
grant update (closed_at, closed_by, reviewed, notified_at) on break_glass to attestry_app;
grant update (name, description, links, tags, version, archived) on control to attestry_app;
grant update (name, description, include_scaling, included, policies, require_provenance, tags, last_modified_at,
  last_reported_at, last_changed_at, verdict, archived_at, body_digest, rows_digest, is_pending, flow_changes_seen,
  policy_modes, due_at, report_every, when_silent, silent_since, silence_due_at) on environment to attestry_app;
grant update (environment_id) on environment_former_name to attestry_app;
grant update (name, environments, triggers, last_modified_at) on environment_notification to attestry_app;
grant update (last) on environment_notification_number to attestry_app;
grant update (last_index, to_at, verdict, non_compliant) on exposure to attestry_app;
grant update (name, description, visibility, template, template_id, tags, archived_at, last_modified_at,
  active_minute) on flow to attestry_app;
grant update (number) on fingerprint_change to attestry_app;
grant update (number) on flow_change to attestry_app;
grant update (number) on flow_change_counter to attestry_app;
grant update (flow_id) on flow_former_name to attestry_app;
grant update (token, content, outcome, ends_at, code, media_type, answer, entries) on idempotency to attestry_app;
grant update (rules) on identity_rule to attestry_app;
grant update (accepted_by, accepted_at, revoked_by, revoked_at) on invitation to attestry_app;
grant update (rows) on list_total to attestry_app;
grant update (retired_at) on log_key to attestry_app;
grant update (through, finished_at, findings) on log_scrub to attestry_app;
grant update (size, edge, horizon, done) on log_tree to attestry_app;
grant update (role, suspended_at, sessions_after) on membership to attestry_app;
grant update (failed_at, error) on notification_config to attestry_app;
grant update (position, target, context, disabled_at) on notification_target to attestry_app;
grant update (attempts, due_at, dead_at, error) on outbox to attestry_app;
grant update (rules) on placement_rule to attestry_app;
grant update (description, version, policy_yaml, reads, last_modified_at) on policy to attestry_app;
grant update (to_position, to_at) on policy_attachment to attestry_app;
grant update (number) on policy_change to attestry_app;
grant update (approvals, ended) on proposal to attestry_app;
grant update (protections) on protection to attestry_app;
grant update (name, url, description, namespace_path, additional_info, tags, latest_activity_at, last_modified_at) on
  repo to attestry_app;
grant update (external_id, user_name, user_folded, display_folded, emails, active, attributes, updated_at) on scim_user to
  attestry_app;
grant update (privilege, description) on service_account to attestry_app;
grant update (settings) on sign_in_setting to attestry_app;
grant update (secret, created_at, previous_secret, previous_signs_until) on signing_secret to attestry_app;
grant update (to_at) on silence to attestry_app;
grant update (last_index) on snapshot_row to attestry_app;
grant update (to_at) on space to attestry_app;
grant update (name, kind, description, group_name, external_id, deleted_at) on team to attestry_app;
grant update (to_at) on team_member to attestry_app;
grant update (to_at) on thing_place to attestry_app;
grant update (details, template, template_id, repo_ids, last_modified_at) on trail to attestry_app;
grant update (branch) on trail_commit to attestry_app;
grant update (template_id, evaluated_at, status, trail_status, record_statuses) on trail_evaluation to attestry_app;

-- The files of functions grant those that the application calls.
revoke execute on all functions in schema attestry from public;
revoke all on schema attestry from public;
grant update (approvals, rejected, revoked, activated_at, settled) on waiver to attestry_app;
grant update (max_days, approvals_required, approver_role, self_approval) on waiver_settings to attestry_app;
grant update (to_at) on waiver_use to attestry_app;
