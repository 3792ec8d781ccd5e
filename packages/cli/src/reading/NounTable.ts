/** The nouns of `list` as data: the operation, its filters, its items and its columns. */
import * as Json from "../shared/Json.js"
import { HISTORY_NOUNS } from "./HistoryNouns.js"
import {
  type Column,
  digest,
  instant,
  type ListNoun,
  listed,
  NAME,
  names,
  outcome,
  product,
  text
} from "./ListNoun.js"
import { ORG_NOUNS } from "./OrgNouns.js"
import * as ProductNames from "./ProductNames.js"

const SORTS_OF_ENVIRONMENTS = ["name", "last_modified_at", "last_changed_at", "due_at"]

/** When an environment last reported, and whether it is silent. */
const reported: Column[1] = (item, style) =>
  instant("last_reported_at")(item, style) +
  (typeof item.silent_since === "number" ? `, ${style.tint("red", "silent")}` : "")

/** The verdict of an environment, and whether a change of a policy is still to be applied to it. */
const verdict: Column[1] = (item, style) =>
  outcome("state")(item, style) +
  (item.verdict_pending === true ? `, ${style.tint("yellow", "judged again soon")}` : "")

/** The nouns of resources. */
const RESOURCE_NOUNS: ReadonlyArray<ListNoun> = [
  listed({
    noun: "flows",
    brief: "List flows",
    operation: "flow.list",
    items: "data",
    filters: { search_by_name: "name", tag: "tag" },
    sorts: ["name", "latest_activity"],
    usualDirection: "asc",
    columns: [NAME, ["DESCRIPTION", text("description")], ["ACTIVE", instant("latest_activity_at")]]
  }),
  listed({
    noun: "trails",
    brief: "List trails, newest first",
    operation: "trail.list",
    items: "data",
    filters: { flow: "flow", fingerprint: "fingerprint", flow_tag: "flow-tag" },
    columns: [
      ["FLOW", (item, style) => style.text(Json.object(item.flow).name)],
      NAME,
      ["STATE", text("compliance_state")],
      ["BEGUN", instant("created_at")]
    ]
  }),
  listed({
    noun: "artifacts",
    brief: "List artifacts, newest first",
    operation: "artifact.list",
    filters: { flow_name: "flow", repo_name: "repo" },
    columns: [
      ["FINGERPRINT", digest("fingerprint")],
      ["NAME", text("filename")],
      ["FLOW", text("flow_name")],
      ["COMMIT", digest("git_commit")]
    ]
  }),
  listed({
    noun: "attestations",
    brief: "List attestations, newest first",
    operation: "attestation.list",
    items: "data",
    filters: {
      flow_name: "flow",
      trail_name: "trail",
      attestation_name: "name",
      attestation_type: "type",
      is_compliant: "compliant",
      from_timestamp: "since",
      to_timestamp: "until"
    },
    columns: [
      ["NAME", text("attestation_name")],
      ["TYPE", text("attestation_type")],
      ["OUTCOME", outcome("is_compliant")],
      ["FLOW", text("flow_name")],
      ["TRAIL", text("trail_name")],
      ["REPORTED", instant("created_at")]
    ]
  }),
  listed({
    noun: "environments",
    brief: "List environments",
    operation: "environment.list",
    items: "environments",
    filters: { name: "name", type: "kind", tag: "tag", state: "verdict", silent: "silent" },
    sorts: SORTS_OF_ENVIRONMENTS,
    usualDirection: "asc",
    columns: [
      NAME,
      ["KIND", product("type", ProductNames.ofKind)],
      ["VERDICT", verdict],
      ["POLICIES", names("policies")],
      ["REPORTED", reported]
    ]
  }),
  listed({
    noun: "decaying",
    brief: "List environments whose verdict may turn by time alone, soonest first",
    operation: "environment.list",
    items: "environments",
    fixedQuery: { sort: "due_at" },
    filters: { name: "name", type: "kind", tag: "tag", state: "verdict" },
    usualDirection: "asc",
    columns: [
      NAME,
      ["KIND", product("type", ProductNames.ofKind)],
      ["VERDICT", verdict],
      ["DUE", instant("due_at")]
    ]
  }),
  listed({
    noun: "snapshots",
    brief: "List the snapshots of an environment, newest first",
    operation: "snapshot.list",
    path: { env_name: "environment" },
    filters: { interval: "interval" },
    columns: [
      ["INDEX", text("index")],
      ["VERDICT", outcome("compliant")],
      ["FROM", instant("from")],
      ["TO", instant("to")]
    ]
  }),
  listed({
    noun: "policies",
    brief: "List policies",
    operation: "policy.list",
    columns: [NAME, ["DESCRIPTION", text("description")], ["USED BY", names("consuming_envs")]]
  }),
  listed({
    noun: "controls",
    brief: "List controls",
    operation: "control.list",
    items: "controls",
    filters: { search: "search", tag: "tag", archived: "archived" },
    usualDirection: "asc",
    columns: [["IDENTIFIER", text("identifier")], NAME, ["VERSION", text("version")]]
  }),
  listed({
    noun: "repositories",
    brief: "List repositories",
    operation: "repo.list",
    items: "repos",
    perPageMax: 50,
    filters: { name: "name", search: "search", provider: "provider", tag: "tag" },
    usualDirection: "asc",
    columns: [
      NAME,
      ["PROVIDER", product("provider", ProductNames.ofProvider)],
      ["URL", text("url")]
    ]
  }),
  listed({
    noun: "types",
    brief: "List custom attestation types",
    operation: "attestationType.list",
    columns: [NAME, ["DESCRIPTION", text("description")]]
  }),
  listed({
    noun: "accounts",
    brief: "List service accounts",
    operation: "serviceAccount.list",
    columns: [NAME, ["ROLE", text("privilege")], ["MADE", instant("created_at")]]
  }),
  listed({
    noun: "keys",
    brief: "List the API keys of a service account",
    operation: "apiKey.list",
    path: { name: "account" },
    columns: [
      ["ID", text("id")],
      ["DESCRIPTION", text("description")],
      ["MADE", instant("created_at")],
      ["USED", instant("last_used_at")],
      ["ENDS", instant("expires_at")]
    ]
  }),
  listed({
    noun: "deployments",
    brief: "List deployments, newest first",
    operation: "deployment.list",
    items: "deployments",
    filters: {
      environment: "environment",
      flow: "flow",
      fingerprint: "fingerprint",
      repo_name: "repo",
      start_ts: "since",
      end_ts: "until"
    },
    columns: [
      ["ENVIRONMENT", text("env_name")],
      ["NAME", text("artifact_name")],
      ["FINGERPRINT", digest("fingerprint")],
      ["DEPLOYED", instant("deployed_at")]
    ]
  }),
  listed({
    noun: "components",
    brief: "List components of artifacts by name, with the environments in which they run",
    operation: "component.list",
    items: "components",
    filters: { purl: "purl", search: "search", fingerprint: "fingerprint" },
    columns: [
      ["COMPONENT", text("purl")],
      ["ARTIFACTS", text("artifacts")],
      ["RUNS IN", (item, style) => style.text(Json.list(item.running_in).join(", "))]
    ]
  }),
  listed({
    noun: "evidence",
    brief: "List accepted evidence files, newest first",
    operation: "evidence.list",
    items: "documents",
    filters: {
      kind: "kind",
      state: "state",
      fingerprint: "fingerprint",
      predicate_type: "predicate-type",
      waiting: "waiting"
    },
    columns: [
      ["DIGEST", digest("digest")],
      ["KIND", text("kind")],
      ["VERIFICATION", (item, style) => style.text(Json.object(item.verification).state)],
      ["FILE", text("filename")],
      ["LINKS", (item) => String(Json.list(item.links).length)],
      ["ACCEPTED", instant("accepted_at")]
    ]
  }),
  listed({
    noun: "allowed",
    brief: "List the allowed artifacts of the org, or of an environment",
    operation: "allowList.list",
    path: { env_name: "environment" },
    ofOrg: listed({
      noun: "allowed",
      brief: "List the allowed artifacts of the org",
      operation: "allowList.listOfOrg",
      columns: [
        ["FINGERPRINT", digest("fingerprint")],
        ["ENVIRONMENT", text("environment_name")],
        ["NAME", text("artifact_name")],
        ["ENDS", instant("expires_at")],
        ["REASON", text("description")]
      ]
    }),
    columns: [
      ["FINGERPRINT", digest("artifact_fingerprint")],
      ["NAME", text("artifact_name")],
      ["ENDS", instant("expires_at")],
      ["REASON", text("description")]
    ]
  })
]

/** All nouns of `list`. */
export const LIST_NOUNS: ReadonlyArray<ListNoun> = [
  ...RESOURCE_NOUNS,
  ...HISTORY_NOUNS,
  ...ORG_NOUNS
]
