/**
 * The written table: for every operation the least that its caller must be, a request that is right in
 * every other way, and what it then answers. An operation without a row here fails `Matrix.test.ts`.
 */
import type { Role } from "@attestry/core/Role"
import { policyYaml } from "../policy/Policies.js"
import type { CallOptions } from "../shared/TestServer.js"
import { controlRows } from "./ControlRows.js"
import { environmentRows } from "./EnvironmentRows.js"
import { COMMIT, evidenceRows, FINGERPRINT } from "./EvidenceRows.js"
import { notificationRows } from "./NotificationRows.js"

/** Things that rows can rely on: all of them made by an admin of the org. */
export interface Fixture {
  /** A fresh name, the same for one cell. */
  readonly cell: string
  /** The name of a service account. */
  readonly account: string
  /** Makes a key of that account. */
  readonly newKey: () => Promise<string>
  /** Makes a service account. */
  readonly newAccount: () => Promise<string>
  /** Makes a flow whose name begins so. */
  readonly newFlow: (prefix: string) => Promise<string>
  /** Makes an environment notification, and answers its number. */
  readonly newSubscription: () => Promise<string>
  /** Makes a custom attestation type. */
  readonly newType: () => Promise<string>
  /** The id of an attestation with a file. */
  readonly attestation: string
  /** The id of a deployment. */
  readonly deployment: string
  /** Makes an environment of that type. */
  readonly newEnvironment: (type: string) => Promise<string>
  /** Allows a fingerprint in the environment `server`. */
  readonly newAllowed: () => Promise<string>
}

/** One row. */
export interface Row {
  /** The lowest role, `key` for any valid key, or `cookie` where keys are not accepted. */
  readonly least: Role | "key" | "cookie"
  /** What a caller gets who may. */
  readonly status: number
  /** What somebody without any credential gets, where that is not 401. */
  readonly anonymous?: number
  /** Whether a key is accepted by HTTP Basic too. */
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
  // An account is managed by admins and by its creator, who is an admin here.
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
  "GET /membership-audit-log/{org}": { least: "admin", status: 200 },
  "GET /user/default-org": { least: "key", status: 200 },
  "PUT /user/{org}": { least: "reader", status: 200 },
  // A key in the body will do as well; without either the body lacks one.
  "POST /session": { least: "key", status: 201, anonymous: 400 },
  "DELETE /session": { least: "cookie", status: 200 }
}
