/** How the rows of tables are shown to verification: by their keys, and by the names of the domain. */
import type { DerivedKind, RecordKind } from "@attestry/core/AuditStore"

/** How verification sees the rows of a table. */
export interface Shape {
  /** The table of the kind; the name of the kind without it. */
  readonly table?: string
  /** What the rows come from, as `t`; the table of the name without it. */
  readonly from?: string
  /** The expression of the key within the org. */
  readonly key: string
  /** Columns with another name in the domain. */
  readonly renamed?: { readonly [column: string]: string }
  /** Columns of the store's own: places, and values derived for speed. */
  readonly own?: ReadonlyArray<string>
  /** The visible columns, if most are not. */
  readonly only?: ReadonlyArray<string>
  /** Columns with an expression. */
  readonly computed?: { readonly [column: string]: string }
  /** A column whose members are columns of the domain. */
  readonly spread?: string
  /** Whether a column is `json`, whose text `jsonb` may refuse; each column is then read on its own. */
  readonly hasText?: boolean
}

/** How the rows of each table are shown. */
export const SHAPES: { readonly [name in RecordKind | DerivedKind]: Shape } = {
  allow_list_entry: { table: "allow_list", key: "t.environment_id || ' ' || t.fingerprint" },
  api_key: { from: "record_api_keys()", key: "t.id" },
  user: { table: "app_user", from: "record_users()", key: "t.id" },
  agent_accounts: { key: "t.org_id" },
  approval: { key: "t.flow_id || ' ' || t.number", renamed: { approval_id: "id" } },
  artifact: { key: "t.artifact_id", renamed: { artifact_id: "id" } },
  attestation: {
    key: "t.attestation_id",
    renamed: {
      attestation_id: "id",
      is_compliant: "isCompliant",
      is_override: "isOverride",
      git_commit: "commit"
    }
  },
  attestation_type: { key: "t.name", hasText: true },
  break_glass: { key: "t.number::text", own: ["notified_at"] },
  control: { key: "t.identifier" },
  control_version: {
    key: "t.identifier || ' ' || t.version",
    renamed: { created_by: "user", created_at: "timestamp" }
  },
  environment: {
    key: "t.environment_id",
    renamed: { environment_id: "id" },
    own: [
      "body_digest",
      "rows_digest",
      "is_pending",
      "flow_changes_seen",
      "due_at",
      "silence_due_at"
    ],
    computed: { policy_modes: "nullif(t.policy_modes, '{}'::jsonb)" }
  },
  environment_former_name: { key: "t.name" },
  environment_notification: { key: "t.number::text", renamed: { team_id: "team" } },
  last_notification_number: { table: "environment_notification_number", key: "t.org_id" },
  evidence_document: { key: "t.digest || ' ' || t.position" },
  evidence_link: { key: "t.digest || ' ' || t.position || ' ' || t.attestation_id" },
  evidence_subject: {
    key: "t.fingerprint || ' ' || t.digest || ' ' || t.position || ' ' || t.name"
  },
  exposure: {
    key: "t.environment_id || ' ' || t.fingerprint || ' ' || t.first_index || ' ' || t.name",
    own: ["org_id"]
  },
  flow: { key: "t.flow_id", renamed: { flow_id: "id" }, own: ["active_minute"] },
  flow_former_name: { key: "t.name" },
  grant: {
    table: "access_grant",
    key: "t.number::text",
    own: ["subject_kind", "subject_id"],
    computed: { subject: "jsonb_build_object('kind', t.subject_kind, 'id', t.subject_id)" }
  },
  invitation: { key: "t.invitation_id", renamed: { invitation_id: "id" } },
  identity_rule: { key: "t.service_account_id" },
  membership: { key: "t.user_id" },
  membership_event: {
    key: "t.event_id",
    renamed: { event_id: "id", user_name: "user" },
    own: ["user_folded", "changed_by_folded"]
  },
  notification_config: { key: "t.notification_type" },
  notification_target: { key: "t.target_id", renamed: { target_id: "id" } },
  org: { from: "record_org()", key: "t.id" },
  placement_rule: { key: "t.org_id" },
  policy: { key: "t.policy_id", renamed: { policy_id: "id" } },
  policy_version: { key: "t.policy_id || ' ' || t.version", hasText: true },
  proposal: { key: "t.number::text" },
  protection: { key: "t.org_id" },
  repo: { key: "t.internal_id", renamed: { internal_id: "id" }, own: ["vcs_instance"] },
  service_account: { key: "t.service_account_id", renamed: { service_account_id: "id" } },
  sign_in_setting: { key: "t.org_id" },
  silence: { key: "t.environment_id || ' ' || t.from_at" },
  snapshot: {
    key: "t.environment_id || ' ' || t.index",
    only: ["events_total", "semantics", "is_decay"]
  },
  snapshot_start: {
    key: `t.environment_id || ' ' || t.flow_id || ' ' || t.slot || ' ' || t.index || ' ' || t.name
      || ' ' || t.fingerprint`,
    only: ["view"]
  },
  space: { key: "t.space_id || ' ' || t.from_at", renamed: { space_id: "id" } },
  team: { key: "t.team_id", renamed: { team_id: "id" } },
  team_member: { key: "t.team_id || ' ' || t.user_id || ' ' || t.from_at" },
  template_version: { key: "t.template_id", renamed: { template_id: "id" } },
  thing_place: { key: "t.kind || ' ' || t.thing_id || ' ' || t.from_at" },
  trail: { key: "t.trail_id", renamed: { trail_id: "id" }, own: ["ordinal"], spread: "details" },
  commit_link: {
    table: "trail_commit",
    key: "t.sha || ' ' || t.trail_id",
    computed: {
      ordinal: `(select p.ordinal = t.ordinal from trail p
        where p.org_id = t.org_id and p.trail_id = t.trail_id)`
    }
  },
  trail_evaluation: {
    key: "t.trail_id",
    only: ["trail_status", "record_statuses"],
    hasText: true
  },
  trust_policy_version: { key: "t.version::text" },
  vex_statement: { key: "t.digest || ' ' || t.position || ' ' || t.ordinal" },
  waiver: { key: "t.number::text" },
  waiver_settings: { key: "t.org_id" }
}

const TABLES = new Map(Object.entries(SHAPES).map(([kind, { table }]) => [kind, table ?? kind]))

/** The table of a kind of records; a name that is no kind stays. */
export const tableOf = (kind: string): string => TABLES.get(kind) ?? kind

/** The members of a column; one that was changed to no object is shown as it is. */
const membersOf = (column: string): string =>
  `case jsonb_typeof(t.${column}) when 'object' then t.${column}
    else jsonb_build_object('${column}', t.${column}) end`

/** The row with the names of the domain. */
export const columnsOf = ({
  renamed = {},
  own = [],
  computed = {},
  only,
  spread,
  hasText = false
}: Shape): string => {
  if (only !== undefined && hasText) {
    const members = only.map((column) => `'${column}', x.shown -> '${column}'`).join(", ")
    return `(select jsonb_build_object(${members}) from (select record_columns(t) as shown) x)`
  }
  if (only !== undefined) {
    return `jsonb_build_object(${only.map((column) => `'${column}', t.${column}`).join(", ")})`
  }
  const gone = [...Object.keys(renamed), ...own, ...(spread === undefined ? [] : [spread])]
  const without = gone.map((column) => ` - '${column}'`).join("")
  const named = [
    ...Object.entries(renamed).map(([column, name]) => `'${name}', t.${column}`),
    ...Object.entries(computed).map(([column, expression]) => `'${column}', ${expression}`)
  ]
  return [
    `${hasText ? "record_columns(t)" : "to_jsonb(t)"}${without}`,
    ...(named.length === 0 ? [] : [`jsonb_build_object(${named.join(", ")})`]),
    ...(spread === undefined ? [] : [membersOf(spread)])
  ].join(" || ")
}
