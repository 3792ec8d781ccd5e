/** What the application role may do with each table, column, function and sequence: this much and no more. */
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Predicate } from "effect"
import { APPLICATION_ROLE } from "../src/schema/internal/SchemaNames.js"
import * as PgLayer from "./shared/PgLayer.js"

const ENVIRONMENT_COLUMNS = [
  "archived_at",
  "body_digest",
  "description",
  "due_at",
  "flow_changes_seen",
  "include_scaling",
  "included",
  "is_pending",
  "last_changed_at",
  "last_modified_at",
  "last_reported_at",
  "name",
  "policies",
  "policy_modes",
  "report_every",
  "require_provenance",
  "rows_digest",
  "silence_due_at",
  "silent_since",
  "tags",
  "verdict",
  "when_silent"
]

/** The columns of each table that are ever updated, and whether rows are ever removed. */
const CHANGED: Record<string, { readonly columns: ReadonlyArray<string>; readonly rows: boolean }> =
  {
    access_grant: { columns: ["to_at"], rows: false },
    break_glass: { columns: ["closed_at", "closed_by", "notified_at", "reviewed"], rows: false },
    allow_list_period: { columns: ["to_at", "to_position"], rows: false },
    policy_attachment: { columns: ["to_at", "to_position"], rows: false },
    policy_change: { columns: ["number"], rows: true },
    allow_list: {
      columns: ["created_at", "created_by", "expires_at", "name", "owner", "reason"],
      rows: true
    },
    attestation_fold: { columns: ["upto"], rows: false },
    attestation_type: {
      columns: ["archived", "description", "last_modified_at", "versions"],
      rows: false
    },
    control: {
      columns: ["archived", "description", "links", "name", "tags", "version"],
      rows: false
    },
    decay_notice: { columns: [], rows: true },
    environment: { columns: ENVIRONMENT_COLUMNS, rows: false },
    environment_former_name: { columns: ["environment_id"], rows: true },
    environment_notification: {
      columns: ["environments", "last_modified_at", "name", "triggers"],
      rows: true
    },
    environment_notification_number: { columns: ["last"], rows: false },
    silence: { columns: ["to_at"], rows: false },
    exposure: { columns: ["last_index", "non_compliant", "to_at", "verdict"], rows: false },
    fingerprint_change: { columns: ["number"], rows: false },
    flow_change: { columns: ["number"], rows: false },
    flow_change_counter: { columns: ["number"], rows: false },
    flow: {
      columns: [
        "active_minute",
        "archived_at",
        "description",
        "last_modified_at",
        "name",
        "tags",
        "template",
        "template_id",
        "visibility"
      ],
      rows: false
    },
    flow_former_name: { columns: ["flow_id"], rows: true },
    flow_unsettled: { columns: [], rows: true },
    idempotency: {
      columns: [
        "answer",
        "code",
        "content",
        "ends_at",
        "entries",
        "media_type",
        "outcome",
        "token"
      ],
      rows: true
    },
    identity_rule: { columns: ["rules"], rows: true },
    identity_token_use: { columns: [], rows: true },
    invitation: {
      columns: ["accepted_at", "accepted_by", "revoked_at", "revoked_by"],
      rows: false
    },
    list_total: { columns: ["rows"], rows: false },
    log_key: { columns: ["retired_at"], rows: false },
    log_scrub: { columns: ["findings", "finished_at", "through"], rows: false },
    log_tree: { columns: ["done", "edge", "horizon", "size"], rows: false },
    membership: { columns: ["role", "sessions_after", "suspended_at"], rows: true },
    notification_config: { columns: ["error", "failed_at"], rows: false },
    notification_target: { columns: ["context", "disabled_at", "position", "target"], rows: true },
    outbox: { columns: ["attempts", "dead_at", "due_at", "error"], rows: true },
    placement_rule: { columns: ["rules"], rows: false },
    policy: {
      columns: ["description", "last_modified_at", "policy_yaml", "reads", "version"],
      rows: false
    },
    proposal: { columns: ["approvals", "ended"], rows: false },
    protection: { columns: ["protections"], rows: false },
    repo: {
      columns: [
        "additional_info",
        "description",
        "last_modified_at",
        "latest_activity_at",
        "name",
        "namespace_path",
        "tags",
        "url"
      ],
      rows: false
    },
    scim_user: {
      columns: [
        "active",
        "attributes",
        "display_folded",
        "emails",
        "external_id",
        "updated_at",
        "user_folded",
        "user_name"
      ],
      rows: true
    },
    service_account: { columns: ["description", "privilege"], rows: true },
    snapshot_part: { columns: [], rows: true },
    sign_in_setting: { columns: ["settings"], rows: false },
    signing_secret: {
      columns: ["created_at", "previous_secret", "previous_signs_until", "secret"],
      rows: false
    },
    snapshot_row: { columns: ["last_index"], rows: false },
    space: { columns: ["to_at"], rows: false },
    team: {
      columns: ["deleted_at", "description", "external_id", "group_name", "kind", "name"],
      rows: false
    },
    team_member: { columns: ["to_at"], rows: false },
    thing_place: { columns: ["to_at"], rows: false },
    trail: {
      columns: ["details", "last_modified_at", "repo_ids", "template", "template_id"],
      rows: false
    },
    trail_commit: { columns: ["branch"], rows: false },
    trail_evaluation: {
      columns: ["evaluated_at", "record_statuses", "status", "template_id", "trail_status"],
      rows: false
    },
    waiver: {
      columns: ["activated_at", "approvals", "rejected", "revoked", "settled"],
      rows: false
    },
    waiver_settings: {
      columns: ["approvals_required", "approver_role", "max_days", "self_approval"],
      rows: false
    },
    agent_accounts: { columns: ["accounts"], rows: false },
    waiver_use: { columns: ["to_at"], rows: false }
  }

/** Tables that are added to and read, and never changed. */
const APPEND_ONLY = [
  "approval",
  "artifact",
  "attachment",
  "attachment_chunk",
  "attestation",
  "component",
  "component_listing",
  "component_set",
  "component_use",
  "control_version",
  "build",
  "deployment",
  "deployment_flow",
  "deployment_repo",
  "repo_flow",
  "evidence_document",
  "evidence_link",
  "evidence_subject",
  "log_checkpoint",
  "log_cosignature",
  "log_late",
  "log_leaf",
  "log_node",
  "artifact_trait",
  "environment_version",
  "flow_version",
  "environment_evaluation",
  "trail_event",
  "journal",
  "membership_event",
  "policy_version",
  "snapshot",
  "snapshot_decisions",
  "snapshot_event",
  "snapshot_flows",
  "snapshot_policies",
  "snapshot_start",
  "template_version",
  "trust_policy_version",
  "vex_statement",
  "vulnerable_component"
]

/** Tables that functions of the owner write; the application reads the rows of its org. */
const READ_ONLY = ["attestry_migrations", "expiry_notice"]

/** Views of what runs. */
const VIEWS = ["environment_behind", "fingerprint_run", "running_fingerprint"]

/** Tables that functions of the owner alone reach. */
const CLOSED = [
  "api_key",
  "app_user",
  "background_lease",
  "denied_attempt",
  "oidc_issuer",
  "oidc_issuer_use",
  "org",
  "public_log",
  "server_process",
  "session",
  "sign_in",
  "user_identity",
  "witness_log"
]

const SEQUENCES = [
  "component_sequence",
  "component_set_sequence",
  "journal_sequence",
  "commit_position_sequence",
  "outbox_sequence",
  "snapshot_row_sequence"
]

const FORBIDDEN = "42501"

const lines = (rows: ReadonlyArray<PgLayer.Row>) => rows.map(({ line }) => String(line))

const codeOf = (error: unknown): unknown =>
  Predicate.isRecord(error) && Predicate.isRecord(error.cause) ? error.cause.code : error

/** Tries a statement as the application, in a transaction of an org, and undoes it. */
const attempt = (statement: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { run } = yield* Transaction
    const org = yield* Fixture.org
    const work = run(org.id, () =>
      Effect.zipRight(sql`${sql.literal(statement)}`, Effect.fail("allowed" as const))
    )
    return codeOf(yield* Effect.flip(work))
  })

const tables = Object.keys(CHANGED)

layer(PgLayer.layer, { excludeTestServices: true })("grants", (it) => {
  it.effect("give the application these privileges on tables", () =>
    Effect.gen(function* () {
      const { query } = yield* PgLayer.TestDatabase
      const found = yield* query(
        `select format('%s %s', c.relname, coalesce(string_agg(lower(p.privilege_type), ' '
            order by p.privilege_type), '-')) as line
          from pg_class c
          left join lateral (select a.privilege_type from aclexplode(c.relacl) a
            where a.grantee = $1::regrole) p on true
          where c.relnamespace = 'attestry'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
          group by c.relname`,
        [APPLICATION_ROLE]
      )
      const expected = [
        ...tables.map(
          (table) => `${table} ${CHANGED[table]?.rows === true ? "delete " : ""}insert select`
        ),
        ...APPEND_ONLY.map((table) => `${table} insert select`),
        ...[...READ_ONLY, ...VIEWS].map((table) => `${table} select`),
        ...CLOSED.map((table) => `${table} -`)
      ]
      assert.deepStrictEqual(lines(found).sort(), expected.sort())
    })
  )

  it.effect("let it update these columns", () =>
    Effect.gen(function* () {
      const { query } = yield* PgLayer.TestDatabase
      const found = yield* query(
        `select format('%s %s %s', c.relname, lower(p.privilege_type),
            string_agg(a.attname, ' ' order by a.attname)) as line
          from pg_class c join pg_attribute a on a.attrelid = c.oid
          cross join lateral aclexplode(a.attacl) p
          where c.relnamespace = 'attestry'::regnamespace and p.grantee = $1::regrole
          group by c.relname, p.privilege_type order by 1`,
        [APPLICATION_ROLE]
      )
      const expected = Object.entries(CHANGED)
        .filter(([, { columns }]) => columns.length > 0)
        .map(([table, { columns }]) => `${table} update ${columns.join(" ")}`)
      assert.deepStrictEqual(lines(found), expected.sort())
    })
  )

  it.effect("let it call every function and use every sequence, and give nothing to others", () =>
    Effect.gen(function* () {
      const { query } = yield* PgLayer.TestDatabase
      const grantees = (rows: ReadonlyArray<PgLayer.Row>) => new Set(lines(rows))
      const others = yield* query(
        `select distinct format('%s to %s', o.name, case p.grantee when 0 then 'public'
            else p.grantee::regrole::text end) as line
          from (
            select p.oid::regprocedure::text as name, p.proowner as owner,
                coalesce(p.proacl, acldefault('f', p.proowner)) as acl
              from pg_proc p where p.pronamespace = 'attestry'::regnamespace
            union all select c.relname, c.relowner, c.relacl from pg_class c
              where c.relnamespace = 'attestry'::regnamespace and c.relkind in ('r', 'S', 'v')
            union all select nspname, nspowner, nspacl from pg_namespace where nspname = 'attestry'
          ) o cross join lateral aclexplode(o.acl) p
          where p.grantee not in (o.owner, $1::regrole)`,
        [APPLICATION_ROLE]
      )
      assert.deepStrictEqual(lines(others), [])
      const uncallable = yield* query(
        `select oid::regprocedure::text as line from pg_proc
          where pronamespace = 'attestry'::regnamespace and prorettype <> 'trigger'::regtype
            and not has_function_privilege($1, oid, 'execute')`,
        [APPLICATION_ROLE]
      )
      assert.deepStrictEqual(lines(uncallable), [])
      const usable = yield* query(
        `select c.relname || ' ' || lower(p.privilege_type) as line
          from pg_class c cross join lateral aclexplode(c.relacl) p
          where c.relnamespace = 'attestry'::regnamespace and c.relkind = 'S'
            and p.grantee = $1::regrole`,
        [APPLICATION_ROLE]
      )
      assert.deepStrictEqual(grantees(usable), new Set(SEQUENCES.map((name) => `${name} usage`)))
    })
  )

  it.effect("refuse each update of a column that never changes, and each removal of a record", () =>
    Effect.gen(function* () {
      const { query } = yield* PgLayer.TestDatabase
      const columns = yield* query(
        `select c.relname as name, a.attname as column from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          where c.relnamespace = 'attestry'::regnamespace and c.relkind = 'r' order by 1, 2`
      )
      const outcomes = yield* Effect.forEach(columns, ({ name, column }) =>
        Effect.map(attempt(`update ${name} set "${column}" = default`), (outcome) => ({
          name: `${name}.${column}`,
          outcome
        }))
      )
      const expected = columns.map(({ name, column }) => ({
        name: `${name}.${column}`,
        outcome: CHANGED[String(name)]?.columns.includes(String(column)) ? "allowed" : FORBIDDEN
      }))
      assert.deepStrictEqual(outcomes, expected)
      const all = [...new Set(columns.map(({ name }) => String(name)))]
      for (const table of all) {
        const expected = CHANGED[table]?.rows === true ? "allowed" : FORBIDDEN
        assert.deepStrictEqual([table, yield* attempt(`delete from ${table}`)], [table, expected])
        assert.strictEqual(yield* attempt(`truncate ${table}`), FORBIDDEN)
      }
    })
  )
})
