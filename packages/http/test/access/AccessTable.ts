/**
 * The access table: for every operation the least role of its caller, an otherwise valid request, and its status. An
 * operation without a row here fails `Matrix.test.ts`.
 */
import type { Role } from "@attestry/core/Role"
import { policyYaml } from "../policy/Policies.js"
import type { CallOptions } from "../shared/TestServer.js"
import { controlRows } from "./ControlRows.js"
import { environmentRows } from "./EnvironmentRows.js"
import { COMMIT, evidenceRows, FINGERPRINT } from "./EvidenceRows.js"
import { notificationRows } from "./NotificationRows.js"
import { repoRows } from "./RepoRows.js"

/** The records that rows use; an admin of the org has created all of them. */
export interface Fixture {
  /** A new name, the same within one cell. */
  readonly cell: string
  /** The name of a service account. */
  readonly account: string
  /** Creates a key of that account. */
  readonly newKey: () => Promise<string>
  /** Creates a service account. */
  readonly newAccount: () => Promise<string>
  /** Creates a flow with this prefix of its name. */
  readonly newFlow: (prefix: string) => Promise<string>
  /** Creates an environment notification and returns its number. */
  readonly newSubscription: () => Promise<string>
  /** Creates a custom attestation type. */
  readonly newType: () => Promise<string>
  /** The id of an attestation with a file. */
  readonly attestation: string
  /** Our id of the repository of the artifact. */
  readonly repo: string
  /** The id of a deployment. */
  readonly deployment: string
  /** Creates an environment of that type. */
  readonly newEnvironment: (type: string) => Promise<string>
  /** Allows a fingerprint in the environment `server`. */
  readonly newAllowed: () => Promise<string>
}

/** One row. */
export interface Row {
  /** The least role, `key` for any valid key, or `cookie` where keys are not accepted. */
  readonly least: Role | "key" | "cookie"
  /** The status for an allowed caller. */
  readonly status: number
  /** The status without a credential, where that is not 401. */
  readonly anonymous?: number
  /** Whether HTTP Basic is accepted. */
  readonly basic?: boolean
  readonly request?: (fixture: Fixture) => CallOptions | Promise<CallOptions>
}

/** Environments of the fixture, each with one snapshot, under the name of their type. */
export const KINDS = [
  "K8S",
  "docker",
  "server",
  "container-tasks",
  "functions",
  "object-store",
  "cloudx-apps",
  "serverless-run"
] as const

/** The artifact of the fixture. */
export const artifact = {
  fingerprint: FINGERPRINT,
  git_commit: COMMIT,
  repo_info: { id: "1", name: "repository", url: "https://git.example.org/r" },
  filename: "api",
  build_url: "https://ci.example.org/1",
  commit_url: "https://git.example.org/1",
  trail_name: "t1",
  template_reference_name: "api"
}

/** The text of a policy. */
export const POLICY = policyYaml("  provenance:\n    required: true\n")

const account = ({ account: name }: Fixture): CallOptions => ({ path: { name } })

const keyOf = async (fixture: Fixture): Promise<CallOptions> => ({
  path: { name: fixture.account, key_id: await fixture.newKey() }
})

const reports = Object.fromEntries(
  KINDS.map((kind): [string, Row] => [
    `PUT /environments/{org}/{env_name}/report/${kind}`,
    {
      least: "snapshotter",
      status: 200,
      request: () => ({ path: { env_name: kind }, body: { artifacts: [] } })
    }
  ])
)

/** Every operation of the published document. */
export const table: { readonly [operation: string]: Row } = {
  ...evidenceRows,
  ...controlRows,
  ...notificationRows,
  ...repoRows,
  "PUT /flows/{org}": {
    least: "member",
    status: 201,
    request: ({ cell }) => ({ body: { name: `flow-${cell}`, description: "" } })
  },
  "PUT /flows/{org}/template_file": {
    least: "member",
    status: 201,
    request: ({ cell }) => ({ body: { name: `template-${cell}` } })
  },
  "GET /flows/{org}/{flow_name}": {
    least: "reader",
    status: 200,
    request: () => ({ path: { flow_name: "flow" } })
  },
  "PUT /trails/{org}/{flow_name}": {
    least: "member",
    status: 201,
    request: ({ cell }) => ({ path: { flow_name: "flow" }, body: { name: `trail-${cell}` } })
  },
  "POST /artifacts/{org}/{flow_name}": {
    least: "member",
    status: 201,
    request: () => ({ path: { flow_name: "flow" }, body: artifact })
  },
  "PUT /policies/{org}/{name}": {
    least: "member",
    status: 201,
    request: ({ cell }) => ({ path: { name: `policy-${cell}` }, body: { policy_yaml: POLICY } })
  },
  "PUT /policies/{org}": {
    least: "member",
    status: 201,
    request: ({ cell }) => ({ body: { name: `named-${cell}`, policy_yaml: POLICY } })
  },
  "GET /policies/{org}": { least: "reader", status: 200 },
  "POST /policies/{org}/lint": {
    least: "reader",
    status: 200,
    request: () => ({ body: { policy_name: "policy" } })
  },
  "POST /policies/{org}/dry-run": {
    least: "reader",
    status: 200,
    request: () => ({
      body: {
        candidate: { policy_name: "policy" },
        on: { facts: [{ artifact: { name: "a", fingerprint: "" }, flows: [] }] }
      }
    })
  },
  "POST /policies/{org}/backtest": {
    least: "reader",
    status: 200,
    request: () => ({ body: { candidate: { policy_name: "policy" } } })
  },
  "POST /policies/{org}/test": {
    least: "reader",
    status: 200,
    request: () => ({ body: { policy_name: "policy", tests_yaml: "tests: []\n" } })
  },
  "POST /policies/{org}/compare": {
    least: "reader",
    status: 200,
    request: () => ({ body: { old: { policy_name: "policy" }, new: { policy_yaml: POLICY } } })
  },
  "POST /policies/{org}/suggest": {
    least: "reader",
    status: 200,
    request: () => ({ body: { environments: ["docker"] } })
  },
  "GET /policies/{org}/{name}": {
    least: "reader",
    status: 200,
    request: () => ({ path: { name: "policy" } })
  },
  ...environmentRows,
  ...reports,
  "POST /service-accounts/{org}": {
    least: "snapshotter",
    status: 201,
    request: ({ cell }) => ({ body: { name: cell, privilege: "reader" } })
  },
  "GET /service-accounts/{org}": { least: "snapshotter", status: 200 },
  // WHY admin: admins and its creator manage an account, and the creator is an admin here.
  "GET /service-accounts/{org}/{name}": { least: "admin", status: 200, request: account },
  "PATCH /service-accounts/{org}/{name}": {
    least: "admin",
    status: 200,
    request: ({ account: name, cell }) => ({ path: { name }, body: { description: cell } })
  },
  "DELETE /service-accounts/{org}/{name}": {
    least: "admin",
    status: 200,
    request: async ({ newAccount }) => ({ path: { name: await newAccount() } })
  },
  "POST /service-accounts/{org}/{name}/api-keys": {
    least: "admin",
    status: 201,
    request: (fixture) => ({ ...account(fixture), body: { description: fixture.cell } })
  },
  "GET /service-accounts/{org}/{name}/api-keys": { least: "admin", status: 200, request: account },
  "GET /service-accounts/{org}/{name}/api-keys/{key_id}": {
    least: "admin",
    status: 200,
    request: keyOf
  },
  "DELETE /service-accounts/{org}/{name}/api-keys/{key_id}": {
    least: "admin",
    status: 200,
    request: keyOf
  },
  "POST /service-accounts/{org}/{name}/api-keys/{key_id}/rotate": {
    least: "admin",
    status: 201,
    request: keyOf
  },
  "GET /service-accounts/{org}/{name}/identity-rules": {
    least: "admin",
    status: 200,
    request: account
  },
  "PUT /service-accounts/{org}/{name}/identity-rules": {
    least: "admin",
    status: 200,
    request: (fixture) => ({ ...account(fixture), body: { rules: [] } })
  },
  // WHY 401: no caller needs a credential, and this token is none.
  "POST /workload-identity/{org}/token": {
    least: "key",
    status: 401,
    request: () => ({
      body: {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        subject_token: "a.b.c",
        subject_token_type: "urn:ietf:params:oauth:token-type:id_token"
      }
    })
  },
  "GET /membership-audit-log/{org}": { least: "admin", status: 200 },
  "GET /memberships/{org}": { least: "admin", status: 200 },
  "GET /journal/{org}": { least: "admin", status: 200 },
  "GET /log/{org}": { least: "reader", status: 200 },
  "PATCH /log/{org}": {
    least: "admin",
    status: 200,
    request: () => ({ body: { visibility: "members" } })
  },
  "GET /log/{org}/checkpoint": { least: "reader", status: 200 },
  "GET /log/{org}/tile/entries/{tile_path}": {
    least: "reader",
    status: 200,
    request: () => ({ path: { tile_path: "000.p/1" } })
  },
  "GET /log/{org}/tile/{level}/{tile_path}": {
    least: "reader",
    status: 200,
    request: () => ({ path: { level: "0", tile_path: "000.p/1" } })
  },
  "GET /log/{org}/epochs/{epoch}/checkpoint": {
    least: "reader",
    status: 200,
    request: () => ({ path: { epoch: "1" } })
  },
  "GET /log/{org}/epochs/{epoch}/tile/entries/{tile_path}": {
    least: "reader",
    status: 200,
    request: () => ({ path: { epoch: "1", tile_path: "000.p/1" } })
  },
  "GET /log/{org}/epochs/{epoch}/tile/{level}/{tile_path}": {
    least: "reader",
    status: 200,
    request: () => ({ path: { epoch: "1", level: "0", tile_path: "000.p/1" } })
  },
  "GET /log/{org}/entries": {
    least: "reader",
    status: 200,
    request: () => ({ query: `?fingerprint=${"0".repeat(64)}` })
  },
  "GET /log/{org}/entries/{entry}": {
    least: "reader",
    status: 404,
    request: () => ({ path: { entry: "0000000000000000" } })
  },
  "GET /log/{org}/proofs/inclusion": {
    least: "reader",
    status: 200,
    request: () => ({ query: "?index=0" })
  },
  "GET /log/{org}/proofs/consistency": {
    least: "reader",
    status: 200,
    request: () => ({ query: "?from=0&to=1" })
  },
  "GET /events/{org}": { least: "reader", status: 200 },
  "GET /erasures/{org}": { least: "admin", status: 200 },
  "POST /erasures/{org}": {
    least: "admin",
    status: 200,
    request: () => ({ body: { value: "no such text", reason: "a person asks for it" } })
  },
  "GET /user/default-org": { least: "key", status: 200 },
  "GET /whoami": { least: "key", status: 200, basic: true },
  "GET /meta": { least: "key", status: 200, basic: true },
  "GET /attestations/system-attestation-types": { least: "key", status: 200 },
  "PUT /user/{org}": { least: "reader", status: 200 },
  // WHY 400: the key may be in the body instead, and this body has none.
  "POST /session": { least: "key", status: 201, anonymous: 400 },
  "GET /session": { least: "cookie", status: 200 },
  "DELETE /session": { least: "cookie", status: 200 }
}
