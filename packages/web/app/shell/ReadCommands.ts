/**
 * Generated from the nouns of the command line (`scripts/checks/readCommands.test.ts`): the commands that read what
 * pages read.
 */

/** A command, and the request that it sends. */
export interface ReadCommand {
  readonly words: string
  readonly path: string
  /** Positionals, as templates of parameters of the path. */
  readonly positionals: ReadonlyArray<string>
  /** Flags by the parameters of the path and of the query that they fill. */
  readonly flags: { readonly [parameter: string]: string }
  /** The default direction, which `--reverse` turns. */
  readonly direction?: string
}

/** The commands. */
export const READ_COMMANDS: ReadonlyArray<ReadCommand> = [
  { words: "list own-keys", path: "/user/api-keys", positionals: [], flags: {} },
  {
    words: "list system-types",
    path: "/attestations/system-attestation-types",
    positionals: [],
    flags: {}
  },
  { words: "get default-org", path: "/user/default-org", positionals: [], flags: {} },
  { words: "get meta", path: "/meta", positionals: [], flags: {} },
  {
    words: "list flows",
    path: "/flows/{org}",
    positionals: [],
    flags: { search_by_name: "name", tag: "tag", sort: "sort", per_page: "limit" },
    direction: "asc"
  },
  {
    words: "list trails",
    path: "/trails/{org}",
    positionals: [],
    flags: { flow: "flow", fingerprint: "fingerprint", flow_tag: "flow-tag", per_page: "limit" }
  },
  {
    words: "list artifacts",
    path: "/artifacts/{org}",
    positionals: [],
    flags: { flow_name: "flow", repo_name: "repo", per_page: "limit" }
  },
  {
    words: "list attestations",
    path: "/attestations/{org}",
    positionals: [],
    flags: {
      flow_name: "flow",
      trail_name: "trail",
      attestation_name: "name",
      attestation_type: "type",
      is_compliant: "compliant",
      from_timestamp: "since",
      to_timestamp: "until",
      per_page: "limit"
    }
  },
  {
    words: "list environments",
    path: "/environments/{org}",
    positionals: [],
    flags: {
      name: "name",
      type: "kind",
      tag: "tag",
      state: "verdict",
      silent: "silent",
      sort: "sort",
      per_page: "limit"
    },
    direction: "asc"
  },
  {
    words: "list snapshots",
    path: "/snapshots/{org}/{env_name}",
    positionals: [],
    flags: { env_name: "environment", interval: "interval", per_page: "limit" }
  },
  { words: "list policies", path: "/policies/{org}", positionals: [], flags: {} },
  {
    words: "list controls",
    path: "/controls/{org}",
    positionals: [],
    flags: { search: "search", tag: "tag", archived: "archived", per_page: "limit" },
    direction: "asc"
  },
  {
    words: "list repositories",
    path: "/repos/{org}",
    positionals: [],
    flags: { name: "name", search: "search", provider: "provider", tag: "tag", per_page: "limit" },
    direction: "asc"
  },
  { words: "list types", path: "/custom-attestation-types/{org}", positionals: [], flags: {} },
  { words: "list accounts", path: "/service-accounts/{org}", positionals: [], flags: {} },
  {
    words: "list keys",
    path: "/service-accounts/{org}/{name}/api-keys",
    positionals: [],
    flags: { name: "account" }
  },
  {
    words: "list deployments",
    path: "/deployments/{org}",
    positionals: [],
    flags: {
      environment: "environment",
      flow: "flow",
      fingerprint: "fingerprint",
      repo_name: "repo",
      start_ts: "since",
      end_ts: "until",
      per_page: "limit"
    }
  },
  {
    words: "list components",
    path: "/components/{org}",
    positionals: [],
    flags: { purl: "purl", search: "search", fingerprint: "fingerprint", per_page: "limit" }
  },
  {
    words: "list evidence",
    path: "/evidence/{org}",
    positionals: [],
    flags: {
      kind: "kind",
      state: "state",
      fingerprint: "fingerprint",
      predicate_type: "predicate-type",
      waiting: "waiting",
      per_page: "limit"
    }
  },
  {
    words: "list allowed",
    path: "/allowlists/{org}/{env_name}",
    positionals: [],
    flags: { env_name: "environment" }
  },
  { words: "list allowed", path: "/allowlists/{org}", positionals: [], flags: {} },
  {
    words: "list events",
    path: "/environments/{org}/{env_name}/events",
    positionals: [],
    flags: {
      env_name: "environment",
      from: "since",
      to: "until",
      interval: "interval",
      repo_name: "repo",
      per_page: "limit"
    }
  },
  {
    words: "list decisions",
    path: "/controls/{org}/{identifier}/decisions",
    positionals: [],
    flags: {
      identifier: "control",
      flow_name: "flow",
      is_compliant: "compliant",
      from_timestamp: "since",
      to_timestamp: "until",
      per_page: "limit"
    },
    direction: "desc"
  },
  {
    words: "list coverage",
    path: "/controls/{org}/{identifier}/coverage",
    positionals: [],
    flags: { identifier: "control", covered: "covered", search: "search", per_page: "limit" }
  },
  { words: "list notifications", path: "/actions/{org}", positionals: [], flags: {} },
  {
    words: "list approvals",
    path: "/approvals/{org}/{flow_name}",
    positionals: [],
    flags: { flow_name: "flow", per_page: "limit" }
  },
  {
    words: "list members",
    path: "/memberships/{org}",
    positionals: [],
    flags: { per_page: "limit" }
  },
  {
    words: "list membership-log",
    path: "/membership-audit-log/{org}",
    positionals: [],
    flags: {
      search: "search",
      role: "role",
      from_timestamp: "since",
      to_timestamp: "until",
      per_page: "limit"
    },
    direction: "desc"
  },
  {
    words: "list org-keys",
    path: "/api-keys/{org}",
    positionals: [],
    flags: {
      unused_days: "unused-days",
      ends_within_days: "ends-within-days",
      unscoped: "unscoped",
      per_page: "limit"
    }
  },
  {
    words: "list builds",
    path: "/builds/{org}",
    positionals: [],
    flags: { repo_name: "repo", start_ts: "since", end_ts: "until", per_page: "limit" }
  },
  {
    words: "list running",
    path: "/repos/{org}/live-artifacts/{repo_name}",
    positionals: [],
    flags: { repo_name: "repo" }
  },
  {
    words: "list runs",
    path: "/runs/{org}/{fingerprint}",
    positionals: [],
    flags: { fingerprint: "fingerprint", per_page: "limit" },
    direction: "asc"
  },
  {
    words: "list control-versions",
    path: "/controls/{org}/{identifier}/versions",
    positionals: [],
    flags: { identifier: "control", per_page: "limit" },
    direction: "desc"
  },
  {
    words: "list control-coverage",
    path: "/control-coverage/{org}",
    positionals: [],
    flags: { search: "search", tag: "tag", archived: "archived", per_page: "limit" },
    direction: "asc"
  },
  { words: "list control-tags", path: "/controls/{org}/tags", positionals: [], flags: {} },
  { words: "list repository-tags", path: "/repos/{org}/tags", positionals: [], flags: {} },
  {
    words: "list failed-deliveries",
    path: "/deliveries/{org}/failed",
    positionals: [],
    flags: { per_page: "limit" }
  },
  { words: "list erasures", path: "/erasures/{org}", positionals: [], flags: {} },
  { words: "get flow", path: "/flows/{org}/{flow_name}", positionals: ["{flow_name}"], flags: {} },
  {
    words: "get trail",
    path: "/trails/{org}/{flow_name}/{trail_name}",
    positionals: ["{trail_name}"],
    flags: { flow_name: "flow", as_of: "as-of" }
  },
  {
    words: "get artifact",
    path: "/artifacts/{org}/{flow_name}/fingerprint/{fingerprint}",
    positionals: ["{flow_name}@{fingerprint}"],
    flags: {}
  },
  {
    words: "get environment",
    path: "/environments/{org}/{env_name}",
    positionals: ["{env_name}"],
    flags: {}
  },
  {
    words: "get snapshot",
    path: "/snapshots/{org}/{env_name}/{snapshot_expression}",
    positionals: ["{env_name}#{snapshot_expression}"],
    flags: { as_of: "as-of" }
  },
  { words: "get policy", path: "/policies/{org}/{name}", positionals: ["{name}"], flags: {} },
  {
    words: "get control",
    path: "/controls/{org}/{identifier}",
    positionals: ["{identifier}"],
    flags: {}
  },
  {
    words: "get repository",
    path: "/repos/{org}/{repo_name}",
    positionals: ["{repo_name}"],
    flags: {}
  },
  {
    words: "get type",
    path: "/custom-attestation-types/{org}/{type_name}",
    positionals: ["{type_name}"],
    flags: {}
  },
  {
    words: "get account",
    path: "/service-accounts/{org}/{name}",
    positionals: ["{name}"],
    flags: {}
  },
  {
    words: "get key",
    path: "/service-accounts/{org}/{name}/api-keys/{key_id}",
    positionals: ["{name}", "{key_id}"],
    flags: {}
  },
  {
    words: "get deployment",
    path: "/deployments/{org}/{deployment_id}",
    positionals: ["{deployment_id}"],
    flags: {}
  },
  {
    words: "get decision",
    path: "/controls/{org}/{identifier}/decisions/{decision_id}",
    positionals: ["{identifier}", "{decision_id}"],
    flags: {}
  },
  {
    words: "get notification",
    path: "/actions/{org}/{action_number}",
    positionals: ["{action_number}"],
    flags: {}
  },
  {
    words: "get approval",
    path: "/approvals/{org}/{flow_name}/{number}",
    positionals: ["{number}"],
    flags: { flow_name: "flow" }
  },
  {
    words: "get newest-deployment",
    path: "/deployments/{org}/{env_name}/{fingerprint}",
    positionals: ["{env_name}", "{fingerprint}"],
    flags: {}
  },
  { words: "get log", path: "/log/{org}", positionals: [], flags: {} },
  {
    words: "get key-expiry-notices",
    path: "/notification-config/{org}/api_key_expiry",
    positionals: [],
    flags: {}
  },
  {
    words: "get waiver-expiry-notices",
    path: "/notification-config/{org}/waiver_expiry",
    positionals: [],
    flags: {}
  },
  {
    words: "get access-notices",
    path: "/notification-config/{org}/access_change",
    positionals: [],
    flags: {}
  },
  {
    words: "get break-glass-notices",
    path: "/notification-config/{org}/break_glass",
    positionals: [],
    flags: {}
  },
  {
    words: "get proposal-notices",
    path: "/notification-config/{org}/proposal",
    positionals: [],
    flags: {}
  },
  { words: "get org", path: "/organizations/{org}", positionals: [], flags: {} }
]

/** Paths of reads without a command that match the path of one. */
export const OTHER_READS: ReadonlyArray<string> = [
  "/repos/{org}/filter-options",
  "/snapshots/{org}/{env_name}/timeline"
]
