/**
 * The access table: for every operation the least role of its caller, an otherwise valid request, and its status.
 */
import { OPERATIONS, type OperationName } from "@attestry/api/OperationIndex"
import type { BaseRole } from "@attestry/core/Role"
import { policyYaml } from "../policy/Policies.js"
import type { CallOptions } from "../shared/TestServer.js"
import { controlRows } from "./ControlRows.js"
import { environmentRows } from "./EnvironmentRows.js"
import { COMMIT, evidenceRows, FINGERPRINT } from "./EvidenceRows.js"
import { notificationRows } from "./NotificationRows.js"
import { peopleRows } from "./PeopleRows.js"
import { proposalRows } from "./ProposalRows.js"
import { repoRows } from "./RepoRows.js"
import { signInRows } from "./SignInRows.js"
import { spaceRows } from "./SpaceRows.js"
import { teamRows } from "./TeamRows.js"
import { trustPolicyRows } from "./TrustPolicyRows.js"
import { waiverRows } from "./WaiverRows.js"

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
  /** Makes an invitation. */
  readonly newInvitation: () => Promise<{ readonly id: string; readonly secret: string }>
  /** Makes a person a member by an invitation, and returns the login. */
  readonly newMember: () => Promise<string>
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
  /** The least base role, `key` for any valid key, `open` for no key, or `cookie` where keys are not accepted. */
  readonly least: BaseRole | "key" | "open" | "cookie"
  /** The status for an allowed caller. */
  readonly status: number
  /** The status without a credential, where that is not 401. */
  readonly anonymous?: number
  /** Whether service accounts are refused. */
  readonly ofPeople?: boolean
  /** Whether HTTP Basic is accepted. */
  readonly basic?: boolean
  readonly request?: (fixture: Fixture) => CallOptions | Promise<CallOptions>
}

/** Rows of some operations, by name. */
export type Rows = { readonly [Name in OperationName]?: Row }

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

const report = (kind: (typeof KINDS)[number]): Row => ({
  least: "snapshotter",
  status: 200,
  request: () => ({ path: { env_name: kind }, body: { artifacts: [] } })
})

/** Every operation but the open one that publishes keys; a missing row does not compile. */
const table: { readonly [Name in Exclude<OperationName, "log.keys">]: Row } = {
  ...evidenceRows,
  ...controlRows,
  ...notificationRows,
  ...peopleRows,
  ...repoRows,
  ...signInRows,
  ...teamRows,
  ...spaceRows,
  ...proposalRows,
  ...trustPolicyRows,
  ...waiverRows,
  "flow.put": {
    least: "member",
    status: 201,
    request: ({ cell }) => ({ body: { name: `flow-${cell}`, description: "" } })
  },
  "flow.putWithTemplate": {
    least: "member",
    status: 201,
    request: ({ cell }) => ({ body: { name: `template-${cell}` } })
  },
  "flow.get": {
    least: "reader",
    status: 200,
    request: () => ({ path: { flow_name: "flow" } })
  },
  "trail.begin": {
    least: "member",
    status: 201,
    request: ({ cell }) => ({ path: { flow_name: "flow" }, body: { name: `trail-${cell}` } })
  },
  "artifact.report": {
    least: "member",
    status: 201,
    request: () => ({ path: { flow_name: "flow" }, body: artifact })
  },
  "policy.put": {
    least: "member",
    status: 201,
    request: ({ cell }) => ({ path: { name: `policy-${cell}` }, body: { policy_yaml: POLICY } })
  },
  "policy.putNamed": {
    least: "member",
    status: 201,
    request: ({ cell }) => ({ body: { name: `named-${cell}`, policy_yaml: POLICY } })
  },
  "policy.list": { least: "reader", status: 200 },
  "policyAuthoring.lint": {
    least: "reader",
    status: 200,
    request: () => ({ body: { policy_name: "policy" } })
  },
  "policyLab.dryRun": {
    least: "reader",
    status: 200,
    request: () => ({
      body: {
        candidate: { policy_name: "policy" },
        on: { facts: [{ artifact: { name: "a", fingerprint: "" }, flows: [] }] }
      }
    })
  },
  "policyLab.backtest": {
    least: "reader",
    status: 200,
    request: () => ({ body: { candidate: { policy_name: "policy" } } })
  },
  "policyAuthoring.test": {
    least: "reader",
    status: 200,
    request: () => ({ body: { policy_name: "policy", tests_yaml: "tests: []\n" } })
  },
  "policyAuthoring.compare": {
    least: "reader",
    status: 200,
    request: () => ({ body: { old: { policy_name: "policy" }, new: { policy_yaml: POLICY } } })
  },
  "policyAuthoring.suggest": {
    least: "reader",
    status: 200,
    request: () => ({ body: { environments: ["docker"] } })
  },
  "policy.get": {
    least: "reader",
    status: 200,
    request: () => ({ path: { name: "policy" } })
  },
  ...environmentRows,
  "report.K8S": report("K8S"),
  "report.docker": report("docker"),
  "report.server": report("server"),
  "report.container-tasks": report("container-tasks"),
  "report.functions": report("functions"),
  "report.object-store": report("object-store"),
  "report.cloudx-apps": report("cloudx-apps"),
  "report.serverless-run": report("serverless-run"),
  "serviceAccount.create": {
    least: "snapshotter",
    status: 201,
    request: ({ cell }) => ({ body: { name: cell, privilege: "reader" } })
  },
  "serviceAccount.list": { least: "snapshotter", status: 200 },
  // WHY admin: admins and its creator manage an account, and the creator is an admin here.
  "serviceAccount.get": { least: "admin", status: 200, request: account },
  "serviceAccount.update": {
    least: "admin",
    status: 200,
    request: ({ account: name, cell }) => ({ path: { name }, body: { description: cell } })
  },
  "serviceAccount.delete": {
    least: "admin",
    status: 200,
    request: async ({ newAccount }) => ({ path: { name: await newAccount() } })
  },
  "apiKey.create": {
    least: "admin",
    status: 201,
    request: (fixture) => ({ ...account(fixture), body: { description: fixture.cell } })
  },
  "apiKey.list": { least: "admin", status: 200, request: account },
  "apiKey.get": {
    least: "admin",
    status: 200,
    request: keyOf
  },
  "apiKey.revoke": {
    least: "admin",
    status: 200,
    request: keyOf
  },
  "apiKey.rotate": {
    least: "admin",
    status: 201,
    request: keyOf
  },
  "apiKey.listOrg": { least: "admin", status: 200 },
  "workloadIdentity.getRules": {
    least: "admin",
    status: 200,
    request: account
  },
  "workloadIdentity.putRules": {
    least: "admin",
    status: 200,
    request: (fixture) => ({ ...account(fixture), body: { rules: [] } })
  },
  // WHY 401: no caller needs a credential, and this token is none.
  "workloadIdentity.exchange": {
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
  "journal.list": { least: "admin", status: 200 },
  "log.get": { least: "reader", status: 200 },
  "log.patch": {
    least: "admin",
    status: 200,
    request: () => ({ body: { visibility: "members" } })
  },
  "log.checkpoint": { least: "reader", status: 200 },
  "log.entries": {
    least: "reader",
    status: 200,
    request: () => ({ path: { tile_path: "000.p/1" } })
  },
  "log.tile": {
    least: "reader",
    status: 200,
    request: () => ({ path: { level: "0", tile_path: "000.p/1" } })
  },
  "log.epochCheckpoint": {
    least: "reader",
    status: 200,
    request: () => ({ path: { epoch: "1" } })
  },
  "log.epochEntries": {
    least: "reader",
    status: 200,
    request: () => ({ path: { epoch: "1", tile_path: "000.p/1" } })
  },
  "log.epochTile": {
    least: "reader",
    status: 200,
    request: () => ({ path: { epoch: "1", level: "0", tile_path: "000.p/1" } })
  },
  "log.recorded": {
    least: "reader",
    status: 200,
    request: () => ({ query: `?fingerprint=${"0".repeat(64)}` })
  },
  "log.receipt": {
    least: "reader",
    status: 404,
    request: () => ({ path: { entry: "0000000000000000" } })
  },
  "log.inclusion": {
    least: "reader",
    status: 200,
    request: () => ({ query: "?index=0" })
  },
  "log.consistency": {
    least: "reader",
    status: 200,
    request: () => ({ query: "?from=0&to=1" })
  },
  "log.events": { least: "reader", status: 200 },
  "log.listErasures": { least: "admin", status: 200 },
  "log.erase": {
    least: "admin",
    status: 200,
    request: () => ({ body: { value: "no such text", reason: "a person asks for it" } })
  },
  "user.getDefaultOrg": { least: "key", status: 200 },
  "meta.whoami": { least: "key", status: 200, basic: true },
  "meta.get": { least: "key", status: 200, basic: true },
  "attestation.listSystemTypes": { least: "key", status: 200 },
  "personalKey.list": { least: "key", status: 200 },
  "personalKey.create": {
    least: "key",
    ofPeople: true,
    status: 201,
    request: ({ cell }) => ({ body: { description: cell } })
  },
  "personalKey.revoke": {
    least: "key",
    status: 404,
    request: () => ({ path: { key_id: "00000000-0000-4000-8000-00000000" } })
  },
  "user.setDefaultOrg": { least: "none", status: 200 },
  // WHY 400: the key may be in the body instead, and this body has none.
  "session.open": { least: "key", status: 201, anonymous: 400 },
  "session.get": { least: "cookie", status: 200 },
  "session.close": { least: "cookie", status: 200 },
  "session.offer": {
    least: "cookie",
    status: 201,
    request: () => ({ body: { challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" } })
  },
  // WHY 400: the code is not known.
  "session.claim": {
    least: "open",
    status: 400,
    request: () => ({ body: { code: "none", verifier: "v".repeat(43) } })
  }
}

const PATHS = new Map<string, string>(Object.entries(OPERATIONS))

/** The rows of all operations, by method and path. */
export const rows: ReadonlyArray<readonly [operation: string, row: Row]> = Object.entries(
  table
).map(([name, row]) => [PATHS.get(name) ?? name, row])
