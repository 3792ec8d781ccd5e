/**
 * Brings a database to the version that this program needs.
 *
 * One server migrates at a time: the others wait for an advisory lock and then find nothing to do. Each
 * migration is a transaction, so a server that is killed leaves the work undone, never half done (P-MIG).
 */
import { StoreError } from "@attestry/core/StoreError"
import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { identity } from "./migrations/0001_identity.js"
import { journal } from "./migrations/0002_journal.js"
import { evidence } from "./migrations/0003_evidence.js"
import { environment } from "./migrations/0004_environment.js"
import { session } from "./migrations/0010_session.js"
import { lockedTrail } from "./migrations/0020_locked_trail.js"
import { markRunning } from "./migrations/0021_mark_running.js"
import { snapshotAppend } from "./migrations/0030_snapshot_append.js"
import { lockEnvironment } from "./migrations/0031_lock_environment.js"
import { flowRecords } from "./migrations/0032_flow_records.js"
import { policy } from "./migrations/0040_policy.js"
import { control } from "./migrations/0045_control.js"
import { notification } from "./migrations/0050_notification.js"
import { keptAnswer } from "./migrations/0058_kept_answer.js"
import { flowClock } from "./migrations/0061_flow_clock.js"
import { snapshotHistory } from "./migrations/0062_snapshot_history.js"
import { keyLookups } from "./migrations/0063_key_lookups.js"
import { deployment } from "./migrations/0064_deployment.js"
import { leastPrivilege } from "./migrations/0066_least_privilege.js"
import { ownOrgFunctions } from "./migrations/0067_own_org_functions.js"
import { noStatistics } from "./migrations/0068_no_statistics.js"
import { idempotency } from "./migrations/0070_idempotency.js"
import { plainLocks } from "./migrations/0071_plain_locks.js"
import { deploymentRepo } from "./migrations/0072_deployment_repo.js"
import { build } from "./migrations/0073_build.js"
import { unnumberedRepo } from "./migrations/0076_unnumbered_repo.js"
import { kindAlias } from "./migrations/0077_kind_alias.js"
import { flowNotification } from "./migrations/0078_flow_notification.js"
import { snapshotVerdict } from "./migrations/0082_snapshot_verdict.js"
import { orgMember } from "./migrations/0085_org_member.js"
import { policyModes } from "./migrations/0086_policy_modes.js"
import { workloadIdentity } from "./migrations/0088_workload_identity.js"
import { log } from "./migrations/0090_log.js"
import { logEntries } from "./migrations/0091_log_entries.js"
import { logRecords } from "./migrations/0092_log_records.js"
import { erasure } from "./migrations/0093_erasure.js"
import { witness } from "./migrations/0094_witness.js"
import { exposure } from "./migrations/0095_exposure.js"
import { knowledge } from "./migrations/0096_knowledge.js"
import { exposureSubject } from "./migrations/0098_exposure_subject.js"
import { logStatus } from "./migrations/0099_log_status.js"
import { erasedCopies } from "./migrations/0100_erased_copies.js"
import { logLook } from "./migrations/0101_log_look.js"
import { environmentVersion } from "./migrations/0102_environment_version.js"
import { artifactTrait } from "./migrations/0103_artifact_trait.js"
import { listTotal } from "./migrations/0105_list_total.js"
import { erasedNames } from "./migrations/0106_erased_names.js"
import { recordUsers } from "./migrations/0108_record_users.js"
import { graph } from "./migrations/0109_graph.js"
import { flowActivity } from "./migrations/0112_flow_activity.js"
import { leafForm } from "./migrations/0113_leaf_form.js"
import { markOrder } from "./migrations/0114_mark_order.js"
import { fewerTriggerSteps } from "./migrations/0115_fewer_trigger_steps.js"
import { logicalNumber } from "./migrations/0118_logical_number.js"
import { erasedRows } from "./migrations/0119_erased_rows.js"
import { environmentTotal } from "./migrations/0120_environment_total.js"
import { recordColumns } from "./migrations/0121_record_columns.js"
import { pastName } from "./migrations/0125_past_name.js"
import { erasedFiles } from "./migrations/0126_erased_files.js"
import { targetError } from "./migrations/0137_target_error.js"
import { APPLICATION_ROLE, SCHEMA } from "./migrations/internal/TenantTable.js"

/** Every migration, in order; one that has been released is never edited. */
export const migrations = {
  "0001_identity": identity,
  "0002_journal": journal,
  "0003_evidence": evidence,
  "0004_environment": environment,
  "0010_session": session,
  "0020_locked_trail": lockedTrail,
  "0021_mark_running": markRunning,
  "0030_snapshot_append": snapshotAppend,
  "0031_lock_environment": lockEnvironment,
  "0032_flow_records": flowRecords,
  "0040_policy": policy,
  "0045_control": control,
  "0050_notification": notification,
  "0058_kept_answer": keptAnswer,
  "0061_flow_clock": flowClock,
  "0062_snapshot_history": snapshotHistory,
  "0063_key_lookups": keyLookups,
  "0064_deployment": deployment,
  "0066_least_privilege": leastPrivilege,
  "0067_own_org_functions": ownOrgFunctions,
  "0068_no_statistics": noStatistics,
  "0070_idempotency": idempotency,
  "0071_plain_locks": plainLocks,
  "0072_deployment_repo": deploymentRepo,
  "0073_build": build,
  "0076_unnumbered_repo": unnumberedRepo,
  "0077_kind_alias": kindAlias,
  "0078_flow_notification": flowNotification,
  "0082_snapshot_verdict": snapshotVerdict,
  "0085_org_member": orgMember,
  "0086_policy_modes": policyModes,
  "0088_workload_identity": workloadIdentity,
  "0090_log": log,
  "0091_log_entries": logEntries,
  "0092_log_records": logRecords,
  "0093_erasure": erasure,
  "0094_witness": witness,
  "0095_exposure": exposure,
  "0096_knowledge": knowledge,
  "0098_exposure_subject": exposureSubject,
  "0099_log_status": logStatus,
  "0100_erased_copies": erasedCopies,
  "0101_log_look": logLook,
  "0102_environment_version": environmentVersion,
  "0103_artifact_trait": artifactTrait,
  "0105_list_total": listTotal,
  "0106_erased_names": erasedNames,
  "0108_record_users": recordUsers,
  "0109_graph": graph,
  "0112_flow_activity": flowActivity,
  "0113_leaf_form": leafForm,
  "0114_mark_order": markOrder,
  "0115_fewer_trigger_steps": fewerTriggerSteps,
  "0118_logical_number": logicalNumber,
  "0119_erased_rows": erasedRows,
  "0120_environment_total": environmentTotal,
  "0121_record_columns": recordColumns,
  "0125_past_name": pastName,
  "0126_erased_files": erasedFiles,
  "0137_target_error": targetError
}

/** The table of the migrations that have run. */
export const TABLE = "attestry_migrations"

/** The number of the last migration. */
export const latest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

/** A number that no other program locks: the letters of the name. */
const LOCK = 0x61747374

/**
 * A role and a schema can be there already: made by another database of the cluster, or earlier. An owner
 * that may neither make nor grant roles needs both to exist already.
 */
const prepare = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`do $$ begin
      if not exists (select from pg_roles where rolname = '${sql.literal(APPLICATION_ROLE)}') then
        create role ${sql.literal(APPLICATION_ROLE)} nologin nosuperuser nobypassrls;
      end if;
    exception when duplicate_object or unique_violation then null; end $$`,
    sql`do $$ begin
      grant ${sql.literal(APPLICATION_ROLE)} to current_user;
    exception when insufficient_privilege then null; end $$`,
    sql`create schema if not exists ${sql(SCHEMA)}`,
    sql`grant usage on schema ${sql(SCHEMA)} to ${sql(APPLICATION_ROLE)}`
  ])

/**
 * Whether nothing is left to do: the last migration has run, and the application role can be used.
 *
 * WHY first: a role that may not migrate can start on a database that is migrated already. DECISION B-129
 */
const isDone = (sql: SqlClient.SqlClient): Effect.Effect<boolean> =>
  sql<{ readonly migration: number }>`select coalesce(max(migration_id), 0)::int4 as migration
    from ${sql(TABLE)} where has_table_privilege(${APPLICATION_ROLE}, ${TABLE}, 'select')
      and pg_has_role(${APPLICATION_ROLE}, 'member')`.pipe(
    Effect.map(([found]) => found !== undefined && found.migration >= latest),
    // WHY: without the table every migration is left.
    Effect.orElseSucceed(() => false)
  )

/** The number of the last migration that has run; 0 on a new database. */
const lastRun = (sql: SqlClient.SqlClient): Effect.Effect<number> =>
  sql<{ readonly migration: number }>`select coalesce(max(migration_id), 0)::int4 as migration
    from ${sql(TABLE)}`.pipe(
    Effect.map(([found]) => found?.migration ?? 0),
    // WHY: without the table none has run.
    Effect.orElseSucceed(() => 0)
  )

/**
 * What is given to the migrator, one after the other: it runs everything that it is given in one transaction.
 *
 * WHY one at a time where others may write: a migration that waits for what they hold must not hold what they wait
 * for, and the locks of a migration last as long as its transaction. DECISION B-319
 */
const stepsAfter = (last: number) => {
  const all = Object.entries(migrations)
  if (last === 0) return [migrations]
  return all.flatMap(([name], at) =>
    Number.parseInt(name, 10) > last ? [Object.fromEntries(all.slice(0, at + 1))] : []
  )
}

/** Runs what has not run yet; the client must be the owner and have the schema in its search path. */
export const run: Effect.Effect<void, StoreError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (yield* isDone(sql)) return
  const lock = yield* sql.reserve
  yield* Effect.acquireRelease(lock.executeRaw(`select pg_advisory_lock(${LOCK})`, []), () =>
    Effect.ignore(lock.executeRaw(`select pg_advisory_unlock(${LOCK})`, []))
  )
  yield* prepare(sql)
  for (const known of stepsAfter(yield* lastRun(sql)))
    yield* Migrator.make({})({ loader: Migrator.fromRecord(known), table: TABLE })
  yield* sql`grant select on ${sql(TABLE)} to ${sql(APPLICATION_ROLE)}`
}).pipe(
  Effect.scoped,
  // WHY: the migrator reports a failed migration as a defect; here it is a failure of the store.
  Effect.catchAllCause(
    (cause) => new StoreError({ operation: "migrate", cause: Cause.squash(cause) })
  )
)
