/**
 * The application may update the columns that change, remove rows where removing is part of the domain, and
 * nothing else; no function is open to every role. DECISION B-171
 *
 * Whoever adds a column that is updated grants it in the migration that adds it (`grant update (column)`).
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { APPLICATION_ROLE, SCHEMA } from "./TenantTable.js"

/** The columns of each table that statements of this package update. */
const UPDATED: ReadonlyArray<readonly [table: string, columns: string]> = [
  ["allow_list", "name, reason, created_by, created_at"],
  ["attestation_type", "description, archived, versions, last_modified_at"],
  ["control", "name, description, links, tags, version, archived"],
  [
    "environment",
    `name, description, include_scaling, included, policies, require_provenance, tags,
      last_modified_at, last_reported_at, last_changed_at, verdict, archived_at, body_digest,
      rows_digest, is_pending`
  ],
  ["environment_former_name", "environment_id"],
  ["environment_notification", "name, environments, triggers, last_modified_at"],
  ["environment_notification_number", "last"],
  [
    "flow",
    `name, description, visibility, template, template_id, tags, archived_at, last_modified_at`
  ],
  ["flow_former_name", "flow_id"],
  ["kept_answer", "token, content, outcome, ends_at, code, media_type, answer"],
  ["membership", "role"],
  ["notification_config", "failed_at, error"],
  ["notification_target", "position, target, context, disabled_at"],
  ["outbox", "attempts, due_at, dead_at, error"],
  ["policy", "description, version, policy_yaml, reads, last_modified_at"],
  [
    "repo",
    `name, url, description, namespace_path, additional_info, tags, latest_activity_at,
      last_modified_at`
  ],
  ["running_fingerprint", "rows"],
  ["service_account", "privilege, description"],
  ["signing_secret", "secret, created_at, previous_secret, previous_signs_until"],
  ["snapshot_row", "last_index"],
  ["trail", "details, template, template_id, repo_ids, last_modified_at"],
  ["trail_commit", "branch"],
  ["trail_evaluation", "template_id, evaluated_at, status, trail_status, record_statuses"]
]

/** What the application may do with rows, by the least that its statements need. */
export const leastPrivilege = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const role = sql(APPLICATION_ROLE)
  yield* Effect.forEach(
    UPDATED,
    ([table, columns]) =>
      Effect.zipRight(
        sql`revoke update on ${sql(table)} from ${role}`,
        sql`grant update (${sql.literal(columns)}) on ${sql(table)} to ${role}`
      ),
    { discard: true }
  )
  // Written by `outbox_settle` alone, which runs as the owner.
  yield* sql`revoke insert, update on api_key_notice from ${role}`
  // WHY every function: one that forgets to close itself would be callable by any role of the cluster.
  yield* sql`revoke execute on all functions in schema ${sql(SCHEMA)} from public`
})
