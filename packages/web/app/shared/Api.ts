/**
 * The operations that pages call: method and path of each, and the type of its answer.
 *
 * A test compares the table with the contract. Nothing here sends anything.
 */
import type * as Contract from "./Contract.js"

/** Method and path below `/api/v2`, by the ids of the specification. */
export const OPERATIONS = {
  A1: "POST /artifacts/{org}/{flow_name}",
  A2: "GET /artifacts/{org}",
  A3: "GET /artifacts/{org}/{flow_name}/fingerprint/{fingerprint}",
  A8: "GET /exposure/{org}",
  A9: "GET /graph/{org}",
  B1: "GET /membership-audit-log/{org}",
  B2: "GET /memberships/{org}",
  B3: "GET /journal/{org}",
  C1: "POST /controls/{org}",
  C2: "GET /controls/{org}",
  C3: "GET /controls/{org}/{identifier}",
  C4: "PUT /controls/{org}/{identifier}",
  C5: "POST /controls/{org}/{identifier}/archive",
  C6: "POST /controls/{org}/{identifier}/unarchive",
  C7: "GET /controls/{org}/{identifier}/coverage",
  C8: "GET /controls/{org}/{identifier}/versions",
  C10: "GET /controls/{org}/{identifier}/decisions",
  C13: "GET /control-coverage/{org}",
  D1: "GET /deployments/{org}",
  E1: "PUT /environments/{org}",
  E2: "GET /environments/{org}",
  E3: "GET /environments/{org}/{env_name}",
  E4: "PATCH /environments/{org}/{env_name}",
  E5: "PUT /environments/{org}/{env_name}/archive",
  E6: "PUT /environments/{org}/{env_name}/rename",
  E8: "POST /environments/{org}/{env_name}/policies",
  E9: "DELETE /environments/{org}/{env_name}/policies",
  E10: "GET /environments/{org}/{env_name}/events",
  E11: "GET /environments/{org}/{env_name}/auditlog",
  E12: "GET /environments/{org}/{env_name}/policies/preview",
  F1: "PUT /flows/{org}/template_file",
  F3: "GET /flows/{org}",
  F4: "GET /flows/{org}/{flow_name}",
  F5: "PUT /flows/{org}/{flow_name}/archive",
  F6: "PUT /flows/{org}/{flow_name}/rename",
  G1: "PATCH /tags/{org}/{resource_type}/{resource_id}",
  H1: "GET /notification-config/{org}/{notification_type}",
  H2: "PUT /notification-config/{org}/{notification_type}",
  H3: "DELETE /notification-config/{org}/{notification_type}",
  H4: "GET /notification-config/{org}/signing-secret",
  H5: "POST /notification-config/{org}/signing-secret/rotate",
  H6: "GET /deliveries/{org}/failed",
  H7: "POST /deliveries/{org}/failed/replay",
  J2: "PUT /organizations/{org}/environments_notifications",
  J4: "PUT /organizations/{org}/environments_notifications/{number}",
  J6: "GET /actions/{org}",
  J7: "GET /actions/{org}/{action_number}",
  J8: "DELETE /actions/{org}/{action_number}",
  J11: "POST /actions/{org}/{action_number}/test",
  J10: "PUT /actions/{org}/flows",
  K1: "POST /service-accounts/{org}/{name}/api-keys",
  K2: "GET /service-accounts/{org}/{name}/api-keys",
  K4: "DELETE /service-accounts/{org}/{name}/api-keys/{key_id}",
  K5: "POST /service-accounts/{org}/{name}/api-keys/{key_id}/rotate",
  L1: "PUT /allowlists/{org}/{env_name}",
  L2: "GET /allowlists/{org}/{env_name}",
  L3: "DELETE /allowlists/{org}/{env_name}/{fingerprint}",
  M1: "GET /log/{org}",
  M5: "GET /log/{org}/entries/{entry}",
  M7: "GET /log/{org}/proofs/consistency",
  M8: "GET /events/{org}",
  M21: "GET /log/{org}/entries",
  N9: "POST /attestations/{org}/{flow_name}/trail/{trail_name}/override",
  N10: "GET /attestations/{org}",
  N13: "GET /attestations/{org}/{flow_name}/trail/{trail_name}/attestation/{attestation_id}/evidence",
  O1: "PUT /policies/{org}/{name}",
  O2: "GET /policies/{org}",
  O3: "GET /policies/{org}/{name}",
  O8: "POST /policies/{org}/dry-run",
  O9: "POST /policies/{org}/backtest",
  P1: "GET /snapshots/{org}/{env_name}",
  P2: "GET /snapshots/{org}/{env_name}/{snapshot_expression}",
  P4: "GET /snapshots/{org}/{env_name}/{snapshot_expression}/rows",
  P5: "GET /snapshots/{org}/{env_name}/{snapshot_expression}/row",
  P6: "GET /snapshots/{org}/{env_name}/timeline",
  P7: "GET /snapshots/{org}/{env_name}/{snapshot_expression}/facts",
  Q1: "GET /facts/{org}/{fingerprint}",
  S1: "GET /search/{org}/sha/{value}",
  T2: "GET /trails/{org}",
  T3: "GET /trails/{org}/{flow_name}/{trail_name}",
  T4: "GET /search/{org}/commit/{sha}/trails",
  U1: "POST /service-accounts/{org}",
  U2: "GET /service-accounts/{org}",
  U3: "GET /service-accounts/{org}/{name}",
  U4: "PATCH /service-accounts/{org}/{name}",
  U5: "DELETE /service-accounts/{org}/{name}",
  V1: "GET /repos/{org}",
  V2: "GET /repos/{org}/{repo_name}",
  V5: "GET /repos/{org}/live-artifacts/{repo_name}",
  X1: "GET /asserts/{org}/fingerprint/{fingerprint}",
  Y2: "GET /custom-attestation-types/{org}",
  Y3: "GET /custom-attestation-types/{org}/{type_name}",
  Z3: "POST /session",
  Z4: "DELETE /session",
  Z7: "GET /session"
} as const

/** The query parameters that pages send. */
export const QUERY = {
  A1: [],
  A2: ["page", "per_page", "flow_name", "repo_name", "search"],
  A3: ["artifact_id"],
  A8: [
    "fingerprint",
    "commit",
    "flow_name",
    "repo_name",
    "author",
    "builder",
    "environment",
    "from_timestamp",
    "to_timestamp",
    "running",
    "page",
    "per_page"
  ],
  A9: ["root", "depth", "limit"],
  B1: ["page", "per_page", "search", "event_type", "sort_direction"],
  B2: ["page", "per_page"],
  B3: ["before", "kind", "actor", "subject_type", "from", "to", "per_page", "include"],
  C1: [],
  C2: ["page", "per_page", "search", "tag", "archived"],
  C3: [],
  C4: [],
  C5: [],
  C6: [],
  C7: ["page", "per_page"],
  C8: ["page", "per_page"],
  C10: ["page", "per_page", "flow_name", "is_compliant", "from_timestamp", "to_timestamp"],
  C13: ["page", "per_page", "search", "tag", "archived"],
  D1: ["page", "per_page", "environment", "flow", "fingerprint", "repo_name", "include"],
  E1: [],
  E2: ["page", "per_page", "name", "sort", "sort_direction", "include"],
  E3: ["include"],
  E4: [],
  E5: [],
  E6: [],
  E8: [],
  E9: [],
  E10: ["page", "per_page", "from", "to", "event_types", "flow_names", "repo_name"],
  E11: ["from_timestamp", "to_timestamp", "event_types", "flow_names", "repo_names"],
  E12: ["policy_name", "mode"],
  F1: [],
  F3: ["page", "per_page", "search_by_name", "case_sensitive", "sort", "sort_direction"],
  F4: [],
  F5: [],
  F6: [],
  G1: [],
  H1: [],
  H2: [],
  H3: [],
  H4: [],
  H5: [],
  H6: ["page", "per_page"],
  H7: [],
  J2: [],
  J4: [],
  J6: [],
  J7: [],
  J8: [],
  J11: [],
  J10: [],
  K1: [],
  K2: [],
  K4: [],
  K5: [],
  L1: [],
  L2: [],
  L3: [],
  M1: [],
  M5: ["format", "wait"],
  M7: ["from", "to"],
  M8: ["after", "limit"],
  M21: ["attestation_id", "fingerprint", "flow_name", "env_name", "snapshot"],
  N9: [],
  N10: [
    "page",
    "per_page",
    "attestation_id",
    "name",
    "flow_name",
    "trail_name",
    "type",
    "is_compliant"
  ],
  N13: ["fingerprint"],
  O1: [],
  O2: [],
  O3: [],
  O8: [],
  O9: [],
  P1: ["per_page"],
  P2: ["as_of"],
  P4: ["page", "per_page", "search", "verdict", "rule", "flow_name"],
  P5: ["name", "fingerprint", "environment"],
  P6: ["from", "to", "buckets"],
  P7: ["page", "per_page"],
  Q1: [],
  S1: [],
  T2: ["page", "per_page", "flow", "fingerprint", "search", "compliance_state"],
  T3: [],
  T4: ["page", "per_page"],
  U1: [],
  U2: [],
  U3: [],
  U4: [],
  U5: [],
  V1: ["page", "per_page", "search"],
  V2: [],
  V5: ["include"],
  X1: ["environment_name", "remedies"],
  Y2: ["archived"],
  Y3: [],
  Z3: [],
  Z4: [],
  Z7: []
} as const satisfies { readonly [Id in OperationId]: ReadonlyArray<string> }

/** The id of an operation. */
export type OperationId = keyof typeof OPERATIONS

/** What each operation answers. */
export interface Answers {
  readonly A1: unknown
  readonly A2: ReadonlyArray<Contract.Artifact>
  readonly A3: Contract.Artifact
  readonly A8: Contract.Exposures
  readonly A9: Contract.GraphAnswer
  readonly B1: Contract.MembershipEvents
  readonly B2: Contract.Members
  readonly B3: Contract.Journal
  readonly C1: Contract.Control
  readonly C2: Contract.Controls
  readonly C3: Contract.Control
  readonly C4: Contract.Control
  readonly C5: Contract.Control
  readonly C6: Contract.Control
  readonly C7: Contract.ControlCoverage
  readonly C8: Contract.ControlVersions
  readonly C10: Contract.ControlDecisions
  readonly C13: Contract.ControlMatrix
  readonly D1: Contract.Deployments
  readonly E1: unknown
  readonly E2: Contract.Environments
  readonly E3: Contract.Environment
  readonly E4: unknown
  readonly E5: unknown
  readonly E6: unknown
  readonly E8: unknown
  readonly E9: unknown
  readonly E10: ReadonlyArray<Contract.EnvironmentEvent>
  readonly E11: string
  readonly E12: Contract.PolicyPreview
  readonly F1: string
  readonly F3: Contract.Flows
  readonly F4: Contract.Flow
  readonly F5: string
  readonly F6: string
  readonly G1: string
  readonly H1: Contract.NotificationConfig
  readonly H2: Contract.NotificationConfig
  readonly H3: Contract.NotificationConfig
  readonly H4: Contract.SigningSecret
  readonly H5: Contract.SigningSecret
  readonly H6: Contract.FailedDeliveries
  readonly H7: Contract.ReplayedDeliveries
  readonly J2: string
  readonly J4: string
  readonly J6: ReadonlyArray<Contract.Action>
  readonly J7: Contract.Action
  readonly J8: string
  readonly J11: unknown
  readonly J10: string
  readonly K1: Contract.CreatedApiKey
  readonly K2: ReadonlyArray<Contract.ApiKey>
  readonly K4: string
  readonly K5: Contract.RotatedApiKey
  readonly L1: unknown
  readonly L2: ReadonlyArray<Contract.AllowedArtifact>
  readonly L3: unknown
  readonly M1: Contract.Log
  readonly M5: Contract.InclusionReceipt
  readonly M7: Contract.ConsistencyProof
  readonly M8: Contract.LogEvents
  readonly M21: Contract.JournalSequences
  readonly N9: string
  readonly N10: Contract.Attestations
  readonly N13: unknown
  readonly O1: unknown
  readonly O2: ReadonlyArray<Contract.Policy>
  readonly O3: Contract.Policy
  readonly O8: Contract.PolicyDryRun
  readonly O9: ReadonlyArray<Contract.BacktestLine>
  readonly P1: ReadonlyArray<Contract.SnapshotSummary>
  readonly P2: Contract.PastSnapshot
  readonly P4: Contract.ShortSnapshot
  readonly P5: Contract.SnapshotRow
  readonly P6: Contract.Timeline
  readonly P7: Contract.SnapshotFacts
  readonly Q1: Contract.ArtifactFacts
  readonly S1: Contract.ShaSearch
  readonly T2: Contract.Trails
  readonly T3: Contract.Trail
  readonly T4: Contract.CommitTrails
  readonly U1: Contract.ServiceAccount
  readonly U2: ReadonlyArray<Contract.ServiceAccount>
  readonly U3: Contract.ServiceAccount
  readonly U4: Contract.ServiceAccount
  readonly U5: string
  readonly V1: Contract.Repos
  readonly V2: Contract.Repo
  readonly V5: Contract.LiveArtifacts
  readonly X1: Contract.Assertion
  readonly Y2: ReadonlyArray<Contract.AttestationType>
  readonly Y3: Contract.AttestationType
  readonly Z3: Contract.OpenedSession
  readonly Z4: string
  readonly Z7: Contract.Session
}

type NamesOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesOf<Rest>
  : never

/** The parameters of an operation: those of its path, and `query`. */
export type ParamsOf<Id extends OperationId> = {
  readonly [Name in NamesOf<(typeof OPERATIONS)[Id]>]: string
} & {
  readonly query?: { readonly [Name in (typeof QUERY)[Id][number]]?: string | number | undefined }
}

/** A request without its body. */
export interface Call {
  readonly method: string
  /** Path and query, below the base of the deployment. */
  readonly path: string
}

const printQuery = (query: object): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]]
  )
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`
}

/** The request of an operation. */
export const callOf = <Id extends OperationId>(id: Id, params: ParamsOf<Id>): Call => {
  const [method = "GET", template = ""] = OPERATIONS[id].split(" ")
  const values = new Map<string, unknown>(Object.entries(params))
  const path = template.replace(/\{([a-z_]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name) ?? ""))
  )
  return { method, path: `/api/v2${path}${printQuery(params.query ?? {})}` }
}
