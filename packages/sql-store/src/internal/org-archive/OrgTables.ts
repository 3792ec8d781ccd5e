/**
 * What an archive of an org has of each table. A test compares the names with the schema, so that no table is
 * forgotten.
 */

/**
 * How a table is archived:
 *
 * - `kept`: rows are added and changed, and never taken away. A later export reads those that changed.
 * - `whole`: rows are also taken away. A later export reads all rows, if there is a difference.
 * - `secret`: as `whole`; left out of archives without secrets.
 * - `file`: contents of files, each of which is a file of the archive.
 * - `shared`: rows of all orgs, of which the archive has those that the org needs.
 * - `left`: stays behind.
 */
export type TableRule = "kept" | "whole" | "secret" | "file" | "shared" | "left"

/** Tables whose rows are never taken away. */
const KEPT = [
  "access_grant",
  "agent_accounts",
  "allow_list_period",
  "approval",
  "artifact",
  "attestation",
  "attestation_fold",
  "attestation_type",
  "break_glass",
  "build",
  "component",
  "component_listing",
  "component_set",
  "component_use",
  "control",
  "control_version",
  "environment",
  "environment_evaluation",
  "environment_notification_number",
  "environment_version",
  "evidence_document",
  "evidence_link",
  "evidence_subject",
  "exposure",
  "fingerprint_change",
  "flow",
  "flow_change",
  "flow_change_counter",
  "flow_version",
  "invitation",
  "journal",
  "list_total",
  "log_key",
  "log_late",
  "log_leaf",
  "log_node",
  "log_scrub",
  "log_tree",
  "membership_event",
  "notification_config",
  "placement_rule",
  "policy",
  "policy_attachment",
  "policy_version",
  "proposal",
  "protection",
  "repo",
  "repo_flow",
  "sign_in_setting",
  "silence",
  "snapshot_decisions",
  "snapshot_event",
  "snapshot_policies",
  "snapshot_row",
  "snapshot_start",
  "space",
  "team",
  "team_member",
  "template_version",
  "thing_place",
  "trail",
  "trail_commit",
  "trail_evaluation",
  "trail_event",
  "trust_policy_version",
  "vex_statement",
  "vulnerable_component",
  "waiver",
  "waiver_settings",
  "waiver_use"
] as const

/** Tables whose rows are also taken away, or have no key. */
const WHOLE = [
  "allow_list",
  "artifact_trait",
  "attachment",
  "decay_notice",
  "deployment",
  "deployment_flow",
  "deployment_repo",
  "environment_former_name",
  "environment_notification",
  "expiry_notice",
  "flow_former_name",
  "flow_unsettled",
  "idempotency",
  "identity_rule",
  "identity_token_use",
  "log_checkpoint",
  "log_cosignature",
  "membership",
  "policy_change",
  "scim_user",
  "service_account",
  "snapshot",
  "snapshot_flows",
  "snapshot_part"
] as const

/** Addresses of targets and secrets of webhooks. */
const SECRET = ["notification_target", "outbox", "signing_secret"] as const

const FILE = ["attachment_chunk"] as const

const SHARED = [
  "api_key",
  "app_user",
  "oidc_issuer",
  "oidc_issuer_use",
  "org",
  "public_log",
  "user_identity"
] as const

/** People sign in again; leases, attempts and the keys of issuers are of a deployment. */
const LEFT = [
  "attestry_migrations",
  "background_lease",
  "denied_attempt",
  "server_process",
  "session",
  "sign_in",
  "witness_log"
] as const

const ruled = (rule: TableRule, tables: ReadonlyArray<string>) =>
  tables.map((table) => [table, rule] as const)

/** The rule of each table. */
export const RULES: ReadonlyMap<string, TableRule> = new Map([
  ...ruled("kept", KEPT),
  ...ruled("whole", WHOLE),
  ...ruled("secret", SECRET),
  ...ruled("file", FILE),
  ...ruled("shared", SHARED),
  ...ruled("left", LEFT)
])

/** Whether an archive has the rows of a table. */
export const isArchived = (
  table: string,
  { hasSecrets }: { readonly hasSecrets: boolean }
): boolean => {
  const rule = RULES.get(table)
  return rule === "secret" ? hasSecrets : rule !== undefined && rule !== "left" && rule !== "file"
}

/** A person of the org: a member, or one who was or was named by the org's own tables. */
const PEOPLE = `(select user_id from membership where org_id = $ORG
  union select user_id from membership_event where org_id = $ORG
  union select user_id from team_member where org_id = $ORG
  union select user_id from scim_user where org_id = $ORG)`

/**
 * People who have a role in no other org. WHY: a key in two databases would be revoked in one.
 */
const OWN_PEOPLE = `${PEOPLE} and not exists (select from user_orgs(user_id) o where o.org_id <> $ORG)`

const OF_SHARED: Readonly<Record<(typeof SHARED)[number], string>> = {
  org: "org_id = $ORG",
  public_log: "org_id = $ORG",
  oidc_issuer_use: "org_id = $ORG",
  oidc_issuer: "issuer in (select u.issuer from oidc_issuer_use u where u.org_id = $ORG)",
  app_user: `user_id in ${PEOPLE}`,
  user_identity: `user_id in ${PEOPLE}`,
  api_key: `account_org_id = $ORG or user_id in ${OWN_PEOPLE}`
}

const isShared = (table: string): table is (typeof SHARED)[number] => table in OF_SHARED

/** The condition that selects the rows of an org; `$ORG` stands for its quoted id. */
export const conditionOf = (table: string): string =>
  isShared(table) ? OF_SHARED[table] : "org_id = $ORG"
