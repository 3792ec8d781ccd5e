/** Every port at once, on any `SqlClient` that speaks to a migrated PostgreSQL as the application role. */
import type { Ports } from "@attestry/core/Ports"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Layer from "effect/Layer"
import * as DeniedAttemptStoreSql from "./internal/access/DeniedAttemptStoreSql.js"
import * as CredentialStoreSql from "./internal/api-key/CredentialStoreSql.js"
import * as ApprovalStoreSql from "./internal/approval/ApprovalStoreSql.js"
import * as ArtifactStoreSql from "./internal/artifact/ArtifactStoreSql.js"
import * as AgentAccountStoreSql from "./internal/attestation/AgentAccountStoreSql.js"
import * as AttachmentStoreSql from "./internal/attestation/AttachmentStoreSql.js"
import * as AttestationStoreSql from "./internal/attestation/AttestationStoreSql.js"
import * as BreakGlassStoreSql from "./internal/break-glass/BreakGlassStoreSql.js"
import * as ComponentStoreSql from "./internal/component/ComponentStoreSql.js"
import * as ControlStoreSql from "./internal/control/ControlStoreSql.js"
import * as EnvironmentStoreSql from "./internal/environment/EnvironmentStoreSql.js"
import * as EnvironmentEventExportSql from "./internal/environment-events/EnvironmentEventExportSql.js"
import * as EvidenceStoreSql from "./internal/evidence/EvidenceStoreSql.js"
import * as VexStoreSql from "./internal/evidence/VexStoreSql.js"
import * as FlowStoreSql from "./internal/flow/FlowStoreSql.js"
import * as GrantStoreSql from "./internal/grant/GrantStoreSql.js"
import * as HistoryStoreSql from "./internal/history/HistoryStoreSql.js"
import * as IdempotencyStoreSql from "./internal/idempotency/IdempotencyStoreSql.js"
import * as InvitationStoreSql from "./internal/invitation/InvitationStoreSql.js"
import * as JournalStoreSql from "./internal/journal/JournalStoreSql.js"
import * as LogStoreSql from "./internal/log/LogStoreSql.js"
import * as WitnessStoreSql from "./internal/log/WitnessStoreSql.js"
import * as MembershipStoreSql from "./internal/membership/MembershipStoreSql.js"
import * as NotificationStoreSql from "./internal/notification/NotificationStoreSql.js"
import * as OutboxStoreSql from "./internal/notification/OutboxStoreSql.js"
import * as OrgStoreSql from "./internal/org/OrgStoreSql.js"
import * as PolicyStoreSql from "./internal/policy/PolicyStoreSql.js"
import * as ProposalStoreSql from "./internal/proposal/ProposalStoreSql.js"
import * as ProtectionStoreSql from "./internal/protection/ProtectionStoreSql.js"
import * as RepoStoreSql from "./internal/repo/RepoStoreSql.js"
import * as ScimStoreSql from "./internal/scim/ScimStoreSql.js"
import * as ServiceAccountStoreSql from "./internal/service-account/ServiceAccountStoreSql.js"
import * as BackgroundLeaseStoreSql from "./internal/shared/BackgroundLeaseStoreSql.js"
import * as ServerProcessStoreSql from "./internal/shared/ServerProcessStoreSql.js"
import * as StoreHealthSql from "./internal/shared/StoreHealthSql.js"
import * as SignInStoreSql from "./internal/sign-in/SignInStoreSql.js"
import * as InvalidationSql from "./internal/snapshot/InvalidationSql.js"
import * as ProvenanceStoreSql from "./internal/snapshot/ProvenanceStoreSql.js"
import * as ReadModelsSql from "./internal/snapshot/ReadModelsSql.js"
import * as SnapshotRowCache from "./internal/snapshot/SnapshotRowCache.js"
import * as SnapshotStoreSql from "./internal/snapshot/SnapshotStoreSql.js"
import * as SpaceStoreSql from "./internal/space/SpaceStoreSql.js"
import * as TeamStoreSql from "./internal/team/TeamStoreSql.js"
import * as TrailStoreSql from "./internal/trail/TrailStoreSql.js"
import type { Driver } from "./internal/transaction/Driver.js"
import * as TenantTransaction from "./internal/transaction/TenantTransaction.js"
import * as TrustPolicyStoreSql from "./internal/trust-policy/TrustPolicyStoreSql.js"
import * as AuditStoreSql from "./internal/verification/AuditStoreSql.js"
import * as WaiverStoreSql from "./internal/waiver/WaiverStoreSql.js"
import * as WorkloadIdentityStoreSql from "./internal/workload-identity/WorkloadIdentityStoreSql.js"

/** Every port. */
export const layer: Layer.Layer<Ports, never, SqlClient.SqlClient | Driver> = Layer.mergeAll(
  TenantTransaction.transactionLayer,
  StoreHealthSql.layer,
  JournalStoreSql.layer,
  LogStoreSql.layer,
  AuditStoreSql.layer,
  WitnessStoreSql.layer,
  OrgStoreSql.layer,
  MembershipStoreSql.layer,
  InvitationStoreSql.layer,
  TeamStoreSql.layer,
  SpaceStoreSql.layer,
  GrantStoreSql.layer,
  BreakGlassStoreSql.layer,
  ScimStoreSql.layer,
  CredentialStoreSql.layer,
  SignInStoreSql.layer,
  FlowStoreSql.layer,
  RepoStoreSql.layer,
  TrailStoreSql.layer,
  ArtifactStoreSql.layer,
  AttestationStoreSql.layer,
  AttachmentStoreSql.layer,
  ServiceAccountStoreSql.layer,
  WorkloadIdentityStoreSql.layer,
  DeniedAttemptStoreSql.layer,
  IdempotencyStoreSql.layer,
  ApprovalStoreSql.layer,
  EvidenceStoreSql.layer,
  AgentAccountStoreSql.layer,
  VexStoreSql.layer,
  ComponentStoreSql.layer,
  ControlStoreSql.layer,
  PolicyStoreSql.layer,
  TrustPolicyStoreSql.layer,
  WaiverStoreSql.layer,
  ProtectionStoreSql.layer,
  ProposalStoreSql.layer,
  EnvironmentStoreSql.layer,
  NotificationStoreSql.layer,
  OutboxStoreSql.layer,
  BackgroundLeaseStoreSql.layer,
  ServerProcessStoreSql.layer,
  ProvenanceStoreSql.layer,
  InvalidationSql.layer,
  ReadModelsSql.layer,
  Layer.provide(SnapshotRowCache.decorate, SnapshotStoreSql.layer),
  EnvironmentEventExportSql.layer,
  HistoryStoreSql.layer
).pipe(Layer.provide(Layer.merge(TenantTransaction.layer, SnapshotRowCache.layer)))
