/**
 * The application may update the columns that change, remove rows where removing is part of the domain, and
 * nothing else; no function is open to every role. DECISION B-171
 *
 * A later migration that adds a column which is updated grants it too (`grant update (column)`).
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** The columns of each table that statements of this package update, and no table as a whole. */
const updates = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`revoke update on allow_list, attestation_type, control, environment, environment_former_name,
      environment_notification, environment_notification_number, fingerprint_run, flow,
      flow_change, flow_clock, flow_former_name, kept_answer, membership, notification_config,
      notification_target, outbox, policy, repo, running_fingerprint, service_account,
      signing_secret, snapshot_row, trail, trail_commit, trail_evaluation
      from attestry_app`,
    sql`grant update (name, reason, created_by, created_at) on allow_list to attestry_app`,
    sql`grant update (description, archived, versions, last_modified_at) on attestation_type to
      attestry_app`,
    sql`grant update (name, description, links, tags, version, archived) on control to
      attestry_app`,
    sql`grant update (name, description, include_scaling, included, policies,
      require_provenance, tags, last_modified_at, last_reported_at, last_changed_at, verdict,
      archived_at, body_digest, rows_digest, flows_seen, is_pending) on environment to attestry_app`,
    sql`grant update (environment_id) on environment_former_name to attestry_app`,
    sql`grant update (exited_index) on fingerprint_run to attestry_app`,
    sql`grant update (reading) on flow_change, flow_clock to attestry_app`,
    sql`grant update (name, environments, triggers, last_modified_at) on
      environment_notification to attestry_app`,
    sql`grant update (last) on environment_notification_number to attestry_app`,
    sql`grant update (name, description, visibility, template, template_id, tags, archived_at,
      last_modified_at) on flow to attestry_app`,
    sql`grant update (flow_id) on flow_former_name to attestry_app`,
    sql`grant update (token, content, outcome, ends_at, code, media_type, answer) on kept_answer
      to attestry_app`,
    sql`grant update (role) on membership to attestry_app`,
    sql`grant update (failed_at, error) on notification_config to attestry_app`,
    sql`grant update (position, target, context, disabled_at) on notification_target to
      attestry_app`,
    sql`grant update (attempts, due_at, dead_at, error) on outbox to attestry_app`,
    sql`grant update (description, version, policy_yaml, reads, last_modified_at) on policy to
      attestry_app`,
    sql`grant update (name, url, description, namespace_path, additional_info, tags,
      latest_activity_at, last_modified_at) on repo to attestry_app`,
    sql`grant update (rows) on running_fingerprint to attestry_app`,
    sql`grant update (privilege, description) on service_account to attestry_app`,
    sql`grant update (secret, created_at, previous_secret, previous_signs_until) on
      signing_secret to attestry_app`,
    sql`grant update (last_index) on snapshot_row to attestry_app`,
    sql`grant update (details, template, template_id, repo_ids, last_modified_at) on trail to
      attestry_app`,
    sql`grant update (branch) on trail_commit to attestry_app`,
    sql`grant update (template_id, evaluated_at, status, trail_status, record_statuses) on
      trail_evaluation to attestry_app`
  ])

/** What the application may do with rows, by the least that its statements need. */
export const leastPrivilege = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* updates(sql)
  // Written by `outbox_settle` alone, which runs as the owner.
  yield* sql`revoke insert, update on api_key_notice from attestry_app`
  // WHY every function: one that forgets to close itself would be callable by any role of the cluster.
  yield* sql`revoke execute on all functions in schema attestry from public`
})
