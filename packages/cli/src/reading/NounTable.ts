/** What `list` and `get` know about each noun, as data: the operation, its filters, its items and its columns. */
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"

/** One column: its heading and the text of an item. */
export type Column = readonly [string, (item: Json.Fields, style: Style) => string]

/** A noun that can be listed. */
export interface ListNoun {
  readonly noun: string
  readonly brief: string
  readonly operation: string
  /** The member with the items; a bare array where there is none. */
  readonly items?: string
  /** Whether the operation has pages. */
  readonly isPaged: boolean
  /** The most items of a page. */
  readonly perPageMax?: number
  /** Flags that fill the path, by the name of the parameter; all are required. */
  readonly path?: { readonly [parameter: string]: string }
  /** Flags that filter, by the name of the parameter. */
  readonly filters?: { readonly [parameter: string]: string }
  readonly columns: ReadonlyArray<Column>
}

const text =
  (name: string) =>
  (item: Json.Fields, style: Style): string => {
    const value = item[name]
    return value === null || value === undefined || value === "" ? "–" : style.text(value)
  }

const instant =
  (name: string) =>
  (item: Json.Fields, style: Style): string =>
    style.instant(item[name])

const digest =
  (name: string) =>
  (item: Json.Fields, style: Style): string =>
    style.short(item[name])

const outcome =
  (name: string) =>
  (item: Json.Fields, style: Style): string =>
    verdict(style, item[name])

const names =
  (name: string) =>
  (item: Json.Fields, style: Style): string => {
    const found = Json.list(item[name]).map(style.text)
    return found.length === 0 ? "–" : found.join(", ")
  }

const NAME: Column = ["NAME", text("name")]

/** Every noun of `list`. */
export const LIST_NOUNS: ReadonlyArray<ListNoun> = [
  {
    noun: "flows",
    brief: "List flows",
    operation: "flow.list",
    items: "data",
    isPaged: true,
    filters: { search_by_name: "name", tag: "tag" },
    columns: [NAME, ["DESCRIPTION", text("description")], ["ACTIVE", instant("latest_activity_at")]]
  },
  {
    noun: "trails",
    brief: "List trails, newest first",
    operation: "trail.list",
    items: "data",
    isPaged: true,
    filters: { flow: "flow", fingerprint: "fingerprint", flow_tag: "flow-tag" },
    columns: [
      ["FLOW", (item, style) => style.text(Json.object(item.flow).name)],
      NAME,
      ["STATE", text("compliance_state")],
      ["BEGUN", instant("created_at")]
    ]
  },
  {
    noun: "artifacts",
    brief: "List artifacts, newest first",
    operation: "artifact.list",
    isPaged: true,
    filters: { flow_name: "flow", repo_name: "repo" },
    columns: [
      ["FINGERPRINT", digest("fingerprint")],
      ["NAME", text("filename")],
      ["FLOW", text("flow_name")],
      ["COMMIT", digest("git_commit")]
    ]
  },
  {
    noun: "attestations",
    brief: "List attestations, newest first",
    operation: "attestation.list",
    items: "data",
    isPaged: true,
    filters: {
      flow_name: "flow",
      trail_name: "trail",
      attestation_name: "name",
      attestation_type: "type",
      is_compliant: "compliant"
    },
    columns: [
      ["NAME", text("attestation_name")],
      ["TYPE", text("attestation_type")],
      ["OUTCOME", outcome("is_compliant")],
      ["FLOW", text("flow_name")],
      ["TRAIL", text("trail_name")],
      ["REPORTED", instant("created_at")]
    ]
  },
  {
    noun: "environments",
    brief: "List environments",
    operation: "environment.list",
    items: "environments",
    isPaged: true,
    filters: { name: "name", type: "kind", tag: "tag" },
    columns: [
      NAME,
      ["KIND", text("type")],
      ["VERDICT", outcome("state")],
      ["POLICIES", names("policies")],
      ["REPORTED", instant("last_reported_at")]
    ]
  },
  {
    noun: "snapshots",
    brief: "List the snapshots of an environment, newest first",
    operation: "snapshot.list",
    isPaged: true,
    path: { env_name: "environment" },
    filters: { interval: "interval" },
    columns: [
      ["INDEX", text("index")],
      ["VERDICT", outcome("compliant")],
      ["FROM", instant("from")],
      ["TO", instant("to")]
    ]
  },
  {
    noun: "policies",
    brief: "List policies",
    operation: "policy.list",
    isPaged: false,
    columns: [NAME, ["DESCRIPTION", text("description")], ["USED BY", names("consuming_envs")]]
  },
  {
    noun: "controls",
    brief: "List controls",
    operation: "control.list",
    items: "controls",
    isPaged: true,
    filters: { search: "search", archived: "archived" },
    columns: [["IDENTIFIER", text("identifier")], NAME, ["VERSION", text("version")]]
  },
  {
    noun: "repositories",
    brief: "List repositories",
    operation: "repo.list",
    items: "repos",
    isPaged: true,
    perPageMax: 50,
    filters: { name: "name", search: "search", provider: "provider" },
    columns: [NAME, ["PROVIDER", text("provider")], ["URL", text("url")]]
  },
  {
    noun: "types",
    brief: "List custom attestation types",
    operation: "attestationType.list",
    isPaged: false,
    columns: [NAME, ["DESCRIPTION", text("description")]]
  },
  {
    noun: "accounts",
    brief: "List service accounts",
    operation: "serviceAccount.list",
    isPaged: false,
    columns: [NAME, ["ROLE", text("privilege")], ["MADE", instant("created_at")]]
  },
  {
    noun: "keys",
    brief: "List the API keys of a service account",
    operation: "apiKey.list",
    isPaged: false,
    path: { name: "account" },
    columns: [
      ["ID", text("id")],
      ["DESCRIPTION", text("description")],
      ["MADE", instant("created_at")]
    ]
  },
  {
    noun: "deployments",
    brief: "List deployments, newest first",
    operation: "deployment.list",
    items: "deployments",
    isPaged: true,
    filters: { environment: "environment", flow: "flow", fingerprint: "fingerprint" },
    columns: [
      ["ENVIRONMENT", text("environment_name")],
      ["NAME", text("artifact_name")],
      ["FINGERPRINT", digest("fingerprint")],
      ["DEPLOYED", instant("deployed_at")]
    ]
  },
  {
    noun: "allowed",
    brief: "List the allowed artifacts of an environment",
    operation: "allowList.list",
    isPaged: false,
    path: { env_name: "environment" },
    columns: [
      ["FINGERPRINT", digest("artifact_fingerprint")],
      ["NAME", text("artifact_name")],
      ["REASON", text("description")]
    ]
  }
]

/** A noun that can be read by its name. */
export interface GetNoun {
  readonly noun: string
  readonly brief: string
  readonly operation: string
  /** The parameters of the path, in the order of the positionals; those with a flag are settings. */
  readonly positionals: ReadonlyArray<readonly [string, string]>
  readonly needsFlow?: boolean
}

/** Every noun of `get`. */
export const GET_NOUNS: ReadonlyArray<GetNoun> = [
  {
    noun: "flow",
    brief: "Show a flow",
    operation: "flow.get",
    positionals: [["FLOW", "flow_name"]]
  },
  {
    noun: "trail",
    brief: "Show a trail and how it stands",
    operation: "trail.get",
    positionals: [["TRAIL", "trail_name"]],
    needsFlow: true
  },
  {
    noun: "artifact",
    brief: "Show an artifact of a flow",
    operation: "artifact.get",
    positionals: [["FINGERPRINT", "fingerprint"]],
    needsFlow: true
  },
  {
    noun: "environment",
    brief: "Show an environment",
    operation: "environment.get",
    positionals: [["ENV", "env_name"]]
  },
  {
    noun: "snapshot",
    brief: "Show a snapshot of an environment",
    operation: "snapshot.get",
    positionals: [["SNAPSHOT", "snapshot"]]
  },
  {
    noun: "policy",
    brief: "Show a policy",
    operation: "policy.get",
    positionals: [["POLICY", "name"]]
  },
  {
    noun: "control",
    brief: "Show a control",
    operation: "control.get",
    positionals: [["CONTROL", "identifier"]]
  },
  {
    noun: "repository",
    brief: "Show a repository",
    operation: "repo.get",
    positionals: [["NAME", "repo_name"]]
  },
  {
    noun: "type",
    brief: "Show a custom attestation type",
    operation: "attestationType.get",
    positionals: [["TYPE", "type_name"]]
  },
  {
    noun: "account",
    brief: "Show a service account",
    operation: "serviceAccount.get",
    positionals: [["NAME", "name"]]
  },
  { noun: "org", brief: "Show the org", operation: "org.get", positionals: [] },
  {
    noun: "meta",
    brief: "Show the version, the features and the limits of the deployment",
    operation: "meta.get",
    positionals: []
  }
]
