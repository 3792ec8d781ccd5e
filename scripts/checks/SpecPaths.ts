/**
 * Every operation that the service serves: section 4 of the specification and the endpoint index of the API
 * reference, with the paths that our decisions gave to operations that have none there.
 *
 * Not offered, by DECISION A-42 and by the index itself: M5, I1, I2.
 */

/** The operations of the contract, relative to `/api/v2`; the names of parameters do not matter. */
export const OPERATIONS = {
  // Flows. SPEC §4.12
  F1: "PUT /flows/{org}/template_file",
  F2: "PUT /flows/{org}",
  F3: "GET /flows/{org}",
  F4: "GET /flows/{org}/{flow_name}",
  F5: "PUT /flows/{org}/{flow_name}/archive",
  F6: "PUT /flows/{org}/{flow_name}/rename",
  // Trails and search. SPEC §4.7
  T1: "PUT /trails/{org}/{flow_name}",
  T2: "GET /trails/{org}",
  T3: "GET /trails/{org}/{flow_name}/{trail_name}",
  T4: "GET /search/{org}/commit/{sha}/trails",
  T5: "GET /trails/{org}/{flow_name}",
  T6: "GET /trails/{org}/{flow_name}/{trail_name}/audit_package",
  S1: "GET /search/{org}/sha/{value}",
  // Artifacts. SPEC §4.3
  A1: "POST /artifacts/{org}/{flow_name}",
  A2: "GET /artifacts/{org}",
  A3: "GET /artifacts/{org}/{flow_name}/fingerprint/{fingerprint}",
  A4: "GET /artifacts/{org}/{flow_name}/commit_sha/{sha}",
  A5: "GET /artifacts/{org}/{flow_name}/{fingerprint}/latest_commit",
  A6: "GET /artifacts/{org}/{flow_name}/{fingerprint}/audit_package",
  A7: "GET /runs/{org}/{fingerprint}",
  A8: "GET /exposure/{org}",
  // The allow-list. DECISION A-33
  L1: "PUT /allowlists/{org}/{env_name}",
  L2: "GET /allowlists/{org}/{env_name}",
  L3: "DELETE /allowlists/{org}/{env_name}/{fingerprint}",
  L4: "GET /allowlists/{org}",
  // The gate that asserts an artifact.
  X1: "GET /asserts/{org}/fingerprint/{fingerprint}",
  // Attestations. SPEC §4.8, §4.12
  N1: "POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic",
  N2: "POST /attestations/{org}/{flow_name}/trail/{trail_name}/junit",
  N3: "POST /attestations/{org}/{flow_name}/trail/{trail_name}/snyk",
  N4: "POST /attestations/{org}/{flow_name}/trail/{trail_name}/sonar",
  N5: "POST /attestations/{org}/{flow_name}/trail/{trail_name}/jira",
  N6: "POST /attestations/{org}/{flow_name}/trail/{trail_name}/pull_request",
  N7: "POST /attestations/{org}/{flow_name}/trail/{trail_name}/custom",
  N8: "POST /attestations/{org}/{flow_name}/trail/{trail_name}/system",
  N9: "POST /attestations/{org}/{flow_name}/trail/{trail_name}/override",
  N10: "GET /attestations/{org}",
  N11: "GET /attestations/{org}/{flow_name}/trail/{trail_name}/{attestation_name}",
  N12: "GET /attestations/{org}/{flow_name}/artifact/{fingerprint}/{attestation_name}",
  N13: "GET /attestations/{org}/{flow_name}/trail/{trail_name}/attestation/{attestation_id}/evidence",
  N14: "GET /attestations/{org}/{flow_name}",
  N15: "GET /attestations/{org}/list_attestations_for_criteria",
  N16: "GET /attestations/system-attestation-types",
  // Custom attestation types.
  Y1: "POST /custom-attestation-types/{org}",
  Y2: "GET /custom-attestation-types/{org}",
  Y3: "GET /custom-attestation-types/{org}/{type_name}",
  Y4: "PUT /custom-attestation-types/{org}/{type_name}/archive",
  // Environments. SPEC §4.4, §4.12
  E1: "PUT /environments/{org}",
  E2: "GET /environments/{org}",
  E3: "GET /environments/{org}/{env_name}",
  E4: "PATCH /environments/{org}/{env_name}",
  E5: "PUT /environments/{org}/{env_name}/archive",
  E6: "PUT /environments/{org}/{env_name}/rename",
  E7: "PUT /environments/{org}/{logical_env}/join",
  E8: "POST /environments/{org}/{env_name}/policies",
  E9: "DELETE /environments/{org}/{env_name}/policies",
  E10: "GET /environments/{org}/{env_name}/events",
  E11: "GET /environments/{org}/{env_name}/auditlog",
  E12: "GET /environments/{org}/{env_name}/policies/preview",
  // Reports of environments. SPEC §4.4
  R1: "PUT /environments/{org}/{env_name}/report/K8S",
  R2: "PUT /environments/{org}/{env_name}/report/docker",
  R3: "PUT /environments/{org}/{env_name}/report/server",
  R4: "PUT /environments/{org}/{env_name}/report/container-tasks",
  R5: "PUT /environments/{org}/{env_name}/report/functions",
  R6: "PUT /environments/{org}/{env_name}/report/object-store",
  R7: "PUT /environments/{org}/{env_name}/report/cloudx-apps",
  R8: "PUT /environments/{org}/{env_name}/report/serverless-run",
  // Snapshots. SPEC §4.5
  P1: "GET /snapshots/{org}/{env_name}",
  P2: "GET /snapshots/{org}/{env_name}/{snapshot_expression}",
  P3: "GET /env-diff/{org}",
  P4: "GET /snapshots/{org}/{env_name}/{snapshot_expression}/rows",
  P5: "GET /snapshots/{org}/{env_name}/{snapshot_expression}/row",
  P6: "GET /snapshots/{org}/{env_name}/timeline",
  P7: "GET /snapshots/{org}/{env_name}/{snapshot_expression}/facts",
  Q1: "GET /facts/{org}/{fingerprint}",
  // Policies. SPEC §4.6, DECISION A-06
  O1: "PUT /policies/{org}/{name}",
  O1b: "PUT /policies/{org}",
  O2: "GET /policies/{org}",
  O3: "GET /policies/{org}/{name}",
  O4: "POST /policies/{org}/lint",
  O5: "POST /policies/{org}/test",
  O6: "POST /policies/{org}/compare",
  O7: "POST /policies/{org}/suggest",
  O8: "POST /policies/{org}/dry-run",
  O9: "POST /policies/{org}/backtest",
  // Controls. SPEC §4.11
  C1: "POST /controls/{org}",
  C2: "GET /controls/{org}",
  C3: "GET /controls/{org}/{identifier}",
  C4: "PUT /controls/{org}/{identifier}",
  C5: "POST /controls/{org}/{identifier}/archive",
  C6: "POST /controls/{org}/{identifier}/unarchive",
  C7: "GET /controls/{org}/{identifier}/coverage",
  C8: "GET /controls/{org}/{identifier}/versions",
  C9: "GET /controls/{org}/{identifier}/versions/{version}",
  C10: "GET /controls/{org}/{identifier}/decisions",
  C11: "GET /controls/{org}/{identifier}/decisions/{decision_id}",
  C12: "GET /controls/{org}/tags",
  C13: "GET /control-coverage/{org}",
  // Tags and repositories.
  G1: "PATCH /tags/{org}/{resource_type}/{resource_id}",
  V1: "GET /repos/{org}",
  V2: "GET /repos/{org}/{repo_name}",
  V3: "GET /repos/{org}/tags",
  V4: "GET /repos/{org}/filter-options",
  V5: "GET /repos/{org}/live-artifacts/{repo_name}",
  V6: "GET /repos/{org}/{repo}/deployments",
  V7: "GET /repos/{org}/{repo}/deployment-statistics",
  V8: "GET /builds/{org}",
  V9: "GET /builds/{org}/statistics",
  // Service accounts and their keys. SPEC §4.10
  U1: "POST /service-accounts/{org}",
  U2: "GET /service-accounts/{org}",
  U3: "GET /service-accounts/{org}/{name}",
  U4: "PATCH /service-accounts/{org}/{name}",
  U5: "DELETE /service-accounts/{org}/{name}",
  K1: "POST /service-accounts/{org}/{name}/api-keys",
  K2: "GET /service-accounts/{org}/{name}/api-keys",
  K3: "GET /service-accounts/{org}/{name}/api-keys/{key_id}",
  K4: "DELETE /service-accounts/{org}/{name}/api-keys/{key_id}",
  K5: "POST /service-accounts/{org}/{name}/api-keys/{key_id}/rotate",
  // Workload identity. DECISION B-313
  K6: "GET /service-accounts/{org}/{name}/identity-rules",
  K7: "PUT /service-accounts/{org}/{name}/identity-rules",
  K8: "POST /workload-identity/{org}/token",
  // The membership audit log, members and the journal. SPEC §4.9
  B1: "GET /membership-audit-log/{org}",
  B2: "GET /memberships/{org}",
  B3: "GET /journal/{org}",
  // The evidence log. SPEC §4.22
  M1: "GET /log/{org}",
  M2: "GET /log/{org}/checkpoint",
  M3: "GET /log/{org}/tile/{level}/{tile_path}",
  M4: "GET /log/{org}/tile/entries/{tile_path}",
  M5: "GET /log/{org}/entries/{entry}",
  M6: "GET /log/{org}/proofs/inclusion",
  M7: "GET /log/{org}/proofs/consistency",
  M8: "GET /events/{org}",
  M9: "GET /log/{org}/epochs/{epoch}/checkpoint",
  M10: "GET /log/{org}/epochs/{epoch}/tile/{level}/{tile_path}",
  M12: "POST /erasures/{org}",
  M13: "GET /erasures/{org}",
  M11: "GET /log/{org}/epochs/{epoch}/tile/entries/{tile_path}",
  M21: "GET /log/{org}/entries",
  // Notification configuration. SPEC §4.1, DECISION
  H1: "GET /notification-config/{org}/{notification_type}",
  H2: "PUT /notification-config/{org}/{notification_type}",
  H3: "DELETE /notification-config/{org}/{notification_type}",
  H4: "GET /notification-config/{org}/signing-secret",
  H5: "POST /notification-config/{org}/signing-secret/rotate",
  // Environment notifications. SPEC §4.2, DECISION A-24
  J1: "GET /organizations/{org}/environments_notifications",
  J2: "PUT /organizations/{org}/environments_notifications",
  J3: "GET /organizations/{org}/environments_notifications/{number}",
  J4: "PUT /organizations/{org}/environments_notifications/{number}",
  J5: "DELETE /organizations/{org}/environments_notifications/{number}",
  J6: "GET /actions/{org}",
  J7: "GET /actions/{org}/{action_number}",
  J8: "DELETE /actions/{org}/{action_number}",
  J9: "PUT /actions/{org}/environments",
  J10: "PUT /actions/{org}/flows",
  // Deliveries that failed. SPEC §4.2, DECISION B-269
  H6: "GET /deliveries/{org}/failed",
  H7: "POST /deliveries/{org}/failed/replay",
  // Callers and browser sessions. DECISION A-36
  Z0: "GET /organizations/{org}",
  Z1: "GET /user/default-org",
  Z2: "PUT /user/{org}",
  Z3: "POST /session",
  Z4: "DELETE /session",
  // The caller and the deployment. DECISION B-227, B-228
  Z5: "GET /whoami",
  Z6: "GET /meta",
  Z7: "GET /session",
  // Deployments. SPEC §4.12, DECISION A-11
  D1: "GET /deployments/{org}",
  D2: "GET /deployments/{org}/{id}",
  D3: "GET /deployments/{org}/{env_name}/{fingerprint}",
  D4: "GET /environments/{org}/{env_name}/deployments",
  // Approvals. SPEC §4.12, DECISION A-12
  W1: "POST /approvals/{org}/{flow_name}",
  W2: "GET /approvals/{org}/{flow_name}",
  W3: "GET /approvals/{org}/{flow_name}/{number}"
} as const

/** An operation's number in the index. */
export type OperationId = keyof typeof OPERATIONS

/** Open paths beside the contract: documents, schemas, probes. DECISION */
export const PLAIN_PATHS = [
  "/api/v2/openapi.json",
  "/api/v2/doc/",
  "/api/v2/schemas/flow-template/v1",
  "/api/v2/schemas/environment-policy/v1",
  "/api/v2/schemas/policy-tests/v1",
  "/live",
  "/ready",
  "/metrics"
]
